// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  public import Quantities
  internal import Recognition
  internal import SystemPackage

  /// The writer of a store. Another writer of the same folder, in this process or another one, is
  /// refused until this one has gone; readers are not.
  public struct MovementWriter: ~Copyable, Sendable {
    public let store: MovementStore
    /// The time for which movement is kept.
    public let retention: TimeSpan
    /// The places of databases that could not be read any more and were put aside, the newest last:
    /// worth a line in the log. Counting goes on in a new one.
    public private(set) var damaged: [String]
    private let clocks: HostClocks
    private let isDurable: Bool
    private let lock: FileDescriptor
    private var database: MovementDatabase
    private var tally: MovementTally
    private var isClosed = false
    /// The uptime at which old movement was last looked for; `nil` before the first time.
    private var pruned: Timestamp?

    /// The time between two marks that a counter runs, while nothing is counted.
    static let alive = TimeSpan.seconds(60)
    private static let pruning = TimeSpan.seconds(3600)

    /// Opens the store for writing: makes its folder, and makes or migrates the database. One that
    /// is damaged is put aside. `retention` is how long movement is kept, seven days unless told.
    /// Throws `.inUse` where another writer is open, and where a newer version or another program
    /// has written.
    public init(
      _ store: MovementStore, clocks: HostClocks = .system,
      keeping retention: TimeSpan = .seconds(7 * 86_400)
    ) throws(HistoryError) {
      try self.init(store, clocks: clocks, keeping: retention, isDurable: true)
    }

    /// Without durability a power cut may cost the whole file: for tests and benchmarks that write
    /// days within seconds.
    package init(
      _ store: MovementStore, clocks: HostClocks, keeping retention: TimeSpan, isDurable: Bool
    ) throws(HistoryError) {
      try HistoryPlace.make(store.folder)
      let lock = try WriterLock.take(in: store.folder)
      do throws(HistoryError) {
        var damaged: [String] = []
        let database = try Self.open(store, clocks, isDurable, &damaged)
        let tally = try Self.tally(of: database, store, clocks)
        self.store = store
        self.retention = retention
        self.clocks = clocks
        self.isDurable = isDurable
        self.lock = lock
        self.database = database
        self.tally = tally
        self.damaged = damaged
      } catch {
        try? lock.close()
        throw error
      }
    }

    deinit { try? lock.close() }

    /// Writes what was counted, and returns when it is on the disk, a power cut included. Entries
    /// come in order; what an entry overlaps of the one before counts from that one's end on.
    ///
    /// An entry with nothing in it costs no write, but for a mark once a minute. Where the clock
    /// was set, everything of this run of the machine gets new dates. Where this throws, nothing of
    /// `entry` is kept, and the next call may succeed with the same one: with `.noSpace` when there
    /// is space again. Throws `.failed` after `close()`.
    ///
    /// `made` is what the clocks showed when the entry became known, for one that had to wait; now
    /// unless told.
    public mutating func append(
      _ entry: MovementEntry, made: ClockReading? = nil
    ) throws(HistoryError) {
      guard !isClosed else {
        throw HistoryError(.failed, path: store.path, reason: "closed already")
      }
      let now = clocks.now()
      let made = made ?? now
      // Deleted by hand, or put aside by what took it for damaged: what goes there would never be
      // read.
      if !database.isStill(at: store.path) { try reopen() }
      var next = tally
      guard next.take(entry, made: made, now) else {
        tally = next
        return
      }
      do {
        tally = try Self.keep(next, in: database)
      } catch {
        guard HistoryError.isDamage(error) else { throw .database(error, store) }
        try replace()
        next = tally
        _ = next.take(entry, made: made, now)
        do { tally = try Self.keep(next, in: database) } catch { throw .database(error, store) }
      }
      prune(now)
    }

    /// Counting ends: what the bearer does from the end of the last entry on is unknown. Nothing is
    /// appended afterwards. Without this call, as after a kill, the last mark is where it ends, up
    /// to a minute earlier.
    public mutating func close() throws(HistoryError) {
      guard !isClosed else { return }
      isClosed = true
      var last = tally
      guard last.end() else { return }
      do { tally = try Self.keep(last, in: database) } catch { throw .database(error, store) }
    }

    // MARK: Files

    private static func open(
      _ store: MovementStore, _ clocks: HostClocks, _ isDurable: Bool, _ damaged: inout [String]
    ) throws(HistoryError) -> MovementDatabase {
      do {
        do { return try MovementDatabase.writing(store, isDurable: isDurable) } catch {
          guard HistoryError.isDamage(error) else { throw error }
          damaged.append(try MovementDatabase.putAside(store, clocks.now()))
          return try MovementDatabase.writing(store, isDurable: isDurable)
        }
      } catch { throw .database(error, store) }
    }

    private static func tally(
      of database: borrowing MovementDatabase, _ store: MovementStore, _ clocks: HostClocks
    ) throws(HistoryError) -> MovementTally {
      do { return try database.connection.read { try MovementTally($0, clocks) } } catch {
        throw .database(error, store)
      }
    }

    private mutating func reopen() throws(HistoryError) {
      try HistoryPlace.make(store.folder)
      database = try Self.open(store, clocks, isDurable, &damaged)
      tally = try Self.tally(of: database, store, clocks).following(tally)
    }

    private mutating func replace() throws(HistoryError) {
      damaged.append(try MovementDatabase.putAside(store, clocks.now()))
      try reopen()
    }

    /// All of it in one transaction, which is on the disk when this returns.
    private static func keep(
      _ tally: MovementTally, in database: borrowing MovementDatabase
    ) throws -> MovementTally {
      try database.connection.write { db in
        var written = tally
        try written.write(db)
        return written
      }
    }

    /// Once an hour. That it fails costs space, and nothing else: the next one makes up for it.
    private mutating func prune(_ now: ClockReading) {
      if let pruned, now.uptime - pruned < Self.pruning { return }
      pruned = now.uptime
      guard let boot = tally.boot else { return }
      let kept = MovementRetention(span: retention, boot: boot, now: now)
      try? database.connection.write { try kept.apply($0) }
      // Not within a transaction: pages leave the file with the next checkpoint.
      try? database.connection.run("PRAGMA incremental_vacuum")
    }
  }
#endif
