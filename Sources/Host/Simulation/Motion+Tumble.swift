// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension MovingWorld {
  /// Returns an attitude that rolls once in three seconds, pitches over once in 20 and yaws once in
  /// 47. After the first 20 seconds the magnetic field was measured in all directions.
  static func tumble(at t: Double) -> Quaternion {
    let turn = 2 * Double.pi
    return attitude(yaw: -turn / 4 + turn * t / 47, pitch: turn * t / 20, roll: turn * t / 3.1)
  }
}
