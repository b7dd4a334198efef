// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Reads a store, also while somebody writes, and where nobody does.
public final class MovementReader: Sendable {
  public let store: MovementStore
  private let clocks: HostClocks

  /// A store that was never written is empty. Throws where it cannot be read.
  public init(_ store: MovementStore, clocks: HostClocks = .system) throws(HistoryError) {
    self.store = store
    self.clocks = clocks
  }

  /// The sums from `start` to `end`. Those of adjacent intervals add up to that of both, exactly.
  public func total(from start: Date, to end: Date) throws(HistoryError) -> MovementTotal {
    MovementTotal()
  }

  /// What the bearer did from `start` to `end`, in order: first what they did at `start`, with the date when that began.
  public func activities(from start: Date, to end: Date) throws(HistoryError) -> [RecordedActivity]
  {
    []
  }

  /// Pauses and resumptions after `start`, up to and including `end`, in order.
  public func events(from start: Date, to end: Date) throws(HistoryError) -> [RecordedEvent] { [] }

  /// The days of a calendar that `start` to `end` touches, each as a whole, also those without a step.
  public func days(
    from start: Date, to end: Date, calendar: Calendar = .current
  ) throws(HistoryError) -> [MovementDay] { [] }
}
