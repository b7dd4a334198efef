// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension MagneticCalibrator {
  /// What the calibrator is told about fields and devices. Nothing depends on a sample rate.
  /// docs/magnetometer.md gives the reason of each default.
  public struct Params: Equatable, Sendable {
    /// Standard deviation of an unknown hard iron, each axis, microtesla. Default 100.
    public var hardIronSigma = 100.0
    /// How far the hard iron walks in one second, microtesla. Default 0.05.
    public var hardIronWalk = 0.05
    /// How far the field of the place walks in one second of a moving device, and seems to by the
    /// drift of the heading, microtesla. Default 0.7.
    public var fieldWalk = 0.7
    /// The least that a field is taken to be off by, each axis, microtesla. Default 1.
    public var fieldNoise = 1.0
    /// The same before anything is known. Default 3.
    public var fieldNoiseAtStart = 3.0
    /// The most that it is taken for: what is further off is not noise but a magnet, or another
    /// device than it was. Default 8.
    public var strongestNoise = 8.0
    /// How many fields taken tell as much as one independent one: neighbours share the place they
    /// were taken at. Default 2.5.
    public var correlation = 2.5
    /// Share of one field in the estimate of that noise. Default 0.005.
    public var levelGain = 0.005
    /// Turn of the device after which its field is taken, rad. Default 10 degrees.
    public var turn = 10 * degree
    /// By how much the measured field must have changed too, microtesla: a heading that drifts is
    /// not a device that turns. Default 3.
    public var change = 3.0
    /// The least time between two fields taken, s. Default 0.1.
    public var spacing: Seconds = 0.1
    /// Delay of the magnetometer behind the attitude that is not known, s: a field taken while
    /// turning counts the less. Default 0.015.
    public var delay = 0.015
    /// By how many standard deviations a direction of the hard iron must differ from what is in
    /// use before any of it is believed. Default 3.
    public var significance = 3.0
    /// Part of that noise, as a standard deviation, that turns with the device and does not average
    /// out. Default 0.4.
    public var systematic = 0.4
    /// How many fields it takes until they were seen at more than one place. Default 10.
    public var firstPlace = 10.0
    /// Over how many fields taken the mean attitude is formed. Default 300.
    public var memory = 300.0
    /// A hard iron of this size along one axis shows that what was believed is wrong altogether,
    /// microtesla. Default 8.
    public var clearIron = 8.0
    /// Standard deviation at which `level` is `hardIron`, microtesla. Default 2.
    public var knownSigma = 2.0

    /// Share of one field in the estimate of how surprising fields are at present. Default 0.1.
    public var surpriseGain = 0.1
    /// How many times larger than expected the squared surprise is when the calibration is in
    /// doubt and a challenger starts. Default 2.5.
    public var surpriseLimit = 2.5
    /// Seconds of turning after which a calibration is trusted to the full. Default 60.
    public var trustTime: Seconds = 60.0
    /// How long a trusted calibration must foresee the field again before it learns from it, s of
    /// turning. Default 5.
    public var calmTime: Seconds = 5.0
    /// For how many seconds of turning a challenger must do better, the least and the most that
    /// trust makes of it. Default 5 and 25.
    public var challengeFirstTime: Seconds = 5.0
    public var challengeTime: Seconds = 25.0
    /// How many times smaller than that of the calibration in doubt a challenger's error must be,
    /// squared. Default 4.
    public var challengeFactor = 4.0
    /// The squared surprise, relative to the expected, at which a challenger itself starts afresh.
    /// Default 8.
    public var challengeSurprise = 8.0
    /// The largest root mean square error, each axis, that a challenger may have, microtesla.
    /// Default 6.
    public var challengeError = 6.0
    /// Seconds of turning between two looks at the calibration, and at the soft iron. Default 1 and
    /// 6.
    public var reviewTime: Seconds = 1.0
    public var shapeReviewTime: Seconds = 6.0
    /// Weakest and strongest field of the Earth, microtesla, with 10 % to spare. Default 20 and 73.
    public var weakestField = 20.0
    public var strongestField = 73.0
    /// Time of turning over which the ellipsoid forgets, s. Default 120.
    public var shapeTime = 120.0
    /// Coverage from which the soft iron is looked for. Default 0.7.
    public var shapeCoverage = 0.7
    /// Standard deviation of the soft iron's six numbers together from which it counts as known.
    /// Default 0.06.
    public var shapeSigma = 0.06
    /// The least that this standard deviation is taken for: fields differ from place to place and
    /// turn with the hand that turns the device. Default 0.02.
    public var shapeFloor = 0.02

    public init() {}
  }
}
