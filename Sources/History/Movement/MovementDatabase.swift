// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import CSQLite
  internal import Foundation
  internal import Glibc
  internal import SystemPackage

  /// A connection to the file of a store.
  struct MovementDatabase: ~Copyable, Sendable {
    let connection: SQLiteConnection
    /// The file that was opened, in case another one takes its name.
    private let identity: FileIdentity?

    private init(_ connection: consuming SQLiteConnection, _ identity: FileIdentity?) {
      self.connection = connection
      self.identity = identity
    }

    /// Opens it for writing: made where it is missing, and migrated. Throws what SQLite says as it
    /// is, for `isDamage`.
    static func writing(
      _ store: MovementStore, isDurable: Bool = true
    ) throws -> MovementDatabase {
      try create(store.path)
      let db = try SQLiteConnection.open(store.path, for: .writing)
      // Only a database without tables takes the first. What is committed is on the disk: of a
      // power cut the last second may be lost, no more. The log stays at a megabyte.
      try db.run(
        script: """
          PRAGMA auto_vacuum = INCREMENTAL;
          PRAGMA journal_mode = WAL;
          PRAGMA synchronous = \(isDurable ? "FULL" : "OFF");
          PRAGMA secure_delete = ON;
          PRAGMA wal_autocheckpoint = 250;
          """)
      let version = try MovementSchema.check(db, path: store.path)
      guard try db.isSound() else { throw SQLiteError(SQLITE_CORRUPT) }
      try MovementSchema.migrate(db, from: version)
      return MovementDatabase(db, FileIdentity(store.path))
    }

    /// Opens it for reading; `nil` where nothing was written yet.
    static func reading(_ store: MovementStore) throws(HistoryError) -> MovementDatabase? {
      // Those of the folder too: in one that may not be looked into nothing is known to be missing.
      guard let identity = FileIdentity(store.path) else {
        if errno == ENOENT { return nil }
        throw .last(path: store.path)
      }
      guard identity.isOrdinary else {
        throw HistoryError(.failed, path: store.path, reason: "it is no ordinary file; remove it")
      }
      do {
        let db = try SQLiteConnection.open(store.path, for: .reading)
        // Not made whole yet.
        if try MovementSchema.check(db, path: store.path) == 0 { return nil }
        return MovementDatabase(db, identity)
      } catch { throw .database(error, store) }
    }

    /// Returns true where the file is still the one by this name: people delete files and folders.
    func isStill(at path: String) -> Bool { FileIdentity(path) == identity }

    /// Readable for its user alone from the first moment; SQLite gives the files beside it the same
    /// mode.
    private static func create(_ path: String) throws(HistoryError) {
      // SQLite opens these by their names, and follows links.
      for suffix in ["-wal", "-shm", "-journal"] { try StateFile.check(path + suffix) }
      let file = try StateFile.open(path, .readWrite)
      defer { try? file.close() }
      guard fchmod(file.rawValue, 0o600) == 0 else { throw .last(path: path) }
    }

    /// Puts a database that cannot be read any more aside, and what belongs to it; returns its new
    /// name.
    static func putAside(_ store: MovementStore, _ now: ClockReading) throws(HistoryError) -> String
    {
      let date = Date(timeIntervalSince1970: Double(now.wall) / 1e9)
      let stamp = date.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
      let aside = "\(store.folder)/movement-damaged-\(stamp).sqlite"
      // The strings live for the calls alone.
      guard unsafe rename(store.path, aside) == 0 else { throw .last(path: store.path) }
      // It holds what was committed last; the other one is worth nothing without a process.
      _ = unsafe rename(store.path + "-wal", aside + "-wal")  // as above
      unsafe unlink(store.path + "-shm")  // as above
      return aside
    }
  }

  /// The identity of the file that a name stands for.
  struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
    /// False for a folder, a pipe or a device, which is never one of a store.
    let isOrdinary: Bool

    init?(_ path: String) {
      var status = stat()
      // Both live for the call alone.
      guard unsafe stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      isOrdinary = status.st_mode & S_IFMT == S_IFREG
    }

    /// Bytes of a file; `nil` where there is none.
    static func size(_ path: String) -> Int? {
      var status = stat()
      // Both live for the call alone.
      return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
  }

  extension HistoryError {
    /// Makes an error of this store from SQLite's.
    static func database(_ error: any Error, _ store: MovementStore) -> HistoryError {
      if let error = error as? HistoryError { return error }
      guard let error = error as? SQLiteError else {
        return HistoryError(error, path: store.path)
      }
      let kind: Kind =
        switch error.code {
        case SQLITE_FULL: .noSpace
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .denied
        // SQLite does not say why; of a file that is there it is nearly always this.
        case SQLITE_CANTOPEN: .denied
        default: .failed
        }
      return HistoryError(kind, path: store.path, reason: error.message)
    }

    /// Returns true where the file is no database, or a damaged one.
    static func isDamage(_ error: any Error) -> Bool {
      guard let error = error as? SQLiteError else { return false }
      return error.code == SQLITE_CORRUPT || error.code == SQLITE_NOTADB
    }
  }
#endif
