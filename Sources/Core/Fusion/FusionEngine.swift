// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Attitude from gyroscope, accelerometer and magnetometer, with and without the magnetometer at
/// once.
///
/// A value type: no allocation, no clock, no input or output. Samples come one by one with the time
/// they were taken; streams may differ in rate and phase, jitter, and pause. docs/fusion.md holds
/// the equations and their sources.
public struct FusionEngine: Sendable {
  /// The parameters that the engine was created with.
  public let params: Params
  let coefficients: Coefficients
  /// The whole state; after setting it the engine continues from that state.
  public var state: State

  public init(_ params: Params = Params()) {
    self.params = params
    coefficients = Coefficients(params)
    state = State(params, coefficients)
  }

  /// Resets the engine.
  public mutating func reset() { state = State(params, coefficients) }

  /// Starts with a known bias, for example from the last run: `bias` in rad/s, device axes, and its
  /// uncertainty per axis (one standard deviation, rad/s). Without effect if a number is not
  /// finite.
  public mutating func assume(gyroBias bias: Vector3, sigma: Scalar) {
    guard bias.isFinite, sigma.isFinite, sigma >= 0 else { return }
    state.gyroscope.bias = bias.clipped(to: params.biasLimit)
    let variance = sigma * sigma
    state.errors.forgetBias(
      variance: variance < coefficients.biasAtStart ? variance : coefficients.biasAtStart)
  }

  /// True if there is an attitude: after the first acceleration.
  @inlinable @inline(__always)
  public var hasAttitude: Bool { state.attitude.isKnown }

  /// True if a magnetometer has been used, so that `attitude9` knows north.
  @inlinable @inline(__always)
  public var hasHeading: Bool { hasAttitude && state.attitude.hasNorth }

  /// The rotation from the device to a frame whose Z axis is up and whose X axis is arbitrary: Core
  /// Motion's yaw is zero at the start. From gyroscope and accelerometer; identity before
  /// `hasAttitude`.
  @inlinable @inline(__always)
  public var attitude6: Quaternion {
    (state.attitude.inclination * state.attitude.strapdown * state.attitude.latencyCompensation)
      .renormalized
  }

  /// The rotation from the device to X magnetic north, Y west, Z up. Its heading is that of
  /// `attitude6` before `hasHeading`.
  @inlinable @inline(__always)
  public var attitude9: Quaternion { turned(attitude6, by: state.attitude.north) }

  /// The rotation from the device to a frame whose Z axis is up and whose X axis is where
  /// `attitude6` had it at the start; the magnetometer keeps it there, without jumps.
  @inlinable @inline(__always)
  public var attitudeCorrected: Quaternion {
    turned(attitude6, by: state.attitude.corrected.turn)
  }

  /// One standard deviation of the tilt of all attitudes, radians, in its worse direction. Updated
  /// at each correction.
  @inlinable @inline(__always)
  public var inclinationSigma: Scalar { hasAttitude ? state.attitude.tiltSigma : .pi }

  /// The gyroscope's bias, rad/s in device axes: subtract it from a measured rotation rate.
  @inlinable @inline(__always)
  public var gyroBias: Vector3 { state.gyroscope.bias }

  /// One standard deviation of the bias in its least known axis, rad/s.
  @inlinable @inline(__always)
  public var gyroBiasSigma: Scalar {
    let variances = state.errors.biasVariances
    let most = variances.x > variances.y ? variances.x : variances.y
    return (most > variances.z ? most : variances.z).squareRoot()
  }

  /// True if the device rests (or moves uniformly, which inertial sensors cannot distinguish
  /// from rest).
  @inlinable @inline(__always)
  public var isAtRest: Bool { state.rest.isAtRest }

  /// True while the magnetic field differs from the learned field of the place; false before a
  /// field is learned.
  @inlinable @inline(__always)
  public var isMagneticallyDisturbed: Bool {
    state.magnetometer.reference.norm > 0 && state.magnetometer.reference.isDisturbed
  }

  /// The delay from a motion to the time stamp of the magnetic field that shows it, s, as estimated
  /// so far.
  @inlinable @inline(__always)
  public var magneticDelay: Scalar { state.magnetometer.delay.delay }

  /// One standard deviation of `magneticDelay`, s.
  @inlinable @inline(__always)
  public var magneticDelaySigma: Scalar { state.magnetometer.delay.variance.squareRoot() }

  /// The present knowledge of the device's own magnetism.
  @inlinable @inline(__always)
  public var magneticCalibration: MagneticCalibration { state.magnetometer.calibrator.calibration }

  /// The device's own magnetic field, microtesla in device axes, as far as the calibrator has
  /// learned it.
  @inlinable @inline(__always)
  public var hardIron: Vector3 { magneticCalibration.hardIron }

  /// Returns the unit vector down in device axes at an attitude relative to a frame whose Z axis is
  /// up: `R(q)^T (0, 0, -1)`.
  @inlinable @inline(__always)
  public static func gravity(_ attitude: Quaternion) -> Vector3 {
    let q = attitude
    return Vector3(
      2 * (q.w * q.y - q.x * q.z), -2 * (q.y * q.z + q.w * q.x), 2 * (q.x * q.x + q.y * q.y) - 1)
  }
}

/// Returns `turn * attitude` for a `turn` about Z: shorter than a full product, as two components
/// of `turn` are zero.
@inlinable @inline(__always)
func turned(_ attitude: Quaternion, by turn: Quaternion) -> Quaternion {
  Quaternion(
    w: turn.w * attitude.w - turn.z * attitude.z, x: turn.w * attitude.x - turn.z * attitude.y,
    y: turn.w * attitude.y + turn.z * attitude.x, z: turn.w * attitude.z + turn.z * attitude.w)
}

extension Vector3 {
  /// Returns the vector with each component held within `limit` of zero.
  func clipped(to limit: Scalar) -> Vector3 {
    func clip(_ c: Scalar) -> Scalar { c > limit ? limit : c < -limit ? -limit : c }
    return Vector3(clip(x), clip(y), clip(z))
  }
}
