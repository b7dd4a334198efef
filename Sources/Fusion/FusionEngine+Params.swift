// SPDX-License-Identifier: Apache-2.0

/// One degree in radians.
let degree = Double.pi / 180

extension FusionEngine {
  /// What the engine is told about sensors and motion. Nothing here depends on a sample rate: time
  /// constants are seconds, and every gain is derived from the time stamps. docs/fusion.md gives
  /// the reason of each default.
  public struct Params: Equatable, Sendable {
    /// Time constant of the inclination correction, s. Default 3.
    public var accelerationTau = 3.0
    /// Time constant of the inclination while no gyroscope reports, s. Default 0.15.
    public var accelerationOnlyTau = 0.1
    /// Time constant of the heading correction, s. Default 15.
    public var magneticTau = 15.0
    /// By how much the gyroscope's samples lag behind its motion, beyond half an interval, s: the
    /// attitude is carried forward over it. Default 0.002, at the short end of the low-pass filters
    /// of common parts.
    public var gyroDelay = 0.002
    /// Whether the gyroscope's bias is learned while moving. Default true.
    public var learnsBiasInMotion = true
    /// Whether the gyroscope's bias is learned at rest. Default true.
    public var learnsBiasAtRest = true
    /// Standard deviation of the unknown bias at the start, rad/s. Default 3 degrees/s, the offset
    /// that common parts are sold with.
    public var biasSigmaAtStart = 3 * degree
    /// The bias walks 0.1 degrees/s in this many seconds. Default 100.
    public var biasForgettingTime = 100.0
    /// The largest bias that is believed, each axis, rad/s. Default 20 degrees/s, the worst of
    /// common parts.
    public var biasLimit = 20 * degree
    /// Standard deviation to which a long motion without rest may settle the bias, rad/s. Default
    /// 0.1 degrees/s.
    public var biasSigmaInMotion = 0.1 * degree
    /// Root mean square of the device's own acceleration from which the bias is learned with less
    /// than half the weight while moving, g, above zero. Default 0.5.
    public var commotionTolerance = 0.5
    /// Share of the motion gain used to pull the bias about the vertical, which gravity cannot see,
    /// towards zero. Default 0.0001.
    public var biasVerticalForgetting = 0.0001
    /// Standard deviation to which a long rest settles the bias, rad/s. Default 0.03 degrees/s.
    public var biasSigmaAtRest = 0.03 * degree
    /// How long it must be quiet to be rest, s. Default 1.5.
    public var restTime = 1.5
    /// Time constant of the averages that rest is judged against, s. Default 0.5.
    public var restTau = 0.5
    /// Deviation of the rotation rate that ends rest, rad/s. Default 2 degrees/s.
    public var restRotationRate = 2 * degree
    /// Deviation of the acceleration that ends rest, g. Default 0.05.
    public var restAcceleration = 0.05
    /// How far the average rotation rate may be from the learned bias, beyond seven standard
    /// deviations, and still be rest, rad/s. Default 1 degree/s, what a change of temperature does.
    public var restBiasMargin = 1 * degree
    /// Whether magnetic disturbances are told from the field of the place and ignored. Default
    /// true.
    public var rejectsDisturbances = true
    /// Time constant of the field's norm and dip before they are compared, s. Default 0.05.
    public var fieldTau = 0.05
    /// Time constant with which the learned norm and dip follow the undisturbed field, s. Default
    /// 20.
    public var fieldReferenceTau = 20.0
    /// Relative deviation of the norm that is a disturbance. Default 0.1.
    public var fieldNormTolerance = 0.1
    /// Deviation of the dip that is a disturbance, rad. Default 10 degrees.
    public var fieldDipTolerance = 10 * degree
    /// How long another steady field must be seen, while turning, to be accepted, s. Default 20.
    public var fieldNewTime = 20.0
    /// The same for the first field after the start, s. Default 5.
    public var fieldFirstTime = 5.0
    /// Rotation rate from which that time counts, rad/s. Default 20 degrees/s: a device that lies
    /// beside a magnet sees a steady field too, one that turns in it does not.
    public var fieldNewRotationRate = 20 * degree
    /// How long the field must agree before it is undisturbed again, s. Default 0.5.
    public var fieldAgreementTime = 0.5
    /// For how long a disturbed field is ignored altogether, s. Default 60.
    public var rejectionTime = 60.0
    /// How many times weaker a disturbed field pulls after that time, and how many times faster
    /// than it is used up that time is earned back. Default 2.
    public var rejectionFactor = 2.0
    /// Time constant with which `attitudeCorrected` follows the magnetometer, s. Default 5.
    public var correctedTau = 5.0
    /// Fastest turn of `attitudeCorrected` that is not the device's own, rad/s. Default 2
    /// degrees/s.
    public var correctedRate = 2 * degree
    /// A pause of the gyroscope longer than this leaves the attitude unknown, s. Default 1.
    public var longestGap = 1.0

    /// The defaults.
    public init() {}

    /// The defaults.
    public static var standard: Params { Params() }
  }
}
