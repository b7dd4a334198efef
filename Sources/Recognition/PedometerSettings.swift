// SPDX-License-Identifier: Apache-2.0

/// The facts of the person who carries the device, and how their steps are counted and
/// kept.
public struct PedometerSettings: Equatable, Sendable {
  /// Of the person, metres. Default 1.7.
  public var height = 1.7
  /// Metres walked for each metre counted. Default 1.
  public var distanceScale = 1.0
  /// The chip that counts steps by itself; `nil`: they are found in the samples.
  public var chip: String?
  /// The number of days that steps, floors and activities are kept. Default 7.
  public var historyDays = 7

  public init() {}
}
