// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// The whole state of the engine. An engine with the same parameters and this state continues
  /// identically, bit by bit. Each part of the state has its own update; `FusionEngine+Step.swift`
  /// couples the parts.
  public struct State: Equatable, Sendable {
    @usableFromInline var attitude = AttitudeState()
    @usableFromInline var gyroscope: GyroscopeState
    @usableFromInline var accelerometer: AccelerometerState
    @usableFromInline var magnetometer: MagnetometerState
    var velocity: VelocityState
    @usableFromInline var trust = TrustState()
    var vehicle = VehicleDetector()
    @usableFromInline var rest = RestDetector()
    /// The bias, and its covariance, at the last epoch in which the device was not quiet.
    var quietBias = Vector3.zero
    var quietBiasCovariance = Matrix3.zero
    /// The covariance of all estimates.
    @usableFromInline var errors: ErrorFilter

    var epoch = Epoch()
    /// True if this epoch corrects by the magnetic field: field and gravity alternate.
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
    /// The time covered by accelerations, or by the gyroscope without accelerations, s.
    var elapsed: Seconds = 0
    /// The time covered by accelerations, s, and their number.
    var forced: Seconds = 0
    var count = 0
    /// Device-to-strapdown rotation times time, s.
    var turned = Matrix3.zero
    /// Specific force in the strapdown frame times time, g s; this and `turned` are rotated into
    /// the reference frame when the epoch ends.
    var impulse = Vector3.zero
    /// Specific force times time in device axes, as measured, g s.
    var force = Vector3.zero
    /// Rotation rate less its bias times time, device axes, as measured, rad.
    var turn = Vector3.zero
    /// Square of the specific force times time, g^2 s.
    var square = 0.0
    /// Square of the rotation rate times time, rad^2/s.
    var turning = 0.0
    /// Sums of the squares of the second differences of the specific force, and of the rotation
    /// rate, times the interval: g^2 s^2, rad^2.
    var bend = 0.0
    var rateBend = 0.0
    /// Rotation rate while an axis was at the end of its range, times time, rad.
    var clipped = 0.0
    /// Specific force while an axis was at the end of its range, times time, g s.
    var clippedForce = 0.0
    /// The time covered by rotation rates, s.
    var turningTime: Seconds = 0
  }
}

/// Variance of an unknown heading, rad^2: that of a uniform distribution.
let unknownHeading = Scalar.pi * Scalar.pi / 3
