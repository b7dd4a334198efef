// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// The complete state of the engine. An engine with the same parameters and this state continues
  /// identically, bit by bit. Each part of the state updates itself; `FusionEngine+Step.swift`
  /// connects the parts.
  public struct State: Equatable, Sendable {
    @usableFromInline var attitude = AttitudeState()
    @usableFromInline var gyroscope: GyroscopeState
    @usableFromInline var accelerometer: AccelerometerState
    @usableFromInline var magnetometer: MagnetometerState
    var velocity: VelocityState
    @usableFromInline var trust = TrustState()
    var vehicle = VehicleDetector()
    @usableFromInline var rest = RestDetector()
    /// The bias and its covariance at the last epoch in which the device was not quiet.
    var quietBias = Vector3.zero
    var quietBiasCovariance = Matrix3.zero
    /// The covariance of all estimates.
    @usableFromInline var errors: ErrorFilter

    var epoch = Epoch()
    /// True if the magnetic field, and not gravity, corrects the estimates in this epoch. The two
    /// alternate.
    var isFieldEpoch = false
    /// Corrections of attitude (reference frame, rad) and bias (device axes, rad/s) at the end of
    /// the last epoch.
    var correctedInEpoch = Vector3.zero
    var shiftedInEpoch = Vector3.zero

    init(_ params: Params, _ coefficients: Coefficients) {
      gyroscope = GyroscopeState(params)
      accelerometer = AccelerometerState(params)
      magnetometer = MagnetometerState(params)
      velocity = VelocityState(speedSquare: coefficients.leastVelocity)
      errors = ErrorFilter(coefficients.start)
    }
  }

  /// The sums of the samples since the last correction.
  struct Epoch: Equatable, Sendable {
    /// The time that accelerations cover, or that the gyroscope covers if there are no
    /// accelerations, s.
    var elapsed: Seconds = 0
    /// The time that accelerations cover, s, and their number.
    var forced: Seconds = 0
    var count = 0
    /// The rotation from device axes to the strapdown frame, integrated over time, s.
    var turned = Matrix3.zero
    /// The specific force in the strapdown frame, integrated over time, g s. This sum and `turned`
    /// are rotated into the reference frame when the epoch ends.
    var impulse = Vector3.zero
    /// The measured specific force in device axes, integrated over time, g s.
    var force = Vector3.zero
    /// The measured rotation rate minus its bias, in device axes, integrated over time, rad.
    var turn = Vector3.zero
    /// The square of the specific force, integrated over time, g^2 s.
    var square = 0.0
    /// The square of the rotation rate, integrated over time, rad^2/s.
    var turning = 0.0
    /// Sums of the squares of second difference times interval, for the specific force, g^2 s^2,
    /// and for the rotation rate, rad^2.
    var bend = 0.0
    var rateBend = 0.0
    /// The rotation rate while an axis was at the end of its range, integrated over time, rad.
    var clipped = 0.0
    /// The specific force while an axis was at the end of its range, integrated over time, g s.
    var clippedForce = 0.0
    /// The time that rotation rates cover, s.
    var turningTime: Seconds = 0
  }
}

/// Variance of an unknown heading, rad^2: the variance of a uniform distribution over a full
/// circle.
let unknownHeading = Scalar.pi * Scalar.pi / 3
