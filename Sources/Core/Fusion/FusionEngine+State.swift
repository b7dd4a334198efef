// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension FusionEngine {
  /// The whole state of the engine. An engine with the same parameters and this state continues
  /// identically, bit by bit.
  public struct State: Equatable, Sendable {
    /// The attitude from the gyroscope only: device to a frame that drifts by the residual bias.
    @usableFromInline var strapdown = Quaternion.identity {
      didSet { strapdownMatrix = nil }
    }
    /// The same as a matrix, computed on demand.
    var strapdownMatrix: Matrix3?
    /// The device's turn within the gyroscope's delay.
    @usableFromInline var lead = Quaternion.identity
    /// From that frame to one whose Z axis is up.
    @usableFromInline var inclination = Quaternion.identity
    /// From there to north, radians about Z.
    @usableFromInline var northOffset = 0.0 {
      didSet {
        if northOffset != oldValue {
          north = Quaternion(angle: northOffset, axis: Vector3(0, 0, 1))
        }
      }
    }
    /// The same as a rotation: attitudes are read with every sample, but north changes once per
    /// epoch.
    @usableFromInline private(set) var north = Quaternion.identity

    var rate = Vector3.zero
    /// The difference to the one before.
    var rateStep = Vector3.zero
    var rateEnds: RangeEnds
    var rateQuantum = Quantum()
    var forceQuantum = Quantum()
    /// The number of axes of the newest rate that are at the end of their range.
    var rateAxesAtEnd = 0
    /// The newest rate without its bias, and the same corrected by the gyroscope's matrix, with the
    /// estimates at its time.
    var unbiasedRate = Vector3.zero
    var turnRate = Vector3.zero
    /// The mean of the corrected rate over the magnetometer's delay relative to the gyroscope,
    /// rad/s.
    var lateTurnRate = Vector3.zero
    /// The newest specific force, g, device axes, and its difference to the one before.
    var newestForce: Vector3?
    var forceStep = Vector3.zero
    var rateTime: Timestamp?
    var accelerationTime: Timestamp?
    /// Mean between two samples, s.
    var gyroInterval = 0.0
    var accelerationInterval = 0.0
    var magneticTime: Timestamp?
    @usableFromInline var hasAttitude = false
    @usableFromInline var hasNorth = false
    /// True if the next acceleration determines the tilt.
    var isTiltUnknown = false

    /// rad/s, device axes.
    @usableFromInline var bias = Vector3.zero
    /// The matrix that corrects a rate after the bias is subtracted.
    @usableFromInline var gyroMatrix = Matrix3.identity
    /// Assumed variance of the terms of that matrix, relative to `Params`.
    var gyroErrorRatio = 1.0
    /// The offset in g, device axes, and the scale factor of each axis.
    @usableFromInline var accelerationOffset = Vector3.zero
    @usableFromInline var accelerationScale = Vector3(1, 1, 1)
    /// In the frame that `inclination` leads to, m/s.
    @usableFromInline var velocity = Vector3.zero
    /// The device's own acceleration in the last epoch, reference frame, m/s^2.
    var acceleration = Vector3.zero
    var aid = Aid()
    /// Recent mean specific force in the reference frame, g: over a second, and over several.
    var up = SlowMean()
    var longUp = SlowMean()
    /// Recent mean rotation rate, reference frame, rad/s.
    var longTurn = SlowMean()
    /// The remaining time for which a vehicle is assumed, s.
    var ride: Seconds = 0
    var monitor = TiltMonitor()
    var rateRepeats: RepeatCheck
    var heldRate = HeldRate()
    var forceRepeats: RepeatCheck
    var fieldRepeats: RepeatCheck
    var forceEnds: RangeEnds
    var forceAxesAtEnd = 0
    /// Mean square of the rotation rate of one axis, (rad/s)^2.
    var rateSquare = 0.0
    /// The rate at the end of the last epoch, rad/s, and how long that was, s.
    var lastRate = Vector3.zero
    var lastEpoch = 0.0
    /// Mean square of the change of the rate from one epoch to the next, of one axis, (rad/s)^2.
    var rateChange = 0.0
    /// Mean square of the specific force, g^2: its excess over one is the device's acceleration,
    /// independent of the attitude.
    var forceSquare = 1.0
    /// The tilt and rate that are carried on while the gyroscope is silent.
    var coast: Coast?
    @usableFromInline var isCoasting = false
    /// Faults of the samples of the last epoch, and of this one.
    var faults: SensorFaults = []
    var newFaults: SensorFaults = []
    /// The recent number of times that the monitor's tilt replaced the filter's.
    var takeovers = 0.0
    /// The total turn since the last of them, rad, both directions added.
    var turned = 0.0
    /// The recent number of those that were large relative to the turn.
    var refutations = 0.0
    /// Time for which the gyroscope is not used any more, s.
    var refused: Seconds = 0
    var lever = LeverArm()
    /// Mean square of a component of the velocity, (m/s)^2.
    var speedSquare: Scalar
    /// Mean square of the device's own acceleration, g^2.
    var transientSquare = 0.0
    /// The same, or that of the last epoch, whichever is more.
    var peakTransientSquare = 0.0
    @usableFromInline var errors: ErrorFilter
    @usableFromInline var rest = RestDetector()
    /// The bias, and its uncertainty, when the device was last not quiet.
    var quietBias = Vector3.zero
    var quietBiasCovariance = Matrix3.zero
    /// Specific force in the strapdown frame while there is no gyroscope.
    var force = LowPass()

    var epoch = Epoch()
    var fields = FieldSums()
    /// True if this epoch uses the field: it alternates with gravity.
    var isFieldsTurn = false
    /// Since the last observation of the velocity, s.
    var velocityTime = 0.0
    /// Corrections of attitude (reference frame, rad) and bias (device axes, rad/s) at the end of
    /// the last epoch.
    var correctedInEpoch = Vector3.zero
    var shiftedInEpoch = Vector3.zero
    @usableFromInline var field = FieldReference()
    /// rad, from the last correction.
    @usableFromInline var headingSigma = Scalar.pi
    @usableFromInline var magneticAccuracy: MagneticAccuracy
    @usableFromInline var calibrator = MagneticCalibrator()
    @usableFromInline var delay: DelayEstimator
    @usableFromInline var corrected = CorrectedState()

    init(_ params: Params, _ coefficients: Coefficients) {
      errors = ErrorFilter(coefficients.start)
      rateRepeats = RepeatCheck(params)
      forceRepeats = RepeatCheck(params)
      fieldRepeats = RepeatCheck(params)
      rateEnds = RangeEnds(least: SensorRange.leastRotationRate)
      forceEnds = RangeEnds(least: SensorRange.leastAcceleration)
      speedSquare = coefficients.leastVelocity
      magneticAccuracy =
        params.calibratesMagnetometer && !params.isMagnetometerCalibrated
        ? .uncalibrated : .low
      delay = DelayEstimator(params, calibrator: calibrator.params)
      if params.isMagnetometerCalibrated {
        calibrator.assume(
          MagneticCalibration(sigma: 0, level: .hardIron), sigma: calibrator.params.fieldNoise)
      }
    }
  }

  /// The sums of the samples since the last correction.
  struct Epoch: Equatable, Sendable {
    /// The time covered by accelerations, or by the gyroscope without accelerations, s.
    var elapsed: Seconds = 0
    /// Covered by accelerations, s, and how many.
    var forced: Seconds = 0
    var count = 0
    /// Device-to-strapdown rotation times time, s.
    var turned = Matrix3.zero
    /// Specific force in the strapdown frame times time, g s; both are turned into the reference
    /// frame when the epoch ends.
    var impulse = Vector3.zero
    /// The same in device axes, as measured.
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
    /// Rotation rate at the end of its range, times time, rad.
    var clipped = 0.0
    /// Specific force at the end of its range, times time, g s.
    var clippedForce = 0.0
    /// Covered by the gyroscope, s.
    var turningTime: Seconds = 0
  }

  /// The sums of the fields since the last use.
  struct FieldSums: Equatable, Sendable {
    /// In the strapdown frame, and in device axes, microtesla.
    var field = Vector3.zero
    var deviceField = Vector3.zero
    /// Of their norms, microtesla.
    var norm = 0.0
    var count = 0.0
    /// s.
    var time: Seconds = 0

    mutating func restart() { self = FieldSums() }
  }

  /// The heading of `attitudeCorrected` relative to `attitude6`.
  @usableFromInline struct CorrectedState: Equatable, Sendable {
    @usableFromInline var offset = 0.0
    /// The present speed of that heading, rad/s.
    var rate = 0.0
    /// `northOffset` less `offset`, once the arbitrary direction of X is fixed.
    var origin = 0.0
    var isAnchored = false
    /// Since north is known, s.
    var waited: Seconds = 0
  }
}

/// Variance of an unknown heading, rad^2: that of a uniform distribution.
let unknownHeading = Scalar.pi * Scalar.pi / 3
