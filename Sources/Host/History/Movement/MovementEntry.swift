// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Recognition

/// The counts of an interval of about a second, passed to a writer.
public struct MovementEntry: Equatable, Sendable {
  /// The start on CLOCK_MONOTONIC, the samples' clock: the end of the previous entry, or the start
  /// of counting.
  public var begin: Timestamp
  /// The end on the same clock, not before `begin`.
  public var end: Timestamp
  /// The counts, none negative.
  public var counts = MovementCounts()
  /// True if steps were counted: zero steps are meaningful only then.
  public var hasSteps = true
  /// True if floors were counted.
  public var hasFloors = false
  /// The activities detected, in order of detection. Each may have started before `begin`.
  public var activities: [ActivityEstimate] = []
  /// The pauses and resumptions detected.
  public var events: [WalkingEvent] = []
  /// The clocks when the entry became known, for one that waits for the disk: the machine may be
  /// suspended meanwhile. `nil` for one that is written at once.
  public var made: ClockReading?

  /// Creates an empty entry from `begin` to `end`.
  public init(begin: Timestamp, end: Timestamp) {
    self.begin = begin
    self.end = end
  }

  /// True if the entry only shows that counting was active.
  public var isEmpty: Bool {
    counts == MovementCounts() && activities.isEmpty && events.isEmpty
  }

  /// Merges the next entry into this one.
  package mutating func join(_ next: MovementEntry) {
    end = next.end
    counts += next.counts
    activities += next.activities
    events += next.events
  }
}
