// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// One degree in radians.
let degree = Scalar.pi / 180

extension FusionEngine {
  /// The engine's parameters about sensors and motion. They do not depend on a sample rate: times
  /// are seconds, noises are densities or standard deviations with their correlation times.
  /// docs/fusion.md gives the reason of each default.
  public struct Params: Equatable, Sendable {
    // MARK: Time

    /// Time between two corrections of the Kalman filter, s; between corrections samples are only
    /// integrated. Default 0.1.
    public var epoch: Seconds = 0.1
    /// Number of accelerations below which an epoch is longer, up to two and a half times as long:
    /// a correction costs as much as ten samples. Default 12.
    public var epochSamples = 12.0
    /// Delay from a motion to the time stamp of the gyroscope's sample that shows it, s: the group
    /// delay of its filters, or half of an interval where samples are means over it. The attitude
    /// is carried forward over it. Default 0.004, that of the low-passes of common parts, which
    /// does not grow when they are read more slowly.
    public var gyroDelay = 0.004
    /// The delay of the accelerometer, likewise, s.
    public var accelerationDelay = 0.004
    /// The initial estimate of the delay of the magnetometer, likewise, s. Default 0.011, half a
    /// conversion of common parts.
    public var magneticDelay = 0.011
    /// Standard deviation of `magneticDelay`, s; zero if the delay is known. Default 0.02.
    public var magneticDelaySigma = 0.02
    /// Pause of a sensor beyond which the quantity it measures is unknown, s. Default 1.
    public var longestGap = 1.0

    // MARK: Motion

    /// The carrier that moves the device. `init(carrier:)` sets the parameters that follow from it.
    public internal(set) var carrier = Carrier.hand

    // MARK: Start

    /// Standard deviation of the tilt that the first acceleration shows, rad, beyond what its norm
    /// shows. Default 5 degrees.
    public var tiltSigmaAtStart = 5 * degree

    // MARK: Gyroscope

    /// True if the gyroscope's bias is learned while moving. Default true.
    public var learnsBiasInMotion = true
    /// True if the gyroscope's bias is learned at rest. Default true.
    public var learnsBiasAtRest = true
    /// Standard deviation of the unknown bias at the start, rad/s. Default 3 degrees/s, the offset
    /// that common parts are sold with.
    public var biasSigmaAtStart = 3 * degree
    /// Random walk of the bias, rad/s in a second; in n seconds the walk is the square root of n
    /// times as large. Default 0.02 degrees/s, by `temperatureWalk` and the 0.05 degrees/s per
    /// kelvin of common parts (LSM6DS3: DocID026899, table 3; ICM-20948: DS-000189, table 1).
    public var biasWalk = 0.02 * degree
    /// Largest bias that is accepted, each axis, rad/s. Default 20 degrees/s, the worst of common
    /// parts.
    public var biasLimit = 20 * degree
    /// Standard deviation of the scale of each axis at the start, before it is learned. Default
    /// 0.015, half of the 3 % of the worst common parts; zero if the scale is known.
    public var gyroScaleSigma = 0.015
    /// Standard deviation of the misalignment of each axis towards each other axis at the start,
    /// rad. Default 0.0125; zero if the misalignment is known.
    public var gyroMisalignmentSigma = 0.0125
    /// Largest ratio of a part's errors to its data sheet. Default 3.
    public var gyroErrorLimit = 3.0
    /// Random walk of each term of the gyroscope's matrix (scale and misalignment) in a second.
    /// Default 0.00004, by `temperatureWalk` and the 0.01 % per kelvin of common parts (LSM6DS3:
    /// DocID026899, table 3; MPU-6050: PS-MPU-6000A-00, 6.1).
    public var gyroMatrixWalk = 0.00004
    /// The range of the gyroscope, rad/s. Default `nil`, not known: the ends of the range are
    /// recognised in the samples.
    public var rotationRateRange: SensorRange?
    /// The share of the gyroscope's range by which the device may turn faster while the gyroscope
    /// is clipped. Default 0.5.
    public var clipShare = 0.5
    /// Change of the rotation rate from one sample to the next, rad/s, that is a fault of the
    /// sensor unless the sample after it agrees. Default 10: a hand gains that in 10 ms at most,
    /// but does not lose it again in another 10.
    public var glitchRate = 10.0
    /// Number of missing samples after which a sensor is silent, and number of exactly equal
    /// samples while the device moves after which a sensor is hung; at least the time of an
    /// `epoch`. Default 5.
    public var silentSamples = 5.0

    // MARK: Accelerometer

    /// Velocity random walk by the noise of the accelerometer, m/s in a second. Default 0.012.
    public var accelerationNoise = 0.012
    /// Random walk of the accelerometer's offset in each axis, g in a second. Default 0.0002, by
    /// `temperatureWalk` and the 0.5 mg per kelvin of common parts (LSM6DS3: DocID026899, table 3;
    /// MPU-6050: PS-MPU-6000A-00, 6.2).
    public var accelerationOffsetWalk = 0.0002
    /// Standard deviation of the accelerometer's offset in each axis at the start, before it is
    /// learned, g. Default 0.0115: up to 20 mg, evenly spread, as common parts are sold. Zero if
    /// the offset is known.
    public var accelerationOffsetSigma = 0.0115
    /// Standard deviation of the accelerometer's scale in each axis at the start. Default 0.0058:
    /// up to 1 %, evenly spread, as common parts are sold. Zero if the scale is known.
    public var accelerationScaleSigma = 0.0058
    /// Standard deviation of each angle by which the accelerometer's axes are not square to one
    /// another or to the device, rad. No motion makes this angle observable, so the uncertainty of
    /// the tilt includes it. Default 0.015: up to 2 % between the axes of common parts and one
    /// degree of mounting, evenly spread. Zero if the angle is known.
    public var accelerationCrossAxisSigma = 0.015
    /// The range of the accelerometer, g, as it reads specific force. Default `nil`, not known: the
    /// ends of the range are recognised in the samples.
    public var accelerationRange: SensorRange?
    /// Least standard deviation of each component of the device's velocity in motion, m/s; a larger
    /// measured speed replaces it. Default 0.2.
    public var velocitySigma = 0.2
    /// Time for which the velocity keeps its direction, s. Default 0.8.
    public var velocityTime = 0.8
    /// Root mean square of the device's own acceleration above which the accelerometer has less
    /// than half its weight, g: sensors clip and rectify. Default 0.95.
    public var transientLimit = 0.95
    /// Time constant with which the device's speed and the lever arm of a swinging arm are learned,
    /// s. Default 6: a hand takes another grip.
    public var velocityTau = 6.0
    /// Time constant of the inclination while no gyroscope reports, s. Default 0.05.
    public var accelerationOnlyTau: Seconds = 0.05

    /// Speed that the device does not exceed, m/s. Half of it is the standard deviation of each
    /// component of a velocity that is not known. Default 2.
    public var speedLimit = 2.0
    /// Accumulated square of the rotation above which random velocities no longer hide a lever arm,
    /// rad^2/s. Default 8.
    public var leverTurning = 8.0
    /// Factor by which the assumption about the vertical velocity has less weight than that about
    /// the horizontal velocity at high acceleration: sensors that clip and rectify change the mean
    /// force's length first. Default 30, at `transientLimit`.
    public var transientVerticalFactor = 30.0
    /// Time constant of the mean specific force that checks the tilt, s: several times
    /// `velocityTime`, so that the accelerations of the carrier cancel. Default 2.
    public var consistencyTime: Seconds = 2.0
    /// Number of standard deviations between the filter's tilt and that of the mean specific force
    /// above which the filter's tilt is wrong. Default 1.5, for the sum of both variances, of which
    /// the larger is an upper bound.
    public var disagreementGate = 1.5
    /// Time for which both tilts must differ by `disagreementGate`, s: longer than an impact.
    /// Default 0.3.
    public var disagreementTime: Seconds = 0.3
    /// Number of times within `refusalTime` that the mean specific force may replace the tilt;
    /// above it the gyroscope is at fault. Default 2.5.
    public var mostTakeovers = 2.5
    /// The least tilt error that indicates a fault of the gyroscope, as a share of the total
    /// rotation since the tilt was last replaced, both directions added. Default 0.1: a gyroscope
    /// that is read by half, or about other axes, is off by half of a turn and more, of which most
    /// cancels on the way back. More than twice the turn is a carrier's push.
    public var refutingShare = 0.1
    /// Time for which a gyroscope that is at fault is not used, s. Default 30.
    public var refusalTime: Seconds = 30

    /// Time constant of the mean specific force against which a vehicle's acceleration is measured,
    /// s. Default 5.
    public var pushTime: Seconds = 5
    /// Time for which a device is assumed to be in a vehicle after its last acceleration, s.
    /// Default 300.
    public var rideTime: Seconds = 300
    /// Tilt of a device in a vehicle above which a hand has picked the device up, rad. Default 30
    /// degrees: no vehicle tilts its load so far.
    public var vehicleTilt = 30 * degree

    // MARK: Rest

    /// Time for which the samples must be quiet before the device counts as resting, s. Default
    /// 1.5.
    public var restTime: Seconds = 1.5
    /// Time for which the samples must be quiet before the rotation rate is used as an observation
    /// of the bias, s. Default 0.4.
    public var quietTime: Seconds = 0.4
    /// Time constant of the averages from which samples must not deviate at rest, s. Default 0.5.
    public var restTau: Seconds = 0.5
    /// Deviation of the rotation rate that ends rest, rad/s. Default 2 degrees/s. A device that
    /// turns faster shows the magnetometer's delay, and whether a field is that of the place.
    public var restRotationRate = 2 * degree
    /// Deviation of the acceleration that ends rest, g. Default 0.05.
    public var restAcceleration = 0.05
    /// Standard deviation of the true rotation rate at rest, or held quietly by a hand, rad/s,
    /// correlated over `restTau`. It also sets the random walk of a moving device's attitude.
    /// Default 0.06 degrees/s, a digit of a 16-bit part at 2000 degrees/s.
    public var biasSigmaAtRest = 0.06 * degree

    /// Time of quiet in one attitude after which gravity gives no more information about the
    /// accelerometer's offset and scale, s. Default 20.
    public var steadyTime: Seconds = 20

    // MARK: Magnetometer

    /// True if the device's own magnetism is learned and subtracted. Default true.
    public var calibratesMagnetometer = true
    /// True if a previously measured hard iron is already subtracted from the fields. The remaining
    /// hard iron is then at most the calibrator's `fieldNoise`, and the first steady field with a
    /// strength of the Earth's is taken for that of the place, even at rest. Default false.
    public var isMagnetometerCalibrated = false
    /// Standard deviation added to that of a hard iron learned in an earlier run, microtesla.
    /// Default 3: a battery may have been changed since.
    public var hardIronSigmaKept = 3.0
    /// Correlation time of the field's unevenness and disturbances in motion, s; also the time
    /// constant of the mean field from which the magnetometer's delay is estimated. Default 3.
    public var headingTime = 3.0
    /// True if deviations of norm and dip reduce the weight of the field's direction. Default true.
    public var rejectsDisturbances = true
    /// Time over which the deviation of norm and dip from the learned ones is averaged, and for
    /// which they must agree with them again after a disturbance, s. Without a gyroscope the
    /// heading's time constant. Default 0.3.
    public var disturbanceTime = 0.3
    /// Time constant with which the learned norm and dip follow the undisturbed field, s. Default
    /// 60.
    public var fieldReferenceTau = 60.0
    /// Relative deviation of the norm, or deviation of the dip in rad, that is a disturbance.
    /// Default 0.1.
    public var fieldTolerance = 0.1
    /// Time for which a steady field that differs from the learned one must be measured, while
    /// turning, before it is accepted, s. Default 20.
    public var fieldNewTime: Seconds = 20.0
    /// The acceptance time of the first field after the start, and the time for which the field
    /// must be undisturbed for a high accuracy, s: longer than a person passes by a piece of iron.
    /// Default 5.
    public var fieldFirstTime: Seconds = 5.0
    /// Time constant with which `attitudeCorrected` follows the magnetometer, s. Default 5.
    public var correctedTau = 5.0
    /// Fastest correction of the heading of `attitudeCorrected`, rad/s. Default 2 degrees/s.
    public var correctedRate = 2 * degree

    /// Random walk of the temperature of a device, K in a second: 4 kelvins in 100 s, as of one
    /// that is taken out of a pocket. Errors that a data sheet gives per kelvin have a random walk
    /// in proportion.
    public static var temperatureWalk: Scalar { 0.4 }

    /// The share of a range by which calibration, through the scale or through either other axis,
    /// may change the samples, and by which noise does not.
    static var calibrationShare: Scalar { 0.01 }

    /// Sets the accelerometer's uncertainties to those after a calibration: 0.9 mg, 0.2 %, 0.12
    /// degrees.
    public mutating func expectCalibratedAccelerometer() {
      accelerationOffsetSigma = 0.0009
      accelerationScaleSigma = 0.002
      accelerationCrossAxisSigma = 0.12 * degree
    }

    /// The share of the newest interval in the mean interval, which is a mean over ten times
    /// `silentSamples`.
    var intervalShare: Scalar { 0.1 / silentSamples }

    /// Creates the defaults.
    public init() {}

    /// The defaults.
    public static var standard: Params { Params() }
  }
}
