// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension MagneticCalibrator {
  /// The calibrator's parameters for magnetic fields and for devices. None of them depends on a
  /// sample rate. docs/fusion.md gives the reason for each default.
  public struct Params: Equatable, Sendable {
    /// Standard deviation of an unknown hard iron in each axis, microtesla. A measured field of
    /// more than ten times this value is not used. Default 100.
    public var hardIronSigma = 100.0
    /// Random walk of the hard iron in one second, microtesla. Default 0.05.
    public var hardIronWalk = 0.05
    /// Standard deviation of each element of an unknown soft iron matrix. Default 0.2.
    public var softIronSigma = 0.2
    /// Random walk of the local field in one second, microtesla. The field changes because the
    /// device moves and the heading drifts. Default 0.7.
    public var fieldWalk = 0.7
    /// Correlation time of the rate at which the heading drifts until that rate is learned as
    /// gyroscope bias, s. Default 10.
    public var headingDriftTime = 10.0
    /// Smallest standard deviation of the error of a field measurement in each axis, microtesla.
    /// Default 1.
    public var fieldNoise = 1.0
    /// Initial standard deviation of the variation of the field from place to place, in each axis,
    /// microtesla. A smaller change of the measured field does not count as a turn. Hard iron with
    /// a smaller standard deviation counts as known. Default 2.
    public var fieldUnevenness = 2.0
    /// The number of field measurements that together contain the information of one independent
    /// measurement: measurements taken close together share the field's local unevenness. Default
    /// 2.5.
    public var correlation = 2.5
    /// Number of field measurements over which the measurement error and the mean attitude are
    /// averaged. Default 200.
    public var memory = 200.0
    /// Rotation of the device after which the filter uses the next field measurement, rad. Default
    /// 10 degrees.
    public var turn = 10 * degree
    /// Smallest time between two field measurements that the filter uses, s. Default 0.1.
    public var spacing: Seconds = 0.1
    /// Threshold for publishing a new estimate: the number of standard deviations by which the hard
    /// iron in one direction, or the soft iron, must differ from the calibration in use. Default 3.
    public var significance = 3.0
    /// The part of the field measurement's error that turns with the device and does not average
    /// out, as a fraction of its standard deviation. Default 0.4.
    public var systematic = 0.4
    /// Weight of one field measurement in the running mean of the normalised squared innovations.
    /// Default 0.1.
    public var innovationShare = 0.1
    /// Mean normalised squared innovation at which the calibration counts as inconsistent, so that
    /// a challenging filter starts. Also the ratio of the squared innovations of both filters above
    /// which the challenging filter replaces the one in use. Default 2.5.
    public var innovationLimit = 2.5
    /// Turning time for which a challenging filter must explain the field measurements better
    /// before it replaces the filter in use, s. Default 12.
    public var challengeTime: Seconds = 12.0
    /// Turning time between two publications of the calibration, s. Default 1.
    public var reviewTime: Seconds = 1.0
    /// Smallest change of the hard iron that is published, microtesla. For the soft iron, the
    /// effect of the change on the field counts. Default 0.2.
    public var publishStep = 0.2
    /// Turning time after which the ellipsoid fit discards old field measurements, s. Default 120.
    public var shapeTime: Seconds = 120.0
    /// Smallest standard deviation of the six elements of the soft iron together. It is not zero,
    /// because the field differs from place to place, and a hand that turns the device also moves
    /// it. Soft iron counts as known if its standard deviation is below `significance` times this
    /// value. Default 0.02.
    public var shapeFloor = 0.02

    /// Innovation of a field measurement in each axis, microtesla, above which the cause is not
    /// noise but a magnet or a changed device.
    var strongestNoise: Scalar { significance * fieldUnevenness }

    /// Creates the default parameters.
    public init() {}
  }
}
