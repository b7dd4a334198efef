// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The constants of all groups and the reasons for their values. None depends on a sample rate.
enum GroupParams {
  /// Two sensors differ too much if the square of their difference exceeds this multiple of its
  /// variance: six standard deviations. Noise of healthy sensors exceeds this gate once in ten
  /// million samples (chi-square distribution with three degrees of freedom).
  static var gate: Scalar { 36 }
  /// The number of successive samples with a difference beyond `gate` after which a sensor is
  /// judged. A single such sample is a glitch.
  static var suspicions: UInt8 { 2 }
  /// The number of successive samples with a difference beyond `gate` after which a member counts
  /// in the combined value again if nothing shows which sensor is wrong.
  static var openSuspicions: UInt8 { 4 }
  /// While a sample of the member that leads is in doubt, the other members' values replace it, for
  /// at most this number of successive samples. Eight samples are two intervals of a member at a
  /// quarter of the lead's rate.
  static var heldSamples: UInt8 { 8 }
  /// The minimum time over which the integrals of two members are compared, s: the epoch of fusion,
  /// which only integrates within an epoch. `blockSamples` makes the time longer for slow sensors.
  static var block: Scalar { 0.1 }
  /// The weight of the newest block in the mean difference that finds slow errors below the noise.
  /// The mean covers about one second if a block lasts `block`. Within one second, an error of a
  /// few degrees/s turns the attitude by only a few degrees.
  static var driftShare: Scalar { 0.1 }
  /// The minimum number of samples of the slowest member over which integrals are compared.
  static var blockSamples: Scalar { 5 }
  /// The share of the backlog that each value makes up for. The backlog is the integral that is
  /// still missing from earlier values. At this share it is spread over about five values, so the
  /// corrections add only a ninth of the variance of a correction to the variance of a value.
  static var backlogShare: Scalar { 0.2 }
  /// The weight of the newest change in the mean slope. Values are extrapolated by this slope to
  /// the time of the leading member's sample. Extrapolation by one interval then adds about a fifth
  /// of the noise of one value.
  static var slopeShare: Scalar { 0.2 }
  /// The number of intervals without a sample after which a sensor is silent. Fusion uses the same
  /// number.
  static var silentIntervals: Scalar { 5 }
  /// The number of successive repeats of a value, equal to the last bit, after which an axis is
  /// frozen. This applies if the noise of the sensor is at least half its quantisation step: then
  /// an axis repeats its value by chance with a probability of at most about one half.
  static var repeats: UInt16 { 24 }
  /// The number of successive repeats on all axes after which a sensor counts as frozen while it
  /// disagrees with another sensor.
  static var repeatsInDispute: UInt16 { 2 }
  /// A sensor is noisy if its noise variance exceeds this multiple of the variance in its traits:
  /// four times the standard deviation.
  static var noisy: Scalar { 16 }
  /// Before another member takes over from the member that leads, the group allows the lead's next
  /// sample to be late by this multiple of the lead's recent maximum lateness. The factor is above
  /// 1 because the batches of two chips drift against each other, so lateness can still grow.
  static var latenessMargin: Scalar { 1.25 }
  /// A squared change of slope counts as a jump if it exceeds this multiple of its usual mean.
  static var jump: Scalar { 6 }
  /// Squared changes of slope are limited to this multiple of their mean before they are averaged.
  /// At 200 Hz, one change at the limit, as in a glitch, increases the mean by only half.
  /// Continuous vibration at the limit still increases the mean tenfold within 0.1 s.
  static var shock: Scalar { 100 }
  /// A sensor is noisy only if the noise variance of its differences from another sensor exceeds
  /// this multiple of the other sensor's own noise variance. Otherwise, vibration that shakes both
  /// sensors can be the cause.
  static var noisier: Scalar { 4 }
  /// The time for which a sensor must agree with the leading member before it is used again, s,
  /// after its first fault. Each further fault doubles the time, up to `longestPause`.
  static var firstPause: Scalar { 0.5 }
  static var longestPause: Scalar { 64 }
  /// The time over which noise is averaged, and over which maximum lateness and counts of glitches
  /// decay, s.
  static var memory: Scalar { 1 }
  /// The smallest standard deviation of the time difference between two members, s, because time
  /// stamps of interrupt edges and FIFOs are not more exact.
  static var advanceSigma: Scalar { 0.000_2 }
  /// The time over which usual lateness is averaged, s. It is longer than any delay of a reader, so
  /// a single delay hardly changes the average.
  static var usualTime: Scalar { 30 }
  /// The time over which the norm of a magnetic field is averaged, s. Fusion uses the same time for
  /// the unevenness of the field.
  static var normTime: Scalar { 3 }
  /// The number of recent glitches above which a sensor is left out. The count decays over
  /// `memory`.
  static var mostGlitches: Scalar { 3 }
  /// A member takes the lead if its waiting time (see `SensorMember.wait`) is below this multiple
  /// of the present lead's waiting time. If the member samples less often than the lead, the square
  /// of this ratio applies; if it samples more often, the inverse.
  static var hysteresis: Scalar { 0.6 }
  /// A member samples more often than another if the ratio of their intervals is below this value.
  /// A smaller difference can come from the oscillators of the two chips, each of which is off by
  /// up to 5 %.
  static var moreOften: Scalar { 0.9 }
  /// The share of an interval by which a sample may be late, because clocks differ by 1 % and
  /// interrupt edges have jitter.
  static var jitter: Scalar { 0.02 }
}

/// The properties of a channel that no data sheet gives, in the channel's unit.
struct ChannelParams: Sendable {
  /// The standard deviation of the offset's drift within one second. It is the drift of common
  /// parts when the temperature changes by 0.04 kelvins, as it does within one second when a device
  /// is taken out of a pocket.
  let offsetWalk: Scalar
  /// A typical value at rest, used to convert scale and cross-axis errors to an offset.
  let typical: Scalar
  /// The largest plausible value.
  let limit: Scalar

  static func params(of channel: Channel) -> ChannelParams {
    switch channel {
    // The drift is 0.05 degrees/s per kelvin.
    case .rotationRate:
      ChannelParams(
        offsetWalk: 0.002 * degree, typical: 0, limit: 1000)
    // The drift is 0.5 mg per kelvin.
    case .acceleration:
      ChannelParams(offsetWalk: 0.00002, typical: 1, limit: 1000)
    // The drift comes from the magnetic field of currents on the board.
    case .magneticField:
      ChannelParams(offsetWalk: 0.02, typical: 50, limit: 10_000)
    // The drift is 1 Pa per kelvin.
    default: ChannelParams(offsetWalk: 0.00004, typical: 0, limit: 200)
    }
  }

  /// The standard deviation of the drift of each matrix element within one second. It follows from
  /// the same change of temperature, at 0.01 % per kelvin.
  static var matrixWalk: Scalar { 0.000_004 }
}
