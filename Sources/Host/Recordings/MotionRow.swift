// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// One row of motion: the values at one time, in device axes and Core Motion's units, signs and
/// names; `nil` if not available.
public struct MotionRow: Equatable, Sendable {
  /// The time of the newest sample in the row.
  public var timestamp: Timestamp
  /// Takes device to reference coordinates. The row's angles are computed from it.
  public var attitude: Quaternion?
  /// rad/s, bias removed.
  public var rotationRate: Vector3?
  /// g; the direction in which gravity pulls.
  public var gravity: Vector3?
  /// g, gravity removed.
  public var userAcceleration: Vector3?
  /// Microtesla, the device's own field removed.
  public var magneticField: Vector3?
  /// -1 uncalibrated, 0 low, 1 medium, 2 high.
  public var magneticFieldAccuracy: Int?
  /// Degrees from the north of the reference frame, clockwise, 0 ..< 360.
  public var heading: Double?
  /// kPa.
  public var pressure: Double?
  /// Metres above the first row.
  public var relativeAltitude: Double?
  /// Since the first row.
  public var numberOfSteps: Int?
  /// Metres since the first row.
  public var distance: Double?
  /// Steps a second.
  public var currentCadence: Double?
  /// Seconds a metre.
  public var currentPace: Double?
  /// Since the first row.
  public var floorsAscended: Int?
  /// Since the first row.
  public var floorsDescended: Int?
  /// `stationary`, `walking`, `running`, `cycling`, `automotive` or `unknown`, several joined by
  /// `+`, empty when none holds.
  public var activity: String?
  /// 0 low, 1 medium, 2 high.
  public var activityConfidence: Int?

  /// The newest readings of channels that are not part of motion (`besideChannels`).
  public var beside = ScalarValues()
  public var besideChannels: ChannelSet = []

  /// The uncertainties of the motion; `nil` in files without them.
  package var uncertainty: MotionUncertainty?

  /// Creates a row without values.
  public init(timestamp: Timestamp) { self.timestamp = timestamp }
}
