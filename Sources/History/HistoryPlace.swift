// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import SystemPackage

/// The place of history: `$XDG_STATE_HOME/otolith`, else `~/.local/state/otolith`, and for root,
/// which is a service more often than a person, `/var/lib/otolith` (XDG Base Directory
/// Specification 0.8: what a program keeps is state).
public enum HistoryPlace {
  /// The folder of this process.
  public static func folder() throws(HistoryError) -> String {
    try folder(environment: ProcessInfo.processInfo.environment, user: geteuid())
  }

  /// The folder in an environment; `user` is the numeric user id.
  public static func folder(
    environment: [String: String], user: UInt32
  ) throws(HistoryError) -> String {
    // The specification: a relative path is to be ignored.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/otolith" }
    if user == 0 { return "/var/lib/otolith" }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/otolith" }
    throw HistoryError(
      .noPlace, path: "", reason: "neither XDG_STATE_HOME nor HOME is an absolute path")
  }

  /// Returns true where `folder` is there and writable, or could be made.
  public static func isWritable(_ folder: String) -> Bool {
    var path = FilePath(folder)
    while true {
      // The string lives for the call alone.
      if unsafe access(path.string, F_OK) == 0 {
        // As above.
        return unsafe access(path.string, W_OK | X_OK) == 0 && isFolder(path.string)
      }
      // A link to nowhere, or a folder that cannot be looked into.
      guard errno == ENOENT, path.removeLastComponent(), !path.isEmpty else { return false }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? FilePath(path).stat())?.type == .directory
  }

  /// Makes the folder and those above it that are missing, for this user alone: what is in it is
  /// personal. Throws where another user's are in the way: root would leave a folder there that
  /// locks its user out, and follow what that user has put into it.
  static func make(_ folder: String) throws(HistoryError) {
    try StateFile.checkFolder(folder)
    var missing: [String] = []
    var path = FilePath(folder)
    // The string lives for the call alone, here and below.
    while unsafe access(path.string, F_OK) != 0 {
      missing.append(path.string)
      guard path.removeLastComponent(), !path.isEmpty else { break }
    }
    for folder in missing.reversed() {
      guard unsafe mkdir(folder, 0o700) != 0 else { continue }  // as above
      if errno != EEXIST { throw .last(path: folder) }
    }
  }
}
