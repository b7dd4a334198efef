// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The movement of a device's bearer since counting began, and their present activity.
public struct Movement: Equatable, Sendable, BitwiseCopyable {
  /// Of the newest sample in it.
  public var timestamp: Timestamp
  public var counts = MovementCounts()
  /// Steps a second; `nil` while there are none.
  public var currentCadence: Scalar?
  /// Seconds a metre; `nil` while there are no steps.
  public var currentPace: Scalar?
  public var activity: ActivityEstimate

  /// Creates a movement in which nothing was counted yet.
  public init(timestamp: Timestamp = .zero) {
    self.timestamp = timestamp
    activity = ActivityEstimate(timestamp: timestamp)
  }
}
