// SPDX-License-Identifier: Apache-2.0

/// What a board file says of whoever carries the board, and of how their steps are counted and kept.
public struct PedometerSettings: Equatable, Sendable {
  /// Of the person, metres. Default 1.7.
  public var height = 1.7
  /// Metres walked for each metre counted. Default 1.
  public var distanceScale = 1.0
  /// The chip that counts steps by itself; `nil`: they are found in the samples.
  public var chip: String?
  /// How many days steps, floors and activities are kept. Default 7.
  public var historyDays = 7

  public init() {}
}
