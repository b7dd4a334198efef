// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import Foundation
  internal import Quantities
  internal import Recognition

  /// The person's activities over time. Sessions are added from the newest to the oldest, and each
  /// counts only at times that no later session covers.
  struct ActivityTimeline {
    /// The start of the timeline on the wall clock in nanoseconds since 1970, like all times in
    /// this type.
    private let start: Int64
    private let end: Int64
    /// The time intervals that sessions already cover.
    private var taken: [(start: Int64, end: Int64)] = []
    private var pieces: [Piece] = []
    /// The end of the last session before the timeline.
    private var before: Int64?

    private struct Piece {
      var start: Int64
      var end: Int64
      var activities: ActivitySet
      var confidence: ActivityConfidence
    }

    init(from start: Int64, to end: Int64) {
      self.start = start
      self.end = end
    }

    /// Adds the sessions of `boot`, which is earlier than the boots added before.
    mutating func add(_ db: borrowing SQLiteConnection, _ boot: BootRow, _ clocks: HostClocks)
      throws
    {
      let first = boot.uptime(start)
      let last = boot.uptime(end)
      let ended = try db.number(
        "SELECT max(until) FROM session WHERE boot = \(boot.id) AND until < \(first)")
      if let ended { before = max(before ?? .min, boot.wall(ended)) }
      for var session in try SessionRow.all(db, boot: boot.id, from: .min, to: last).reversed() {
        // In the database, the mark of an active counter may be a little more than a minute old.
        let now = clocks.now().uptime.nanoseconds
        let lag = 2 * MovementWriter.alive.nanoseconds
        if !session.isClosed, boot.identifier == clocks.boot,
          (0..<lag).contains(now - session.until)
        {
          session.until = now
        }
        if session.until >= first { try add(db, boot, session, first) }
      }
    }

    private mutating func add(
      _ db: borrowing SQLiteConnection, _ boot: BootRow, _ session: SessionRow,
      _ first: Int64
    ) throws {
      var states = try db.rows(
        """
        SELECT start, activities, confidence FROM activity
        WHERE boot = \(boot.id) AND start <= \(min(session.until, boot.uptime(end)))
          AND start >= max(\(session.start), coalesce((SELECT max(start) FROM activity
            WHERE boot = \(boot.id) AND start <= \(first)), \(session.start)))
        ORDER BY start
        """
      ) { row in
        Piece(
          start: row.number(0), end: 0, activities: row.code(1) ?? .unknown,
          confidence: row.code(2) ?? .low)
      }
      // The time before the counter's first report has no activity yet.
      if states.first.map({ $0.start > max(session.start, first) }) ?? true {
        states.insert(
          Piece(start: session.start, end: 0, activities: .unknown, confidence: .low), at: 0)
      }
      for index in states.indices {
        var piece = states[index]
        piece.end = boot.wall(index + 1 < states.count ? states[index + 1].start : session.until)
        piece.start = boot.wall(piece.start)
        add(piece)
      }
      taken.append((boot.wall(session.start), boot.wall(session.until)))
    }

    /// Adds those parts of `piece` that no session covers yet.
    private mutating func add(_ piece: Piece) {
      var parts = [piece]
      for other in taken {
        parts = parts.flatMap { part in
          guard other.start < part.end, part.start < other.end else { return [part] }
          var left = part
          var right = part
          left.end = other.start
          right.start = other.end
          return [left, right].filter { $0.start < $0.end }
        }
      }
      pieces += parts
    }

    /// The activities in the order of their times, without gaps and without equal neighbouring
    /// activities.
    var activities: [RecordedActivity] {
      var result: [RecordedActivity] = []
      func say(_ start: Int64, _ activities: ActivitySet, _ confidence: ActivityConfidence) {
        if let last = result.last, last.activities == activities, last.confidence == confidence {
          return
        }
        result.append(
          RecordedActivity(start: Date(wall: start), activities: activities, confidence: confidence)
        )
      }
      var reached: Int64?
      for piece in pieces.sorted(by: { $0.start < $1.start })
      where piece.end > start || piece.start == start {
        if piece.start > (reached ?? start) { say(reached ?? before ?? start, .unknown, .low) }
        if piece.start > end { break }
        say(piece.start, piece.activities, piece.confidence)
        reached = piece.end
      }
      if let reached, reached >= end { return result }
      say(reached ?? before ?? start, .unknown, .low)
      return result
    }
  }
#endif
