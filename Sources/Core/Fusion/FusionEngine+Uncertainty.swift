// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// Adds uncertainty to the next rotation rate and the next acceleration, because an axis is
  /// clipped, or the sensors behind a virtual sensor disagree. The values are variances for each
  /// axis, (rad/s)^2 and g^2. Nothing changes if a value is not finite.
  public mutating func widen(rotationRate: Vector3, acceleration: Vector3) {
    guard rotationRate.isFinite, acceleration.isFinite, params.clipShare > 0 else { return }
    let turn = rotationRate.x + rotationRate.y + rotationRate.z
    if turn > 0 {
      // Of the rotation that counts as clipped, only the share `clipShare` is assumed to be
      // unmeasured.
      state.epoch.clipped += turn.squareRoot() * state.gyroscope.interval / params.clipShare
    }
    let force = acceleration.x + acceleration.y + acceleration.z
    if force > 0 {
      state.epoch.clippedForce += force.squareRoot() * state.accelerometer.interval
    }
  }

  /// Adds `change` to the gyroscope's bias, because the offset of the rotation rates has changed by
  /// this much, rad/s in device axes. The offset may have changed further by about `doubt`, in
  /// either direction, and may have turned the attitude for `seconds` already; the uncertainties of
  /// bias and tilt grow accordingly. Nothing changes if a value is not finite.
  public mutating func shift(
    gyroBias change: Vector3, doubt: Vector3 = .zero, lasting seconds: Scalar = 0
  ) {
    guard change.isFinite, doubt.isFinite, seconds.isFinite else { return }
    state.gyroscope.bias = (state.gyroscope.bias + change).clipped(to: params.biasLimit)
    guard doubt != .zero else { return }
    state.errors.widen(bias: Matrix3(rows: doubt * doubt.x, doubt * doubt.y, doubt * doubt.z))
    state.errors.widen(tilt: doubt.dot(doubt) * seconds * seconds)
    noteTiltSigma()
  }
}
