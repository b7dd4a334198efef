// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension MagneticCalibrator {
  /// The calibrator's parameters about fields and devices. Nothing depends on a sample rate.
  /// docs/fusion.md gives the reason of each default.
  public struct Params: Equatable, Sendable {
    /// Standard deviation of an unknown hard iron, each axis, microtesla. Default 100. More than
    /// ten times this cannot come from a device.
    public var hardIronSigma = 100.0
    /// Random walk of the hard iron in one second, microtesla. Default 0.05.
    public var hardIronWalk = 0.05
    /// Standard deviation of each number of an unknown soft iron. Default 0.2.
    public var softIronSigma = 0.2
    /// Random walk of the field of the place in one second of a moving device, and by the drift of
    /// the heading, microtesla. Default 0.7.
    public var fieldWalk = 0.7
    /// Time for which a drift of the heading keeps its rate, before it is learned as a bias, s.
    /// Default 10.
    public var headingDriftTime = 10.0
    /// Least error that a field is assumed to have, each axis, microtesla. Default 1.
    public var fieldNoise = 1.0
    /// Unevenness of the field of a place that is not known yet, each axis, microtesla. A smaller
    /// change of the measured field does not count as a turn, and hard iron with a smaller
    /// uncertainty counts as known. Default 2.
    public var fieldUnevenness = 2.0
    /// The number of fields with the information of one independent field: neighbouring fields
    /// share their place. Default 2.5.
    public var correlation = 2.5
    /// Number of fields taken over which that error and the mean attitude are formed. Default 200.
    public var memory = 200.0
    /// Turn of the device after which its field is taken, rad. Default 10 degrees.
    public var turn = 10 * degree
    /// The least time between two fields taken, s. Default 0.1.
    public var spacing: Seconds = 0.1
    /// Number of standard deviations by which a direction of the hard iron, or the soft iron, must
    /// differ from the one in use before it is used. Default 3.
    public var significance = 3.0
    /// Part of a field's error, as a standard deviation, that turns with the device and does not
    /// average out. Default 0.4.
    public var systematic = 0.4
    /// Share of one field in the mean of the squared errors relative to the expected ones. Default
    /// 0.1.
    public var innovationShare = 0.1
    /// Value of that mean at which the calibration is in doubt and a challenger starts, and ratio
    /// of the squared errors of both from which on the challenger wins. Default 2.5.
    public var innovationLimit = 2.5
    /// Seconds of turning for which a challenger must do better. Default 12.
    public var challengeTime: Seconds = 12.0
    /// Seconds of turning between two reviews of the calibration. Default 1.
    public var reviewTime: Seconds = 1.0
    /// Least step of the hard iron that is published, microtesla, and of the soft iron, by its
    /// effect on the field. Default 0.2.
    public var publishStep = 0.2
    /// Time of turning over which the ellipsoid forgets, s. Default 120.
    public var shapeTime: Seconds = 120.0
    /// Least standard deviation of the soft iron's six numbers together: fields differ from place
    /// to place and turn with the hand that turns the device. Within `significance` of these it is
    /// known. Default 0.02.
    public var shapeFloor = 0.02

    /// Error of a field, each axis, beyond which it is no noise of the place but a magnet or
    /// another device, microtesla.
    var strongestNoise: Scalar { significance * fieldUnevenness }

    /// Creates the defaults.
    public init() {}
  }
}
