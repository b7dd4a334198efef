// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Recognition

/// The counts from one moment to the next, about a second later, as a writer is given them.
public struct MovementEntry: Equatable, Sendable {
  /// On the samples' clock, CLOCK_MONOTONIC: where the entry before ended, or where counting began.
  public var begin: Timestamp
  /// On the same clock, not before `begin`.
  public var end: Timestamp
  /// Each 0 and more.
  public var counts = MovementCounts()
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
  public var isEmpty: Bool {
    counts == MovementCounts() && activities.isEmpty && events.isEmpty
  }

  /// Takes in the next entry: one of both.
  package mutating func join(_ next: MovementEntry) {
    end = next.end
    counts += next.counts
    activities += next.activities
    events += next.events
  }
}
