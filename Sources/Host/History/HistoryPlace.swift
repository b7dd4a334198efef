// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import SystemPackage

/// The location of the history: `$XDG_STATE_HOME/otolith`, or else `~/.local/state/otolith`; for
/// root, in most cases a service, `/var/lib/otolith` (XDG Base Directory Specification 0.8:
/// persistent program data is state).
public enum HistoryPlace {
  /// Returns the folder in which this process stores the history.
  public static func folder() throws(HistoryError) -> String {
    try folder(environment: ProcessInfo.processInfo.environment, user: geteuid())
  }

  /// Returns the folder of the history for an environment. `user` is the numeric user ID.
  public static func folder(
    environment: [String: String], user: UInt32
  ) throws(HistoryError) -> String {
    // The XDG specification requires that relative paths are ignored.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/otolith" }
    if user == 0 { return "/var/lib/otolith" }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/otolith" }
    throw HistoryError(
      .noPlace, path: "", reason: "neither XDG_STATE_HOME nor HOME is an absolute path")
  }

  /// Returns true if this process can write in `folder` or can create the folder.
  public static func isWritable(_ folder: String) -> Bool {
    var path = FilePath(folder)
    while true {
      // The C function does not keep the string's pointer.
      if unsafe access(path.string, F_OK) == 0 {
        // The C function does not keep the string's pointer.
        return unsafe access(path.string, W_OK | X_OK) == 0 && isFolder(path.string)
      }
      // Only a missing folder can be created. Any other error means, for example, that a folder on
      // the path may not be searched.
      guard errno == ENOENT, path.removeLastComponent(), !path.isEmpty else { return false }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? FilePath(path).stat())?.type == .directory
  }

  /// Creates the folder and its missing parents. Only the user of this process may access these
  /// folders, because the content is private. Throws if a parent belongs to another user, because
  /// root would follow links that the other user made, and create folders that the other user
  /// cannot access.
  static func make(_ folder: String) throws(HistoryError) {
    try StateFile.checkFolder(folder)
    var missing: [String] = []
    var path = FilePath(folder)
    // The C function does not keep the string's pointer.
    while unsafe access(path.string, F_OK) != 0 {
      missing.append(path.string)
      guard path.removeLastComponent(), !path.isEmpty else { break }
    }
    for folder in missing.reversed() {
      guard unsafe mkdir(folder, 0o700) != 0 else { continue }  // the C function keeps no pointer
      if errno != EEXIST { throw .last(path: folder) }
    }
  }
}
