// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Quantities
public import Recognition

/// The counts of an interval: the interval of a query, a calendar day or a second.
public struct MovementTotal: Equatable, Sendable {
  public var start: Date
  public var end: Date
  /// The counts of the interval, in whole millimetres and milliseconds if the counts are stored.
  public var counts = MovementCounts()
  /// True if floors were counted within the interval.
  public var hasFloors = false
  /// The part of the interval in which steps were counted.
  public var countedTime = TimeSpan.zero

  /// Creates a total whose counts are zero.
  public init(from start: Date, to end: Date) {
    self.start = start
    self.end = end
  }
}
