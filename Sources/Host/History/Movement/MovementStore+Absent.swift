// SPDX-License-Identifier: Apache-2.0
#if !(History || Tool)
  public import Foundation
  public import Quantities
#endif

extension MovementStore {
  /// Throws where the program was built without the database.
  package func checkSupport() throws(HistoryError) {
    #if !(History || Tool)
      throw absence
    #endif
  }
}

#if !(History || Tool)
  extension MovementStore {
    fileprivate var absence: HistoryError {
      HistoryError(
        .failed, path: path,
        reason: "this program keeps none: name the trait History where its manifest names otolith")
    }

    /// Throws, as this program was built without the database.
    public func erase() throws(HistoryError) { throw absence }
  }

  /// The reader of a store in a program without the database; it cannot be created.
  public struct MovementReader: Sendable {
    public let store: MovementStore
    private let never: Never

    /// Throws, as this program was built without the database.
    public init(_ store: MovementStore, clocks: HostClocks = .system) throws(HistoryError) {
      throw store.absence
    }

    public func total(from start: Date, to end: Date) throws(HistoryError) -> MovementTotal {
      switch never {}
    }

    public func activities(
      from start: Date, to end: Date
    ) throws(HistoryError) -> [RecordedActivity] { switch never {} }

    public func events(from start: Date, to end: Date) throws(HistoryError) -> [RecordedEvent] {
      switch never {}
    }

    public func intervals(
      from start: Date, to end: Date
    ) throws(HistoryError) -> [RecordedMovement] { switch never {} }

    public func days(
      from start: Date, to end: Date, calendar: Calendar = .current
    ) throws(HistoryError) -> [MovementDay] { switch never {} }

    public func summary() throws(HistoryError) -> MovementSummary { switch never {} }
  }

  /// The writer of a store in a program without the database; it cannot be created.
  public struct MovementWriter: ~Copyable, Sendable {
    public let store: MovementStore
    public let retention: TimeSpan
    public let damaged: [String]
    private let never: Never

    /// Throws, as this program was built without the database.
    public init(
      _ store: MovementStore, clocks: HostClocks = .system,
      keeping retention: TimeSpan = .seconds(7 * 86_400)
    ) throws(HistoryError) {
      throw store.absence
    }

    public mutating func append(
      _ entry: MovementEntry, made: ClockReading? = nil
    ) throws(HistoryError) { switch never {} }

    public mutating func close() throws(HistoryError) { switch never {} }
  }
#endif
