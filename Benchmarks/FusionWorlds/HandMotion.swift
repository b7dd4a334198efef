// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// A device on a table, a turntable or in a hand: the hand's own time stands still in breaks.
struct HandMotion: WorldMotion {
  private let busy: Steps
  private let turning: Steps
  private let angles: VectorWaves
  private let shifts: VectorWaves
  private let start: Vector3

  init(busy: Steps, turning: Steps, _ draws: inout Draws) {
    self.busy = busy
    self.turning = turning
    func axis(_ slow: Double, _ highest: Double, _ quick: Double) -> Waves {
      Waves(sigma: slow, low: 0.05, high: highest, count: 5, &draws)
        + Waves(sigma: quick, low: 1.2, high: 2.5, count: 3, &draws)
    }
    angles = VectorWaves(
      x: axis(35 * degree, 0.4, 2 * degree), y: axis(25 * degree, 0.4, 2 * degree),
      z: axis(60 * degree, 0.3, 2 * degree))
    func shift() -> Waves {
      Waves(sigma: 0.12, low: 0.2, high: 0.7, count: 4, &draws)
        + Waves(sigma: 0.006, low: 1.2, high: 3, count: 3, &draws)
    }
    shifts = VectorWaves(x: shift(), y: shift(), z: shift())
    start = Vector3(
      draws.normal() * 5 * degree, draws.normal() * 5 * degree, draws.uniform(-.pi, .pi))
  }

  func attitude(at time: Double) -> Quaternion {
    let own = busy.integral(at: time)
    let angle = angles.value(at: own) - angles.value(at: 0) + start
    return turned(
      yaw: angle.z + turning.integral(at: time), pitch: angle.y, roll: angle.x)
  }

  func acceleration(at time: Double) -> Vector3 {
    secondDerivative(of: place, at: time)
  }

  func place(at time: Double) -> Vector3 { shifts.value(at: busy.integral(at: time)) }
}
