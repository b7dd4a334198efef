// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import LinuxSystem
internal import Logging
internal import Quantities

#if History || Tool
  extension MovementJournal {
    /// Tries to write the waiting entries to the disk.
    mutating func write() {
      guard !waiting.isEmpty, let store, monotonicNow() >= nextAttempt else { return }
      do throws(HistoryError) {
        if writer == nil {
          writer = try MovementWriter(store, keeping: retention)
        }
        isAnothers = false
        while let next = waiting.first {
          try writer?.append(next)
          waiting.removeFirst()
          for path in writer?.damaged.dropFirst(damagedSeen) ?? [] {
            logger.warning("history is damaged and was moved aside: \(path)")
            damagedSeen += 1
          }
        }
        failures.note(nil)
      } catch {
        // If this process itself holds the lock, one of its other writers is just closing.
        if case .inUse(let process) = error.kind, process != getpid() {
          isAnothers = true
          waiting.removeAll()
        }
        nextAttempt = monotonicNow() + (writer == nil ? .seconds(5) : .zero)
        failures.note(error.description)
      }
    }

    /// Writes the waiting entries, and closes the writer.
    mutating func close() {
      nextAttempt = .zero
      write()
      guard var open = writer.take() else { return }
      do throws(HistoryError) { try open.close() } catch { failures.note(error.description) }
    }

    func storedTotal(from start: Date, to end: Date) throws(HistoryError) -> MovementTotal? {
      try store?.total(from: start, to: end)
    }

    func storedActivities(
      from start: Date, to end: Date
    ) throws(HistoryError) -> [RecordedActivity] {
      try store?.activities(from: start, to: end) ?? []
    }
  }

  private let logger = Logger(label: "otolith.movement")
#else
  /// If the program is built without the database, all entries stay in memory.
  extension MovementJournal {
    mutating func write() {}

    mutating func close() {}

    func storedTotal(from start: Date, to end: Date) throws(HistoryError) -> MovementTotal? { nil }

    func storedActivities(from start: Date, to end: Date) throws(HistoryError) -> [RecordedActivity]
    { [] }
  }
#endif
