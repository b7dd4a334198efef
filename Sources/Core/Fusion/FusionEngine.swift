// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Computes attitudes from gyroscope, accelerometer and magnetometer; those with and without the
/// magnetometer are available at the same time.
///
/// A value type, without allocation, clock, input or output. Each sample comes with the time at
/// which it was taken. The streams may have different rates and phases, and may jitter and pause.
/// docs/fusion.md contains the equations and their sources.
public struct FusionEngine: Sendable {
  /// The parameters with which the engine was created.
  public let params: Params
  let coefficients: Coefficients
  /// The complete state. If you set it, the engine continues from that state.
  public var state: State

  public init(_ params: Params = Params()) {
    self.params = params
    coefficients = Coefficients(params)
    state = State(params, coefficients)
  }

  /// Resets the engine to its initial state.
  public mutating func reset() { state = State(params, coefficients) }

  /// Starts with a known bias, for example from the previous run. `bias` is in rad/s, device axes;
  /// `sigma` is its standard deviation for each axis, rad/s. Has no effect if a number is not
  /// finite.
  public mutating func assume(gyroBias bias: Vector3, sigma: Scalar) {
    guard bias.isFinite, sigma.isFinite, sigma >= 0 else { return }
    state.gyroscope.bias = bias.clipped(to: params.biasLimit)
    let variance = sigma * sigma
    state.errors.forgetBias(
      variance: variance < coefficients.biasAtStart ? variance : coefficients.biasAtStart)
  }

  /// True if there is an attitude, that is, after the first acceleration.
  @inlinable @inline(__always)
  public var hasAttitude: Bool { state.attitude.isKnown }

  /// True if a magnetic field has been used, so that `attitude9` points north.
  @inlinable @inline(__always)
  public var hasHeading: Bool { hasAttitude && state.attitude.hasNorth }

  /// The rotation from the device to a frame whose Z axis is up and whose X axis is arbitrary (as
  /// in Core Motion, yaw is zero at the start). It uses gyroscope and accelerometer only. Identity
  /// before `hasAttitude`.
  @inlinable @inline(__always)
  public var attitude6: Quaternion {
    (state.attitude.inclination * state.attitude.strapdown * state.attitude.latencyCompensation)
      .renormalized
  }

  /// The rotation from the device to a frame with X to magnetic north, Y west and Z up. Before
  /// `hasHeading` the heading equals the heading of `attitude6`.
  @inlinable @inline(__always)
  public var attitude9: Quaternion { turned(attitude6, by: state.attitude.north) }

  /// The rotation from the device to a frame whose Z axis is up and whose X axis equals the X axis
  /// of `attitude6` at the start. The magnetometer keeps the X axis from drifting, without jumps.
  @inlinable @inline(__always)
  public var attitudeCorrected: Quaternion {
    turned(attitude6, by: state.attitude.corrected.turn)
  }

  /// Standard deviation of the tilt of all attitudes in its worst direction, radians. Updated at
  /// each correction.
  @inlinable @inline(__always)
  public var inclinationSigma: Scalar { hasAttitude ? state.attitude.tiltSigma : .pi }

  /// The gyroscope's bias, rad/s in device axes. Subtract it from a measured rotation rate.
  @inlinable @inline(__always)
  public var gyroBias: Vector3 { state.gyroscope.bias }

  /// Standard deviation of the bias in its least known axis, rad/s.
  @inlinable @inline(__always)
  public var gyroBiasSigma: Scalar {
    let variances = state.errors.biasVariances
    let most = variances.x > variances.y ? variances.x : variances.y
    return (most > variances.z ? most : variances.z).squareRoot()
  }

  /// True if the device is at rest. (Inertial sensors cannot distinguish rest from uniform motion.)
  @inlinable @inline(__always)
  public var isAtRest: Bool { state.rest.isAtRest }

  /// True while the magnetic field differs from the learned local field. False before a field is
  /// learned.
  @inlinable @inline(__always)
  public var isMagneticallyDisturbed: Bool {
    state.magnetometer.reference.norm > 0 && state.magnetometer.reference.isDisturbed
  }

  /// The current estimate of the magnetometer's delay, s: the time from a motion to the time stamp
  /// of the field measurement that shows the motion.
  @inlinable @inline(__always)
  public var magneticDelay: Scalar { state.magnetometer.delay.delay }

  /// Standard deviation of `magneticDelay`, s.
  @inlinable @inline(__always)
  public var magneticDelaySigma: Scalar { state.magnetometer.delay.variance.squareRoot() }

  /// The current calibration for the device's own magnetism.
  @inlinable @inline(__always)
  public var magneticCalibration: MagneticCalibration { state.magnetometer.calibrator.calibration }

  /// The device's own magnetic field as learned so far, microtesla in device axes.
  @inlinable @inline(__always)
  public var hardIron: Vector3 { magneticCalibration.hardIron }

  /// Returns the unit vector that points down, in device axes, for an attitude relative to a frame
  /// whose Z axis is up: `R(q)^T (0, 0, -1)`.
  @inlinable @inline(__always)
  public static func gravity(_ attitude: Quaternion) -> Vector3 {
    let q = attitude
    return Vector3(
      2 * (q.w * q.y - q.x * q.z), -2 * (q.y * q.z + q.w * q.x), 2 * (q.x * q.x + q.y * q.y) - 1)
  }
}

/// Returns `turn * attitude`, where `turn` is a rotation about Z. This is faster than a full
/// product, because two components of `turn` are zero.
@inlinable @inline(__always)
func turned(_ attitude: Quaternion, by turn: Quaternion) -> Quaternion {
  Quaternion(
    w: turn.w * attitude.w - turn.z * attitude.z, x: turn.w * attitude.x - turn.z * attitude.y,
    y: turn.w * attitude.y + turn.z * attitude.x, z: turn.w * attitude.z + turn.z * attitude.w)
}

extension Vector3 {
  /// Returns the vector with each component clamped to `-limit` ... `limit`.
  func clipped(to limit: Scalar) -> Vector3 {
    func clip(_ c: Scalar) -> Scalar { c > limit ? limit : c < -limit ? -limit : c }
    return Vector3(clip(x), clip(y), clip(z))
  }
}
