// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Recognition

/// The counts from one moment to the next, about a second later, as a writer is given them.
public struct MovementEntry: Equatable, Sendable {
  /// On the samples' clock, CLOCK_MONOTONIC: where the entry before ended, or where counting began.
  public var begin: Timestamp
  /// On the same clock, not before `begin`.
  public var end: Timestamp
  /// 0 and more.
  public var steps = 0
  /// Metres on foot, 0 and more.
  public var distance = 0.0
  /// Seconds on foot, 0 and more.
  public var activeTime = 0.0
  /// Climbed on foot, 0 and more.
  public var floorsAscended = 0
  /// Descended on foot, 0 and more.
  public var floorsDescended = 0
  /// True where steps were counted at all: zero steps mean something only then.
  public var hasSteps = true
  /// True where floors were counted at all.
  public var hasFloors = false
  /// The activities that became known, in the order in which they did. Each may have begun before
  /// `begin`.
  public var activities: [ActivityEstimate] = []
  /// The pauses and resumptions that became known.
  public var events: [WalkingEvent] = []

  /// Nothing, from `begin` to `end`.
  public init(begin: Timestamp, end: Timestamp) {
    self.begin = begin
    self.end = end
  }

  /// True where it says no more than that movement was being counted.
  public var isEmpty: Bool { !isMoving && activities.isEmpty && events.isEmpty }

  /// True where there is something to sum.
  var isMoving: Bool {
    steps > 0 || distance > 0 || activeTime > 0 || floorsAscended > 0 || floorsDescended > 0
  }
}
