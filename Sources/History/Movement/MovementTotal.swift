// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Quantities
public import Recognition

/// The counts within an interval.
public struct MovementTotal: Equatable, Sendable {
  /// In whole millimetres and milliseconds.
  public var counts = MovementCounts()
  /// True where floors were counted at all within the interval.
  public var hasFloors = false
  /// The part of the interval in which steps were counted; zero where never.
  public var countedTime = TimeSpan.zero

  public init() {}
}

/// A day of a calendar.
public struct MovementDay: Equatable, Sendable {
  /// The begin of the day, which need not be at midnight: clocks are set there, too.
  public var start: Date
  /// The begin of the next one: 23, 24 or 25 hours later.
  public var end: Date
  public var total: MovementTotal

  public init(start: Date, end: Date, total: MovementTotal) {
    self.start = start
    self.end = end
    self.total = total
  }
}

/// The record of some second on foot.
public struct RecordedMovement: Equatable, Sendable {
  public var start: Date
  public var end: Date
  public var counts = MovementCounts()
}

/// A summary of a store's contents.
public struct MovementSummary: Equatable, Sendable {
  /// Of the database and what SQLite keeps beside it.
  public var bytes = 0
  /// Seconds on foot, changes of activity, pauses and resumptions.
  public var rows = 0
  /// The begin of the counts that are kept; `nil` where there are none.
  public var begin: Date?
  /// The end of the counts; `nil` as above.
  public var end: Date?

  public init() {}
}
