// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension FusionEngine {
  /// Everything that the engine has learned. An engine of the same parameters that is given it
  /// continues bit by bit.
  public struct State: Equatable, Sendable {
    /// The gyroscope alone: device to a frame that drifts only by the bias that is left.
    @usableFromInline var strapdown = Quaternion.identity
    /// How far the device has turned since: what the gyroscope's delay hides.
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
    /// The same as a rotation: attitudes are asked for with every sample, north moves with an epoch.
    @usableFromInline private(set) var north = Quaternion.identity

    var rate = Vector3.zero
    var rateTime: Timestamp?
    var accelerationTime: Timestamp?
    var magneticTime: Timestamp?
    @usableFromInline var hasAttitude = false
    @usableFromInline var hasNorth = false
    /// Whether the next acceleration alone says where up is.
    var isTiltUnknown = false

    /// rad/s, device axes.
    @usableFromInline var bias = Vector3.zero
    /// Horizontal, in the frame that `inclination` leads to, m/s.
    var velocityX = 0.0
    var velocityY = 0.0
    /// Mean specific force of late in the reference frame, g, over how long, s.
    var up = Vector3.zero
    var upTime: Seconds = 0
    /// Since the first attitude, s, of epochs with accelerations.
    var age: Seconds = 0
    /// Mean square of a component of the velocity, (m/s)^2.
    var speedSquare: Scalar
    /// Mean square of the device's own acceleration, g^2.
    var commotion = 0.0
    @usableFromInline var errors: ErrorFilter
    @usableFromInline var rest = RestDetector()
    /// Specific force in the strapdown frame while there is no gyroscope.
    var force = LowPass()

    var epoch = Epoch()
    @usableFromInline var field = FieldReference()
    /// rad, and Core Motion's scale, as judged at the last correction.
    @usableFromInline var headingSigma = Scalar.pi
    @usableFromInline var magneticAccuracy = 0
    /// For how long an undisturbed field has pointed elsewhere, s.
    @usableFromInline var headingOff: Seconds = 0
    @usableFromInline var calibrator = MagneticCalibrator()
    @usableFromInline var delay: DelayEstimator
    @usableFromInline var corrected = CorrectedState()

    init(_ params: Params, _ coefficients: Coefficients) {
      errors = ErrorFilter(
        tilt: coefficients.tiltAtStart, heading: unknownHeading, bias: coefficients.biasAtStart,
        velocity: coefficients.velocityAtStart)
      speedSquare = coefficients.leastVelocity
      delay = DelayEstimator(delay: params.magneticDelay, sigma: params.magneticDelaySigma)
    }
  }

  /// What the samples since the last correction add up to.
  struct Epoch: Equatable, Sendable {
    /// Covered by accelerations, s.
    var elapsed: Seconds = 0
    /// Device-to-reference rotation times time, s.
    var turned = Matrix3.zero
    /// Specific force in the reference frame times time, g s.
    var impulse = Vector3.zero
    /// Square of the specific force beyond gravity times time, g^2 s.
    var commotion = 0.0
    /// Square of the rotation rate times time, rad^2/s.
    var turning = 0.0
    /// Covered by the gyroscope, s.
    var turningTime: Seconds = 0
    /// Sum of the fields in the reference frame, microtesla, of their norms, and their number.
    var field = Vector3.zero
    var fieldNorm = 0.0
    var fieldCount = 0.0
    /// Since the last epoch that had fields, s.
    var fieldTime: Seconds = 0

    mutating func restart() {
      let time = fieldTime
      self = Epoch()
      fieldTime = time
    }
  }

  /// The heading of `attitudeCorrected` relative to `attitude6`.
  @usableFromInline struct CorrectedState: Equatable, Sendable {
    @usableFromInline var offset = 0.0
    /// How fast it is moving at present, rad/s.
    var rate = 0.0
    /// `northOffset` less `offset` once it is decided which arbitrary direction X is.
    var origin = 0.0
    var isAnchored = false
    /// Since north is known, s.
    var waited: Seconds = 0
  }
}

/// Variance of a heading that may be anything, rad^2: that of a uniform distribution.
let unknownHeading = Scalar.pi * Scalar.pi / 3
