// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A row of motion: the values at one time, in device axes and with Core Motion's units, signs and
/// names. A value that is not available is `nil`.
public struct MotionRow: Equatable, Sendable {
  /// The time of the newest sample in the row.
  public var timestamp: Timestamp
  /// The rotation from device to reference coordinates. The angles in the row are computed from
  /// this rotation.
  public var attitude: Quaternion?
  /// The rotation rate in rad/s, without the gyroscope's bias.
  public var rotationRate: Vector3?
  /// Gravity in g; the vector points in the direction in which gravity pulls.
  public var gravity: Vector3?
  /// The acceleration in g, without gravity.
  public var userAcceleration: Vector3?
  /// The magnetic field in microtesla, without the field of the device itself.
  public var magneticField: Vector3?
  /// The accuracy of the magnetic field: -1 uncalibrated, 0 low, 1 medium, 2 high.
  public var magneticFieldAccuracy: Int?
  /// The heading in degrees, 0 ..< 360, clockwise from the north of the reference frame.
  public var heading: Double?
  /// The air pressure in kPa.
  public var pressure: Double?
  /// The altitude in metres relative to the first row.
  public var relativeAltitude: Double?
  /// The number of steps since the first row.
  public var numberOfSteps: Int?
  /// The distance walked since the first row, in metres.
  public var distance: Double?
  /// The cadence in steps per second.
  public var currentCadence: Double?
  /// The pace in seconds per metre.
  public var currentPace: Double?
  /// The number of floors climbed since the first row.
  public var floorsAscended: Int?
  /// The number of floors descended since the first row.
  public var floorsDescended: Int?
  /// The activity: `stationary`, `walking`, `running`, `cycling`, `automotive` or `unknown`.
  /// Several are joined by `+`; the text is empty if none applies.
  public var activity: String?
  /// The confidence of the activity: 0 low, 1 medium, 2 high.
  public var activityConfidence: Int?

  /// The latest readings of channels that are not part of motion (`auxiliaryChannels`).
  public var auxiliary = ScalarValues()
  public var auxiliaryChannels: ChannelSet = []

  /// The uncertainties of the motion; `nil` in files without them.
  package var uncertainty: MotionUncertainty?

  /// Creates a row that has no values.
  public init(timestamp: Timestamp) { self.timestamp = timestamp }
}
