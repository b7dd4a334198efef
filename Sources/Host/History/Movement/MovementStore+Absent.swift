// SPDX-License-Identifier: Apache-2.0

extension MovementStore {
  /// Throws if the program was built without the database.
  package func checkSupport() throws(HistoryError) {
    #if !(History || Tool)
      throw HistoryError(
        .failed, path: path,
        reason: "this program stores none: add the trait History to otolith in its manifest")
    #endif
  }
}

// In a program that is built without the database, the compiler's message says what to do.
#if !(History || Tool)
  public import Foundation

  @available(*, unavailable, message: "name the trait History where the manifest names otolith")
  public typealias MovementWriter = Never

  @available(*, unavailable, message: "name the trait History where the manifest names otolith")
  extension MovementStore {
    public func total(from start: Date, to end: Date) throws(HistoryError) -> MovementTotal {
      MovementTotal(from: start, to: end)
    }
    public func activities(
      from start: Date, to end: Date
    ) throws(HistoryError) -> [RecordedActivity] { [] }
    public func events(from start: Date, to end: Date) throws(HistoryError) -> [RecordedEvent] {
      []
    }
    public func intervals(from start: Date, to end: Date) throws(HistoryError) -> [MovementTotal] {
      []
    }
    public func days(
      from start: Date, to end: Date, calendar: Calendar = .current
    ) throws(HistoryError) -> [MovementTotal] { [] }
    public func summary() throws(HistoryError) -> Summary { Summary() }
    public func erase() throws(HistoryError) {}
  }
#endif
