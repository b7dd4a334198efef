// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import Foundation
  internal import Glibc
  internal import SystemPackage

  extension MovementStore {
    /// The paths of the database and of SQLite's additional files.
    var files: [String] { [path, path + "-wal", path + "-shm"] }

    /// Deletes all movement, even while a writer is open; the writer then starts again. Rows are
    /// overwritten with zeros and the log is emptied. Without a writer the files are removed.
    /// Damaged databases that were renamed are removed too. Throws without permission, or if a
    /// reader holds the log for more than five seconds.
    ///
    /// Copies of overwritten blocks inside the disk, as in flash memory, are not affected.
    public func erase() throws(HistoryError) {
      try StateFile.checkFolder(folder)
      let names: [String]
      do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
        if (error as? CocoaError)?.code == .fileReadNoSuchFile { return }
        // The C function does not keep the string's pointer.
        _ = unsafe access(folder, R_OK | X_OK)
        throw .last(path: folder)
      }
      for name in names where name.hasPrefix("movement-damaged-") {
        try remove(folder + "/" + name)
      }
      guard names.contains("movement.sqlite") else { return }
      let lock = try? WriterLock.take(in: folder)
      defer { try? lock?.close() }
      do {
        try overwrite()
      } catch {
        // Rows in a damaged database, or in a database of a newer version, cannot be overwritten.
        guard lock != nil, HistoryError.isDamage(error) || error is HistoryError else {
          throw .database(error, self)
        }
      }
      guard lock != nil else { return }
      for file in files { try remove(file) }
    }

    private func overwrite() throws {
      let database = try openForWriting()
      try database.write { db in
        try db.run(
          script: """
            DELETE FROM walk; DELETE FROM activity; DELETE FROM event; DELETE FROM session;
            DELETE FROM boot
            """)
      }
      try database.run("PRAGMA incremental_vacuum")
      try database.emptyLog()
    }

    private func remove(_ path: String) throws(HistoryError) {
      // The C function does not keep the string's pointer.
      if unsafe unlink(path) != 0, errno != ENOENT { throw .last(path: path) }
    }
  }
#endif
