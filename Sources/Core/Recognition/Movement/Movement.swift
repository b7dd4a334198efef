// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The movement of a device's bearer since counting began, with the current activity.
public struct Movement: Equatable, Sendable, BitwiseCopyable {
  /// The time of the newest sample.
  public var timestamp: Timestamp
  public var counts = MovementCounts()
  /// Steps per second; `nil` without steps.
  public var currentCadence: Scalar?
  /// Seconds per metre; `nil` without steps.
  public var currentPace: Scalar?
  public var activity: ActivityEstimate

  /// Creates a movement without counts.
  public init(timestamp: Timestamp = .zero) {
    self.timestamp = timestamp
    activity = ActivityEstimate(timestamp: timestamp)
  }
}
