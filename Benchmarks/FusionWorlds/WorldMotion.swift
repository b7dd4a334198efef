// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Standard gravity, m/s^2.
let standardGravity = 9.80665

/// The motion of a device in one world: pure functions of time, in a frame north, west, up.
protocol WorldMotion {
  /// Device to north, west, up.
  func attitude(at time: Double) -> Quaternion
  /// The linear acceleration, m/s^2.
  func acceleration(at time: Double) -> Vector3
  /// Returns the place of the device, as far as the magnetic field depends on it, m: a place, or a
  /// way made.
  func place(at time: Double) -> Vector3
  /// The vibration beyond what samples can follow, g rms over all three axes.
  func vibration(at time: Double) -> Double
}

extension WorldMotion {
  func vibration(at time: Double) -> Double { 0 }
}

/// Takes the second derivative of a place, numerically.
func secondDerivative(of place: (Double) -> Vector3, at time: Double) -> Vector3 {
  let step = 1e-3
  return (place(time + step) - 2 * place(time) + place(time - step)) / (step * step)
}

/// Turns by `yaw`, then `pitch`, then `roll`, each about the axes so far.
func turned(yaw: Double, pitch: Double, roll: Double) -> Quaternion {
  Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
    * Quaternion(angle: pitch, axis: Vector3(0, 1, 0))
    * Quaternion(angle: roll, axis: Vector3(1, 0, 0))
}
