// SPDX-License-Identifier: Apache-2.0

/// The data of the person who carries the device, and the settings for counting and storing their
/// steps.
public struct PedometerSettings: Equatable, Sendable {
  /// The person's height in metres. Default 1.7.
  public var height = 1.7
  /// The ratio of the real distance to the estimated distance, from a calibration walk. Default 1.
  public var distanceScale = 1.0
  /// The name of the chip whose step counter is used; `nil` to detect steps in the samples.
  public var chip: String?
  /// The number of days for which steps, floors and activities are kept. Default 7.
  public var historyDays = 7

  public init() {}
}
