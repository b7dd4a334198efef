// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Everything that the engine has learned. An engine of the same parameters that is given it
  /// continues bit by bit.
  public struct State: Equatable, Sendable {
    /// The gyroscope alone: device to a frame that drifts only by the bias that is left.
    var strapdown = Quaternion.identity
    /// How far the device has turned since: what the gyroscope's delay hides.
    var lead = Quaternion.identity
    /// From that frame to one whose Z axis is up.
    var inclination = Quaternion.identity
    /// From there to north, radians about Z.
    var northOffset = 0.0

    var rate = Vector3.zero
    var rateTime: Timestamp?
    var accelerationTime: Timestamp?
    var magneticTime: Timestamp?
    var hasAttitude = false

    /// Specific force in the strapdown frame.
    var force = LowPass()
    /// Mean square of the acceleration that is not gravity, g^2.
    var commotion = 0.0
    var rest = RestDetector()
    var bias: BiasFilter
    /// The rows of the device-to-reference rotation, and bias seen in that reference frame, both
    /// delayed by the same filter as the specific force: the inclination correction tells of the
    /// bias of that past.
    var rowX = LowPass()
    var rowY = LowPass()
    var rowZ = LowPass()
    var referenceBias = LowPass()

    var field = FieldState()
    var corrected = CorrectedState()

    var decays = Decays()

    init(_ params: Params) {
      bias = BiasFilter(sigma: params.biasSigmaAtStart, limit: params.biasLimit)
      field.rejected = params.rejectionTime
    }
  }

  /// What is known of the magnetic field.
  struct FieldState: Equatable, Sendable {
    /// Norm (microtesla), dip (radians) of the newest field, lightly smoothed; z unused.
    var current = LowPass()
    /// The learned field of the place; norm 0 while there is none.
    var norm = 0.0
    var dip = 0.0
    /// A steady field that may become the learned one.
    var candidateNorm = 0.0
    var candidateDip = 0.0
    var candidateTime = 0.0
    /// How long the field has agreed with the learned one, s.
    var agreement = 0.0
    var isDisturbed = true
    /// How much of `rejectionTime` is used up, s.
    var rejected = 0.0
    /// The gain of the first samples, 1, 1/2, 1/3 ...: their mean. Zero once the steady gain is
    /// larger.
    var startGain = 1.0
    /// Seconds of undisturbed field in a row.
    var trusted = 0.0
  }

  /// The heading of `attitudeCorrected` relative to `attitude6`.
  struct CorrectedState: Equatable, Sendable {
    var offset = 0.0
    /// `northOffset` less `offset` once it is decided which arbitrary direction X is.
    var origin = 0.0
    var isAnchored = false
  }

  /// Filter coefficients of the intervals seen last. They depend on the past, so they belong to the
  /// state.
  struct Decays: Equatable, Sendable {
    var restRate = ButterworthDecay()
    var restAcceleration = ButterworthDecay()
    var force = ButterworthDecay()
    var field = ButterworthDecay()
    var commotion = ExponentialGain()
    var heading = ExponentialGain()
    var reference = ExponentialGain()
    var corrected = ExponentialGain()
  }
}
