// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Quantities

/// The counts within an interval.
public struct MovementTotal: Equatable, Sendable {
  public var steps = 0
  /// Metres on foot, in whole millimetres.
  public var distance = 0.0
  /// Seconds on foot, in whole milliseconds.
  public var activeTime = 0.0
  /// Climbed on foot; `nil` where floors were never counted within the interval.
  public var floorsAscended: Int?
  /// Descended on foot; `nil` as above.
  public var floorsDescended: Int?
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
  public var steps: Int
  /// Metres on foot.
  public var distance: Double
  /// Seconds on foot.
  public var activeTime: Double
  /// Climbed on foot.
  public var floorsAscended: Int
  /// Descended on foot.
  public var floorsDescended: Int
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
