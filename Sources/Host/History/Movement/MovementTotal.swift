// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Quantities
public import Recognition

/// The counts in an interval.
public struct MovementTotal: Equatable, Sendable {
  /// The counts, in whole millimetres and milliseconds.
  public var counts = MovementCounts()
  /// True where floors were counted within the interval.
  public var hasFloors = false
  /// The part of the interval in which steps were counted.
  public var countedTime = TimeSpan.zero

  public init() {}
}

/// A calendar day.
public struct MovementDay: Equatable, Sendable {
  /// The start of the day, which is not always midnight because of daylight saving time.
  public var start: Date
  /// The start of the next day: 23, 24 or 25 hours later.
  public var end: Date
  public var total: MovementTotal

  public init(start: Date, end: Date, total: MovementTotal) {
    self.start = start
    self.end = end
    self.total = total
  }
}

/// The counts of an interval of about a second on foot.
public struct RecordedMovement: Equatable, Sendable {
  public var start: Date
  public var end: Date
  public var counts = MovementCounts()
}

/// A summary of a store's contents.
public struct MovementSummary: Equatable, Sendable {
  /// The size of the database and SQLite's additional files.
  public var bytes = 0
  /// Seconds on foot, changes of activity, pauses and resumptions.
  public var rows = 0
  /// The start of the stored counts; `nil` where there are no counts.
  public var begin: Date?
  /// The end of the stored counts; `nil` where there are no counts.
  public var end: Date?

  public init() {}
}
