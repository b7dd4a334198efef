// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import CSQLite
  internal import Foundation
  internal import Glibc
  internal import SystemPackage

  extension MovementStore {
    /// Opens the database for writing. Creates a missing database, and migrates an old one. Throws
    /// the errors of SQLite unchanged, for `isDamage`.
    func openForWriting(isDurable: Bool = true) throws -> SQLiteConnection {
      try Self.create(path)
      let db = try SQLiteConnection.open(path, for: .writing)
      // auto_vacuum has an effect only in a database without tables. Commits are flushed to the
      // disk, so that a power failure loses at most the last second. The log is limited to a
      // megabyte.
      try db.run(
        script: """
          PRAGMA auto_vacuum = INCREMENTAL;
          PRAGMA journal_mode = WAL;
          PRAGMA synchronous = \(isDurable ? "FULL" : "OFF");
          PRAGMA secure_delete = ON;
          PRAGMA wal_autocheckpoint = 250;
          """)
      let version = try Self.check(db, path: path)
      guard try db.isSound() else { throw SQLiteError(SQLITE_CORRUPT) }
      try Self.migrate(db, from: version)
      return db
    }

    /// Opens the movement database for reading; `nil` if nothing was written yet.
    func openForReading() throws(HistoryError) -> SQLiteConnection? {
      // The error may also concern the folder: if this process may not search the folder, it is
      // unknown whether the file is missing.
      guard let identity = FileIdentity(path) else {
        if errno == ENOENT { return nil }
        throw .last(path: path)
      }
      guard identity.isOrdinary else {
        throw HistoryError(.failed, path: path, reason: "it is not a regular file; remove it")
      }
      do {
        let db = try SQLiteConnection.open(path, for: .reading)
        // Another process is still creating the database.
        if try Self.check(db, path: path) == 0 { return nil }
        return db
      } catch { throw .database(error, self) }
    }

    /// Creates the file so that only its owner can read and write it. SQLite gives its other files
    /// the same permissions.
    private static func create(_ path: String) throws(HistoryError) {
      // SQLite opens the database's files by name and follows links.
      for suffix in ["-wal", "-shm", "-journal"] { try StateFile.check(path + suffix) }
      let file = try StateFile.open(path, .readWrite)
      defer { try? file.close() }
      guard fchmod(file.rawValue, 0o600) == 0 else { throw .last(path: path) }
    }

    /// Renames an unreadable database and its log. Returns the new name.
    func putAside() throws(HistoryError) -> String {
      let date = Date(timeIntervalSince1970: Double(clocks.now().wall) / 1e9)
      let stamp = date.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
      let aside = "\(folder)/movement-damaged-\(stamp).sqlite"
      // The C functions do not keep the strings' pointers.
      guard unsafe rename(path, aside) == 0 else { throw .last(path: path) }
      // SQLite's log contains the last commits. The shared-memory file is useless when no process
      // has the database open.
      _ = unsafe rename(path + "-wal", aside + "-wal")  // the C function keeps no pointer
      unsafe unlink(path + "-shm")  // the C function keeps no pointer
      return aside
    }
  }

  /// The identity of a file: its device and inode number.
  struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
    /// False for the identity of a folder, a pipe or a device, which cannot belong to a store.
    let isOrdinary: Bool

    init?(_ path: String) {
      var status = stat()
      // The C function keeps neither pointer.
      guard unsafe stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      isOrdinary = status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the size of a file in bytes; `nil` if the file does not exist.
    static func size(_ path: String) -> Int? {
      var status = stat()
      // The C function keeps neither pointer.
      return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
  }

  extension HistoryError {
    /// Returns the store's error for an error of SQLite.
    static func database(_ error: any Error, _ store: MovementStore) -> HistoryError {
      if let error = error as? HistoryError { return error }
      guard let error = error as? SQLiteError else {
        return HistoryError(error, path: store.path)
      }
      let kind: Kind =
        switch error.code {
        case SQLITE_FULL: .noSpace
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .denied
        // SQLite gives no reason why it cannot open a file. If the file exists, usually the
        // permission is missing.
        case SQLITE_CANTOPEN: .denied
        default: .failed
        }
      return HistoryError(kind, path: store.path, reason: error.message)
    }

    /// Returns true if the error says that the file is damaged or not a database.
    static func isDamage(_ error: any Error) -> Bool {
      guard let error = error as? SQLiteError else { return false }
      return error.code == SQLITE_CORRUPT || error.code == SQLITE_NOTADB
    }
  }
#endif
