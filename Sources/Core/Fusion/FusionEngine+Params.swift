// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// One degree in radians.
let degree = Scalar.pi / 180

extension FusionEngine {
  /// The engine's parameters for sensors and motion. They do not depend on a sample rate: times are
  /// in seconds, and noise is given as a density, or as a standard deviation with a correlation
  /// time. docs/fusion.md gives the reason for each default.
  public struct Params: Equatable, Sendable {
    // MARK: Time

    /// Time between two corrections by the Kalman filter, s. Between corrections, samples are only
    /// integrated. Default 0.1.
    public var epoch: Seconds = 0.1
    /// Minimum number of accelerations in an epoch. With fewer, the epoch is extended to at most
    /// two and a half times its length, because a correction takes as much computation as ten
    /// samples. Default 12.
    public var epochSamples = 12.0
    /// Delay from a motion to the time stamp of the gyroscope's sample that shows the motion, s:
    /// the group delay of the gyroscope's filters, or half an interval if each sample is a mean
    /// over the interval. The attitude is extrapolated over this delay. Default 0.004, the delay of
    /// the low-pass filters in common parts; it does not grow if the part is read more slowly.
    public var gyroDelay = 0.004
    /// The delay of the accelerometer, s, defined like `gyroDelay`. Default 0.004.
    public var accelerationDelay = 0.004
    /// The initial estimate of the magnetometer's delay, s, defined like `gyroDelay`. Default
    /// 0.011, half the conversion time of common parts.
    public var magneticDelay = 0.011
    /// Standard deviation of `magneticDelay`, s; zero if the delay is known. Default 0.02.
    public var magneticDelaySigma = 0.02
    /// The longest pause of a sensor, s. After a longer pause the measured quantity is unknown.
    /// Default 1.
    public var longestGap = 1.0

    // MARK: Motion

    /// The carrier that moves the device. `init(carrier:)` sets the parameters that follow from it.
    public internal(set) var carrier = Carrier.hand

    // MARK: Start

    /// Standard deviation of the tilt that the first acceleration gives, rad. The deviation of that
    /// acceleration's norm from 1 g is added. Default 5 degrees.
    public var tiltSigmaAtStart = 5 * degree

    // MARK: Gyroscope

    /// True if the engine learns the gyroscope's bias in motion. Default true.
    public var learnsBiasInMotion = true
    /// True if the engine learns the gyroscope's bias at rest. Default true.
    public var learnsBiasAtRest = true
    /// Standard deviation of the unknown bias at the start, rad/s. Default 3 degrees/s, the offset
    /// of common parts without further calibration.
    public var biasSigmaAtStart = 3 * degree
    /// Random walk of the bias in one second, rad/s; in n seconds it is larger by the square root
    /// of n. Default 0.02 degrees/s, from `temperatureWalk` and the 0.05 degrees/s per kelvin of
    /// common parts (LSM6DS3: DocID026899, table 3; ICM-20948: DS-000189, table 1).
    public var biasWalk = 0.02 * degree
    /// Largest bias of each axis that is accepted, rad/s. Default 20 degrees/s, the worst value of
    /// common parts.
    public var biasLimit = 20 * degree
    /// Standard deviation of the scale error of each axis at the start, before it is learned; zero
    /// if the scale is known. Default 0.015, half of the 3 % of the worst common parts.
    public var gyroScaleSigma = 0.015
    /// Standard deviation of the misalignment of each axis towards each other axis at the start,
    /// rad; zero if the misalignment is known. Default 0.0125.
    public var gyroMisalignmentSigma = 0.0125
    /// Largest ratio of the gyroscope's actual errors to those in its data sheet. Default 3.
    public var gyroErrorLimit = 3.0
    /// Random walk of each element of the gyroscope's matrix (scale and misalignment) in one
    /// second. Default 0.00004, from `temperatureWalk` and the 0.01 % per kelvin of common parts
    /// (LSM6DS3: DocID026899, table 3; MPU-6050: PS-MPU-6000A-00, 6.1).
    public var gyroMatrixWalk = 0.00004
    /// The range of the gyroscope, rad/s. Default `nil` (unknown): the engine then recognises the
    /// ends of the range in the samples.
    public var rotationRateRange: SensorRange?
    /// The rotation rate that the gyroscope may miss while it is clipped, as a share of its range.
    /// Default 0.5.
    public var clipShare = 0.5
    /// Change of the rotation rate from one sample to the next, rad/s, above which the sample is a
    /// fault of the sensor, unless the next sample confirms it. Default 10: a hand gains at most
    /// that much in 10 ms, but does not lose it again in another 10 ms.
    public var glitchRate = 10.0
    /// Number of missing samples after which a sensor counts as silent. Also the number of
    /// identical samples during motion after which a sensor counts as hung. The time is at least
    /// one `epoch`. Default 5.
    public var silentSamples = 5.0

    // MARK: Accelerometer

    /// Velocity random walk caused by the noise of the accelerometer, m/s in one second. Default
    /// 0.012.
    public var accelerationNoise = 0.012
    /// Random walk of the accelerometer's offset in each axis, g in one second. Default 0.0002,
    /// from `temperatureWalk` and the 0.5 mg per kelvin of common parts (LSM6DS3: DocID026899,
    /// table 3; MPU-6050: PS-MPU-6000A-00, 6.2).
    public var accelerationOffsetWalk = 0.0002
    /// Standard deviation of the accelerometer's offset in each axis at the start, before it is
    /// learned, g; zero if the offset is known. Default 0.0115: a uniform distribution up to 20 mg,
    /// as in common parts without further calibration.
    public var accelerationOffsetSigma = 0.0115
    /// Standard deviation of the accelerometer's scale error in each axis at the start; zero if the
    /// scale is known. Default 0.0058: a uniform distribution up to 1 %, as in common parts without
    /// further calibration.
    public var accelerationScaleSigma = 0.0058
    /// Standard deviation of each angle by which the accelerometer's axes deviate from right angles
    /// to one another or to the device, rad; zero if the angle is known. No motion makes this angle
    /// observable, so the uncertainty of the tilt includes it. Default 0.015: a uniform
    /// distribution up to 2 % between the axes of common parts and up to one degree of mounting.
    public var accelerationCrossAxisSigma = 0.015
    /// The range of the accelerometer, g, in terms of specific force. Default `nil` (unknown): the
    /// engine then recognises the ends of the range in the samples.
    public var accelerationRange: SensorRange?
    /// Smallest standard deviation of each component of the device's velocity in motion, m/s. A
    /// larger measured speed replaces it. Default 0.2.
    public var velocitySigma = 0.2
    /// Time for which the velocity keeps its direction, s. Default 0.8.
    public var velocityTime = 0.8
    /// Root mean square of the device's own acceleration, g. Above this value the accelerometer has
    /// less than half its weight, because sensors clip and rectify strong accelerations. Default
    /// 0.95.
    public var transientLimit = 0.95
    /// Time constant for learning the device's speed, and the lever arm of a swinging arm, s.
    /// Default 6, because a hand changes its grip.
    public var velocityTau = 6.0
    /// Time constant of the inclination while there is no gyroscope, s. Default 0.05.
    public var accelerationOnlyTau: Seconds = 0.05

    /// Speed that the device does not exceed, m/s. An unknown velocity has half this value as the
    /// standard deviation of each component. Default 2.
    public var speedLimit = 2.0
    /// Accumulated square of the rotation rate, rad^2/s, above which random velocities no longer
    /// hide a lever arm. Default 8.
    public var leverTurning = 8.0
    /// Factor by which the assumption about the vertical velocity has less weight than that about
    /// the horizontal velocity at high acceleration. Sensors that clip and rectify change the
    /// length of the mean force first. Default 30, which applies at `transientLimit`.
    public var transientVerticalFactor = 30.0
    /// Time constant of the mean specific force that checks the tilt, s. It is several times
    /// `velocityTime`, so that the accelerations of the carrier average out. Default 2.
    public var consistencyTime: Seconds = 2.0
    /// Number of standard deviations by which the filter's tilt may differ from the tilt of the
    /// mean specific force. Above this number the filter's tilt is wrong. Default 1.5, for the sum
    /// of both variances, of which the larger is an upper bound.
    public var disagreementGate = 1.5
    /// Time for which the two tilts must differ by `disagreementGate`, s. It is longer than an
    /// impact. Default 0.3.
    public var disagreementTime: Seconds = 0.3
    /// Number of times within `refusalTime` that the mean specific force may replace the tilt.
    /// Above this number the gyroscope is at fault. Default 2.5.
    public var mostTakeovers = 2.5
    /// The smallest tilt error that indicates a fault of the gyroscope, as a share of the total
    /// rotation since the tilt was last replaced; rotations in both directions are added. Default
    /// 0.1: a gyroscope with half the true scale, or with exchanged axes, is off by half of a turn
    /// or more, most of which cancels on the way back. An error of more than twice the rotation
    /// comes from an acceleration of the carrier.
    public var refutingShare = 0.1
    /// Time for which a gyroscope that is at fault is not used, s. Default 30.
    public var refusalTime: Seconds = 30

    /// Time constant of the mean specific force relative to which a vehicle's acceleration is
    /// measured, s. Default 5.
    public var pushTime: Seconds = 5
    /// Time after a vehicle's last acceleration for which the device is assumed to be in the
    /// vehicle, s. Default 300.
    public var rideTime: Seconds = 300
    /// Tilt of a device in a vehicle above which a hand must have picked up the device, rad.
    /// Default 30 degrees: no vehicle tilts its load by that much.
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
    /// Deviation of the rotation rate that ends rest, rad/s. Faster turns are also fast enough to
    /// show the magnetometer's delay, and whether a field is the local field. Default 2 degrees/s.
    public var restRotationRate = 2 * degree
    /// Deviation of the acceleration that ends rest, g. Default 0.05.
    public var restAcceleration = 0.05
    /// Standard deviation of the true rotation rate of a device at rest, or held still by a hand,
    /// rad/s, with the correlation time `restTau`. This value also sets the random walk of the
    /// attitude in motion. Default 0.06 degrees/s, the quantisation step of a 16-bit part at 2000
    /// degrees/s.
    public var biasSigmaAtRest = 0.06 * degree

    /// Time in one quiet attitude after which gravity gives no more information about the
    /// accelerometer's offset and scale, s. Default 20.
    public var steadyTime: Seconds = 20

    // MARK: Magnetometer

    /// True if the engine learns and subtracts the device's own magnetism. Default true.
    public var calibratesMagnetometer = true
    /// True if the program has already subtracted a measured hard iron from the field measurements.
    /// The remaining hard iron is then at most the calibrator's `fieldNoise`. The first steady
    /// field with a strength that occurs on Earth is accepted as the local field, even at rest.
    /// Default false.
    public var isMagnetometerCalibrated = false
    /// Standard deviation that is added to the uncertainty of a hard iron from an earlier run,
    /// microtesla, because a battery may have been changed. Default 3.
    public var hardIronSigmaKept = 3.0
    /// Correlation time of the field's unevenness and disturbances in motion, s. Also the time
    /// constant of the mean field from which the magnetometer's delay is estimated. Default 3.
    public var headingTime = 3.0
    /// True if deviations of norm and dip reduce the weight of the field's direction. Default true.
    public var rejectsDisturbances = true
    /// Averaging time for the deviation of norm and dip from the learned values, s. After a
    /// disturbance, norm and dip must agree with these values for the same time. Without a
    /// gyroscope this is the time constant of the heading. Default 0.3.
    public var disturbanceTime = 0.3
    /// Time constant with which the learned norm and dip follow the undisturbed field, s. Default
    /// 60.
    public var fieldReferenceTau = 60.0
    /// Relative deviation of the norm, or deviation of the dip in rad, above which the field counts
    /// as disturbed. Default 0.1.
    public var fieldTolerance = 0.1
    /// Time for which a turning device must measure a different steady field before the engine
    /// accepts that field, s. Default 20.
    public var fieldNewTime: Seconds = 20.0
    /// Time after which the first field after the start is accepted, s. Also the time for which the
    /// field must be undisturbed for a high accuracy. It is longer than a person takes to pass a
    /// piece of iron. Default 5.
    public var fieldFirstTime: Seconds = 5.0
    /// Time constant with which the heading of `attitudeCorrected` follows the magnetometer, s.
    /// Default 5.
    public var correctedTau = 5.0
    /// Fastest correction of the heading of `attitudeCorrected`, rad/s. Default 2 degrees/s.
    public var correctedRate = 2 * degree

    /// Random walk of a device's temperature in one second, K: 4 kelvins in 100 s, for example
    /// after the device is taken out of a pocket. Errors that a data sheet gives per kelvin have a
    /// proportional random walk.
    public static var temperatureWalk: Scalar { 0.4 }

    /// Sets the uncertainties of the accelerometer to values after a calibration: 0.9 mg, 0.2 %,
    /// 0.12 degrees.
    public mutating func expectCalibratedAccelerometer() {
      accelerationOffsetSigma = 0.0009
      accelerationScaleSigma = 0.002
      accelerationCrossAxisSigma = 0.12 * degree
    }

    /// The weight of the newest interval in the mean interval, which extends over ten times
    /// `silentSamples`.
    var intervalShare: Scalar { 0.1 / silentSamples }

    /// Creates the default parameters.
    public init() {}

    /// The default parameters.
    public static var standard: Params { Params() }
  }
}
