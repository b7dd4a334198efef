// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import Foundation
  internal import Quantities

  /// A boot of the machine. Within a boot, the uptime orders all events.
  struct BootRow: Equatable, Sendable {
    var id: Int64
    var identifier: BootIdentifier
    /// The wall clock minus the uptime, in nanoseconds, at the last change of the clock. With this
    /// difference the uptimes of all counts of this boot are converted to dates.
    var offset: Int64
    /// The uptime at which a change of the wall clock was last detected.
    var clockSet: Int64

    /// The largest difference between clocks, in nanoseconds, that is ignored: two readings are
    /// never simultaneous.
    static let tolerance: Int64 = 100_000_000

    static func offset(_ now: ClockReading) -> Int64 {
      now.wall.subtractingReportingOverflow(now.uptime.nanoseconds).partialValue
    }

    /// Updates the difference of wall clock and uptime from the current clocks. Returns true if the
    /// wall clock was set.
    mutating func follow(_ now: ClockReading) -> Bool {
      let shown = Self.offset(now)
      let (step, isFar) = shown.subtractingReportingOverflow(offset)
      guard isFar || step.magnitude > Self.tolerance else { return false }
      offset = shown
      clockSet = now.uptime.nanoseconds
      return true
    }

    /// Returns the time on the wall clock at an uptime, in nanoseconds since 1970.
    func wall(_ uptime: Int64) -> Int64 {
      let (sum, overflow) = uptime.addingReportingOverflow(offset)
      return overflow ? (offset > 0 ? .max : .min) : sum
    }

    /// Returns the uptime at a time of the wall clock, limited to 64 bits, because queries may
    /// cover all time.
    func uptime(_ wall: Int64) -> Int64 {
      let (difference, overflow) = wall.subtractingReportingOverflow(offset)
      return overflow ? (offset > 0 ? .min : .max) : difference
    }

    func date(_ uptime: Int64) -> Date { Date(wall: wall(uptime)) }
  }

  extension BootRow {
    static func all(_ db: borrowing SQLiteConnection) throws -> [BootRow] {
      try db.rows("SELECT id, identifier, wallOffset, clockSet FROM boot ORDER BY id") { row in
        let bytes = row.bytes(1)
        let halves = [bytes.prefix(8), bytes.dropFirst(8)].map {
          $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return BootRow(
          id: row[0], identifier: BootIdentifier(high: halves[0], low: halves[1]),
          offset: row.number(2), clockSet: row.number(3))
      }
    }

    /// Writes this boot to the database, and assigns an ID if the boot has none.
    mutating func write(_ db: borrowing SQLiteConnection) throws {
      let bytes = [identifier.high, identifier.low].flatMap { half in
        (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
      }
      try db.run(
        """
        INSERT INTO boot (id, identifier, wallOffset, clockSet)
        VALUES (\(id == 0 ? .null : .integer(id)), \(bytes), \(offset), \(clockSet))
        ON CONFLICT (id) DO UPDATE SET wallOffset = excluded.wallOffset,
          clockSet = excluded.clockSet
        """)
      if id == 0 { id = db.lastInserted }
    }
  }
#endif
