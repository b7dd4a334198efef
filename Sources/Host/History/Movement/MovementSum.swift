// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import Quantities
  internal import Recognition

  /// Sums of integer counts over several boots.
  struct MovementSum {
    private var numbers = [Int64](repeating: 0, count: 5)
    private var countsFloors = false
    private var counted: Int64 = 0

    /// Adds the counts of `boot` between the wall clock readings `start` and `end`.
    mutating func add(
      _ db: borrowing SQLiteConnection, _ boot: MovementBoot, _ start: Int64, _ end: Int64
    ) throws {
      let start = boot.uptime(start)
      let end = boot.uptime(end)
      guard start < end else { return }
      for session in try MovementSession.all(db, boot: boot.id, from: start, to: end) {
        let span = min(session.until, end) - max(session.start, start)
        guard span > 0 else { continue }
        if session.countsSteps { counted = counted.held(adding: span) }
        countsFloors = countsFloors || session.countsFloors
      }
      let whole = try db.rows(
        """
        SELECT sum(steps), sum(distance), sum(activeTime), sum(floorsAscended), sum(floorsDescended)
        FROM walk WHERE boot = \(boot.id) AND until > \(start) AND until <= \(end)
        """
      ) { row in (0..<5).map { row.number($0) } }
      guard let whole = whole.first else { return }
      let before = try Self.part(db, boot.id, start)
      let after = try Self.part(db, boot.id, end)
      for index in numbers.indices {
        let part = whole[index] + after[index] - before[index]
        numbers[index] = numbers[index].held(adding: part)
      }
    }

    /// Returns the proportional counts of the row that contains an uptime, up to it.
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
        // A subtraction could overflow for queries over all time.
        let passed = time > begin ? time - begin : 0
        return (0..<5).map {
          Int64(Int128(row.number($0)) * Int128(min(passed, max(1, span))) / Int128(max(1, span)))
        }
      }
      return parts.first ?? [0, 0, 0, 0, 0]
    }

    var total: MovementTotal {
      var total = MovementTotal()
      total.counts = MovementCounts(numbers)
      total.hasFloors = countsFloors
      total.countedTime = TimeSpan(nanoseconds: counted)
      return total
    }
  }

  extension MovementCounts {
    /// Creates counts from the database's whole steps, millimetres, milliseconds and floors.
    init(_ numbers: [Int64]) {
      self.init()
      steps = Int(numbers[0])
      distance = Double(numbers[1]) / 1000
      activeTime = Double(numbers[2]) / 1000
      floorsAscended = Int(numbers[3])
      floorsDescended = Int(numbers[4])
    }
  }

  extension Int64 {
    /// Returns the sum, saturated.
    fileprivate func held(adding other: Int64) -> Int64 {
      let (sum, overflow) = addingReportingOverflow(other)
      return overflow ? (other > 0 ? .max : .min) : sum
    }
  }
#endif
