// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// Protection of state files. The functions do not use a link, a pipe or a file that another user
/// put instead of a state file. As root they do not create files that the service's user could then
/// not access.
enum StateFile {
  /// Opens the file at `path`. A missing file is created so that only its owner can read and write
  /// it. Throws for a link, a special file, another user's file, and a file with several hard
  /// links.
  static func open(
    _ path: String, _ mode: FileDescriptor.AccessMode,
    options: FileDescriptor.OpenOptions = []
  ) throws(HistoryError) -> FileDescriptor {
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(
        FilePath(path), mode,
        // Opening a state file must not wait for the other end of a pipe.
        options: options.union([.create, .noFollow, .closeOnExec, .nonBlocking]),
        permissions: .ownerReadWrite)
    } catch {
      // `check` throws an error that says more than the failure to open.
      try check(path)
      throw HistoryError(error, path: path)
    }
    do throws(HistoryError) {
      let status: Stat
      do { status = try file.stat() } catch { throw HistoryError(error, path: path) }
      try check(status, path)
      return file
    } catch {
      try? file.close()
      throw error
    }
  }

  /// Throws if `open`, which protects state files, would not accept the file at `path`.
  static func check(_ path: String) throws(HistoryError) {
    let found = try? FilePath(path).stat(followTargetSymlink: false)
    if let found { try check(found, path) }
  }

  private static func check(_ status: Stat, _ path: String) throws(HistoryError) {
    guard status.type == .regular else {
      let what = status.type == .symbolicLink ? "a link" : "not a regular file"
      throw HistoryError(.failed, path: path, reason: "it is \(what); remove it")
    }
    let owner = status.userID.rawValue
    guard owner == geteuid() else { throw foreign(path, owner) }
    guard status.linkCount <= 1 else {
      throw HistoryError(.failed, path: path, reason: "it has a second name; remove it")
    }
  }

  /// Throws if the folder of a store, or one of its two parents, belongs to another user. If
  /// folders are missing, the one in which they will be created is checked.
  static func checkFolder(_ folder: String) throws(HistoryError) {
    var path = FilePath(folder)
    var isMissing = true
    var level = 0
    while level < 3 || isMissing {
      // A link may belong to another user than its target, so the owners of link and target are
      // checked.
      for follows in [false, true] {
        guard let found = try? path.stat(followTargetSymlink: follows) else { continue }
        isMissing = false
        let owner = found.userID.rawValue
        // Root is trusted, and may have created the parent folder for the user of a service.
        let isOwn = owner == 0 || owner == geteuid() || (geteuid() != 0 && level > 0)
        if !isOwn { throw foreign(path.string, owner) }
      }
      guard path.removeLastComponent(), !path.isEmpty else { return }
      level += 1
    }
  }

  /// Returns the error for another user's file, with advice.
  private static func foreign(_ path: String, _ owner: UInt32) -> HistoryError {
    let user = geteuid()
    let reason =
      if user == 0 {
        "it belongs to user \(owner), so root does not write to it; run this as that user, or set "
          + "XDG_STATE_HOME to a folder that belongs to root"
      } else {
        "it belongs to user \(owner), not to you; to change that: sudo chown -hR \(user) '\(path)'"
      }
    return HistoryError(.denied, path: path, reason: reason)
  }
}
