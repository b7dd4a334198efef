// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The movement of the person who carries the device since counting began, and the current
/// activity.
public struct Movement: Equatable, Sendable, BitwiseCopyable {
  /// The time of the newest sample that the movement includes.
  public var timestamp: Timestamp
  public var counts = MovementCounts()
  /// The cadence in steps per second; `nil` if there are no steps.
  public var currentCadence: Scalar?
  /// The pace in seconds per metre; `nil` if there are no steps.
  public var currentPace: Scalar?
  public var activity: ActivityEstimate

  /// Creates a movement with all counts zero.
  public init(timestamp: Timestamp = .zero) {
    self.timestamp = timestamp
    activity = ActivityEstimate(timestamp: timestamp)
  }
}
