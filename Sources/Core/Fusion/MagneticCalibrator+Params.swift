// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension MagneticCalibrator {
  /// The calibrator's parameters about fields and devices. Nothing depends on a sample rate.
  /// docs/fusion.md gives the reason of each default.
  public struct Params: Equatable, Sendable {
    /// Standard deviation of an unknown hard iron, each axis, microtesla. Default 100. A field of
    /// more than ten times this value is not used.
    public var hardIronSigma = 100.0
    /// Random walk of the hard iron in one second, microtesla. Default 0.05.
    public var hardIronWalk = 0.05
    /// Standard deviation of each number of an unknown soft iron. Default 0.2.
    public var softIronSigma = 0.2
    /// Random walk of the field of the place in one second, because the device moves and the
    /// heading drifts, microtesla. Default 0.7.
    public var fieldWalk = 0.7
    /// Correlation time of the heading's drift rate, until that rate is learned as gyroscope bias,
    /// s. Default 10.
    public var headingDriftTime = 10.0
    /// Least standard deviation of a field's error, each axis, microtesla. Default 1.
    public var fieldNoise = 1.0
    /// Initial standard deviation of the field from place to place, each axis, microtesla. A
    /// smaller change of the measured field does not count as a turn, and hard iron with a smaller
    /// uncertainty counts as known. Default 2.
    public var fieldUnevenness = 2.0
    /// The number of fields with the information of one independent field: fields measured next to
    /// each other share the unevenness of the place. Default 2.5.
    public var correlation = 2.5
    /// Number of fields over which the fields' error and the mean attitude are averaged. Default
    /// 200.
    public var memory = 200.0
    /// Rotation of the device after which the filter takes the next field, rad. Default 10 degrees.
    public var turn = 10 * degree
    /// The least time between two fields that the filter takes, s. Default 0.1.
    public var spacing: Seconds = 0.1
    /// Gate for publishing a new estimate: the number of standard deviations by which hard iron, in
    /// one direction, or soft iron must differ from the calibration in use. Default 3.
    public var significance = 3.0
    /// Part of a field's error, as a standard deviation, that turns with the device and does not
    /// average out. Default 0.4.
    public var systematic = 0.4
    /// Weight of one field in the running mean of the normalised squared innovations. Default 0.1.
    public var innovationShare = 0.1
    /// Value of the mean normalised squared innovation at which the calibration is in doubt and a
    /// challenging filter starts; also the ratio of both filters' squared innovations above which
    /// the challenging filter replaces the one in use. Default 2.5.
    public var innovationLimit = 2.5
    /// Seconds of turning for which a challenging filter must explain the fields better. Default
    /// 12.
    public var challengeTime: Seconds = 12.0
    /// Seconds of turning between two publications of the calibration. Default 1.
    public var reviewTime: Seconds = 1.0
    /// Least change of the hard iron that is published, and of the soft iron by its effect on the
    /// field, microtesla. Default 0.2.
    public var publishStep = 0.2
    /// Time of turning after which the ellipsoid fit discards old fields, s. Default 120.
    public var shapeTime: Seconds = 120.0
    /// Least standard deviation of the soft iron's six numbers together: fields differ from place
    /// to place and turn with the hand that turns the device. A soft iron whose standard deviation
    /// is below `significance` times this counts as known. Default 0.02.
    public var shapeFloor = 0.02

    /// Innovation of a field, each axis, above which the cause is not noise but a magnet or a
    /// changed device, microtesla.
    var strongestNoise: Scalar { significance * fieldUnevenness }

    /// Creates the defaults.
    public init() {}
  }
}
