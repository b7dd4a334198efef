// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Recognition

/// The counts of an interval of about a second, which are passed to a writer.
public struct MovementEntry: Equatable, Sendable {
  /// The start of the interval on CLOCK_MONOTONIC, the clock of samples. The start is the end of
  /// the previous entry, or the start of counting.
  public var begin: Timestamp
  /// The end of the interval on CLOCK_MONOTONIC, at or after `begin`.
  public var end: Timestamp
  /// The entry's counts, which are never negative.
  public var counts = MovementCounts()
  /// True if steps were counted. Only then do zero steps mean that no step was taken.
  public var hasSteps = true
  /// True if floors were counted.
  public var hasFloors = false
  /// The activities that were detected, in the order of detection. Each may have started before
  /// `begin`.
  public var activities: [ActivityEstimate] = []
  /// The pauses and resumptions of walking that were detected.
  public var events: [WalkingEvent] = []
  /// The readings of the clocks when the entry became known; `nil` if the entry is written
  /// immediately. These readings are needed for an entry that waits for the disk, because the
  /// machine may sleep meanwhile.
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
