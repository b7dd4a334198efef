// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import Foundation
  internal import Quantities
  internal import Recognition

  extension MovementTotal {
    /// Sums the counts of `boots` from `start` to `end`. Boots may overlap if a clock was set.
    init(
      from start: Date, to end: Date, in boots: [BootRow], _ db: borrowing SQLiteConnection
    ) throws {
      self.init(from: start, to: end)
      var numbers = [Int64](repeating: 0, count: 5)
      var counted: Int64 = 0
      for boot in boots {
        let start = boot.uptime(start.wall)
        let end = boot.uptime(end.wall)
        guard start < end else { continue }
        for session in try SessionRow.all(db, boot: boot.id, from: start, to: end) {
          let span = min(session.until, end) - max(session.start, start)
          guard span > 0 else { continue }
          if session.countsSteps { counted = counted.held(adding: span) }
          hasFloors = hasFloors || session.countsFloors
        }
        let whole = try db.rows(
          """
          SELECT sum(steps), sum(distance), sum(activeTime), sum(floorsAscended),
            sum(floorsDescended)
          FROM walk WHERE boot = \(boot.id) AND until > \(start) AND until <= \(end)
          """
        ) { row in (0..<5).map { row.number($0) } }
        guard let whole = whole.first else { continue }
        let before = try Self.part(db, boot.id, start)
        let after = try Self.part(db, boot.id, end)
        for index in numbers.indices {
          let part = whole[index] + after[index] - before[index]
          numbers[index] = numbers[index].held(adding: part)
        }
      }
      counts = MovementCounts(numbers)
      countedTime = TimeSpan(nanoseconds: counted)
    }

    /// Returns the proportional part, up to an uptime, of the counts in the database row that
    /// contains this uptime.
    private static func part(
      _ db: borrowing SQLiteConnection, _ boot: Int64, _ time: Int64
    ) throws -> [Int64] {
      let parts = try db.rows(
        """
        SELECT steps, distance, activeTime, floorsAscended, floorsDescended, until, span
        FROM walk WHERE boot = \(boot) AND until > \(time) ORDER BY until LIMIT 1
        """
      ) { row in
        let span = row.number(6)
        let begin = row.number(5) - span
        // For a query over all time a subtraction of times could overflow.
        let passed = time > begin ? time - begin : 0
        return (0..<5).map {
          Int64(Int128(row.number($0)) * Int128(min(passed, max(1, span))) / Int128(max(1, span)))
        }
      }
      return parts.first ?? [0, 0, 0, 0, 0]
    }

    /// Returns the database rows of `boot` that overlap `start` to `end`, in order. Each row covers
    /// about a second of walking.
    static func rows(
      from start: Date, to end: Date, in boot: BootRow, _ db: borrowing SQLiteConnection
    ) throws -> [MovementTotal] {
      let sessions = try SessionRow.all(db, boot: boot.id, from: .min, to: .max)
      return try db.rows(
        """
        SELECT until, span, steps, distance, activeTime, floorsAscended, floorsDescended
        FROM walk
        WHERE boot = \(boot.id) AND until > \(boot.uptime(start.wall))
          AND until - span < \(boot.uptime(end.wall)) ORDER BY until
        """
      ) { row in
        let until = row.number(0)
        let span = row.number(1)
        let session = sessions.last { $0.start < until }
        var total = MovementTotal(from: boot.date(until - span), to: boot.date(until))
        total.counts = MovementCounts((2..<7).map { row.number($0) })
        total.hasFloors = session?.countsFloors ?? false
        if session?.countsSteps ?? false { total.countedTime = TimeSpan(nanoseconds: span) }
        return total
      }
    }
  }

  extension MovementCounts {
    /// Creates counts from the whole steps, millimetres, milliseconds and floors in the database.
    fileprivate init(_ numbers: [Int64]) {
      self.init()
      steps = Int(numbers[0])
      distance = Double(numbers[1]) / 1000
      activeTime = Double(numbers[2]) / 1000
      floorsAscended = Int(numbers[3])
      floorsDescended = Int(numbers[4])
    }
  }

  extension Int64 {
    /// Returns the sum of two counts, limited to the range of 64 bits.
    fileprivate func held(adding other: Int64) -> Int64 {
      let (sum, overflow) = addingReportingOverflow(other)
      return overflow ? (other > 0 ? .max : .min) : sum
    }
  }
#endif
