// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension MagneticCalibrator {
  /// The calibrator's parameters about fields and devices. Nothing depends on a sample rate.
  /// docs/magnetometer.md gives the reason of each default.
  public struct Params: Equatable, Sendable {
    /// Standard deviation of an unknown hard iron, each axis, microtesla. Default 100.
    public var hardIronSigma = 100.0
    /// Random walk of the hard iron in one second, microtesla. Default 0.05.
    public var hardIronWalk = 0.05
    /// Random walk of the field of the place in one second of a moving device, and by the drift of
    /// the heading, microtesla. Default 0.7.
    public var fieldWalk = 0.7
    /// Least error that a field is assumed to have, each axis, microtesla. Default 1.
    public var fieldNoise = 1.0
    /// The same error before anything is known. Default 3.
    public var fieldNoiseAtStart = 3.0
    /// Largest error that is taken for noise: a field further off is not noise but a magnet, or a
    /// device that has changed. Default 8.
    public var strongestNoise = 8.0
    /// Number of fields taken that tell as much as one independent one: neighbours share the place
    /// they were taken at. Default 2.5.
    public var correlation = 2.5
    /// Share of one field in the estimate of that noise. Default 0.005.
    public var levelGain = 0.005
    /// Turn of the device after which its field is taken, rad. Default 10 degrees.
    public var turn = 10 * degree
    /// Change that the measured field must show too, microtesla: a heading that drifts is not a
    /// device that turns. Default 3.
    public var change = 3.0
    /// The least time between two fields taken, s. Default 0.1.
    public var spacing: Seconds = 0.1
    /// Delay of the magnetometer behind the attitude that is not known, s: a field taken while
    /// turning counts the less. Default 0.015.
    public var delay = 0.015
    /// Number of standard deviations by which a direction of the hard iron must differ from the one
    /// in use before any of it is believed. Default 3.
    public var significance = 3.0
    /// Part of that noise, as a standard deviation, that turns with the device and does not average
    /// out. Default 0.4.
    public var systematic = 0.4
    /// Number of fields after which they were seen at more than one place. Default 10.
    public var firstPlace = 10.0
    /// Number of fields taken over which the mean attitude is formed. Default 300.
    public var memory = 300.0
    /// Hard iron along one axis that shows that the former belief is wrong altogether, microtesla.
    /// Default 8.
    public var clearIron = 8.0
    /// Standard deviation at which `level` is `hardIron`, microtesla. Default 2.
    public var knownSigma = 2.0

    /// Share of one field in the estimate of the present surprise at fields. Default 0.1.
    public var surpriseGain = 0.1
    /// Ratio of the squared surprise to the expected one at which the calibration is in doubt and a
    /// challenger starts. Default 2.5.
    public var surpriseLimit = 2.5
    /// Seconds of turning after which a calibration is trusted to the full. Default 60.
    public var trustTime: Seconds = 60.0
    /// Time for which a trusted calibration must foresee the field again before it learns from it,
    /// s of turning. Default 5.
    public var calmTime: Seconds = 5.0
    /// Seconds of turning for which a challenger must do better, the least and the most that trust
    /// makes of it. Default 5 and 12.
    public var challengeFirstTime: Seconds = 5.0
    public var challengeTime: Seconds = 12.0
    /// Ratio of the squared error of the calibration in doubt to that of a challenger from which on
    /// the challenger wins. Default 4.
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
    /// Least value that this standard deviation is taken for: fields differ from place to place and
    /// turn with the hand that turns the device. Default 0.02.
    public var shapeFloor = 0.02

    public init() {}
  }
}
