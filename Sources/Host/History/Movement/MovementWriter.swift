// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  public import Quantities
  internal import Recognition
  internal import SystemPackage

  /// The writer of a store. While a writer exists, other processes cannot open a writer, but can
  /// read the store.
  public struct MovementWriter: ~Copyable, Sendable {
    public let store: MovementStore
    /// The time span for which movement is kept.
    public let retention: TimeSpan
    /// The paths of unreadable databases that were renamed, the newest last, for the log. Counting
    /// continues in a new database.
    public private(set) var damaged: [String]
    private let isDurable: Bool
    private let lock: FileDescriptor
    private var database: SQLiteConnection
    private var accumulator: MovementAccumulator
    private var isClosed = false
    /// The uptime of the last deletion of old movement; `nil` before the first.
    private var pruned: Timestamp?

    /// The time between two marks in the database that show that a counter is active while nothing
    /// is counted.
    static let alive = TimeSpan.seconds(60)
    private static let pruning = TimeSpan.seconds(3600)

    /// Opens the store for writing. Creates the store's folder, and creates or migrates the
    /// database; a damaged database is renamed. `retention` is the time for which movement is kept,
    /// seven days by default. Throws `.inUse` if another writer is open. Throws too if the database
    /// has a newer version or belongs to another program.
    public init(
      _ store: MovementStore, keeping retention: TimeSpan = .seconds(7 * 86_400)
    ) throws(HistoryError) {
      try self.init(store, keeping: retention, isDurable: true)
    }

    /// Opens the store. If the store is not durable, a power failure may destroy the whole file;
    /// this is for tests and benchmarks that write days within seconds.
    package init(
      _ store: MovementStore, keeping retention: TimeSpan, isDurable: Bool
    ) throws(HistoryError) {
      try HistoryPlace.make(store.folder)
      let lock = try WriterLock.take(in: store.folder)
      do throws(HistoryError) {
        var damaged: [String] = []
        let database = try Self.open(store, isDurable, &damaged)
        let accumulator = try Self.accumulator(of: database, store)
        self.store = store
        self.retention = retention
        self.isDurable = isDurable
        self.lock = lock
        self.database = database
        self.accumulator = accumulator
        self.damaged = damaged
      } catch {
        try? lock.close()
        throw error
      }
    }

    deinit { try? lock.close() }

    /// Writes an entry and returns when it is on disk, safe from a power failure. Entries must be
    /// in the order of their times. An entry that overlaps the previous one counts from the end of
    /// that entry.
    ///
    /// An empty entry is not written, except as a mark once a minute. If the clock was set, all
    /// data of this boot gets new dates. If this function throws, nothing of `entry` is stored, and
    /// a call with the same entry may succeed later: with `.noSpace` once there is space again.
    /// Throws `.failed` after `close()`.
    public mutating func append(_ entry: MovementEntry) throws(HistoryError) {
      guard !isClosed else {
        throw HistoryError(.failed, path: store.path, reason: "closed already")
      }
      let now = store.clocks.now()
      // If the database file was deleted, or renamed as damaged, data written to it would never be
      // read.
      if !database.isStill(at: store.path) { try reopen() }
      var next = accumulator
      guard next.take(entry, now) else {
        accumulator = next
        return
      }
      do {
        accumulator = try Self.keep(next, in: database)
      } catch {
        guard HistoryError.isDamage(error) else { throw .database(error, store) }
        try replace()
        next = accumulator
        _ = next.take(entry, now)
        do {
          accumulator = try Self.keep(next, in: database)
        } catch { throw .database(error, store) }
      }
      prune(now)
    }

    /// Ends counting. The activity after the last entry is unknown, and no entry can be appended
    /// afterwards. Without this call, for example if the process is killed, counting ends at the
    /// last mark, up to a minute earlier.
    public mutating func close() throws(HistoryError) {
      guard !isClosed else { return }
      isClosed = true
      var last = accumulator
      guard last.end() else { return }
      do { accumulator = try Self.keep(last, in: database) } catch { throw .database(error, store) }
    }

    // MARK: Files

    private static func open(
      _ store: MovementStore, _ isDurable: Bool, _ damaged: inout [String]
    ) throws(HistoryError) -> SQLiteConnection {
      do {
        do { return try store.openForWriting(isDurable: isDurable) } catch {
          guard HistoryError.isDamage(error) else { throw error }
          damaged.append(try store.putAside())
          return try store.openForWriting(isDurable: isDurable)
        }
      } catch { throw .database(error, store) }
    }

    private static func accumulator(
      of database: borrowing SQLiteConnection, _ store: MovementStore
    ) throws(HistoryError) -> MovementAccumulator {
      do { return try database.read { try MovementAccumulator($0, store.clocks) } } catch {
        throw .database(error, store)
      }
    }

    private mutating func reopen() throws(HistoryError) {
      try HistoryPlace.make(store.folder)
      database = try Self.open(store, isDurable, &damaged)
      accumulator = try Self.accumulator(of: database, store).following(accumulator)
    }

    private mutating func replace() throws(HistoryError) {
      damaged.append(try store.putAside())
      try reopen()
    }

    /// Writes the changes in one transaction, which is on disk when the function returns.
    private static func keep(
      _ accumulator: MovementAccumulator, in database: borrowing SQLiteConnection
    ) throws -> MovementAccumulator {
      try database.write { db in
        var written = accumulator
        try written.write(db)
        return written
      }
    }

    /// Deletes old movement once an hour. If the deletion fails, only space is lost, and the next
    /// run repeats it.
    private mutating func prune(_ now: ClockReading) {
      if let pruned, now.uptime - pruned < Self.pruning { return }
      pruned = now.uptime
      guard let boot = accumulator.boot else { return }
      try? database.write {
        try Self.deleteOld($0, keeping: retention, in: boot, now)
      }
      // The vacuum is outside the transaction, because pages leave the file at the next checkpoint.
      try? database.run("PRAGMA incremental_vacuum")
    }
  }
#endif
