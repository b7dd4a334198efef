// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The file in which the values that a board learned are stored.
public enum LearnedPlace: Sendable, Equatable {
  /// The file is in the user's state folder. The values of a board with a simulated bus are not
  /// stored.
  case usual
  case off
  case file(path: String)

  /// Returns the user's state folder by the XDG Base Directory Specification 0.8, because learned
  /// values are state. For root without a home folder, as in a system service, the folder is
  /// /var/lib.
  package static func stateFolder(environment: [String: String]) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state" }
    return "/var/lib"
  }

  /// Returns true if a board file in `folder` may name `path` as its file for learned values: a
  /// file in `folder`, in the user's state folder, or in a service's state folder. The path is
  /// restricted because the file is overwritten, and board files may come from other people.
  package static func mayName(
    _ path: String, in folder: String, environment: [String: String]
  ) -> Bool {
    let parts = resolved(path)
    return [folder, stateFolder(environment: environment) + "/otolith", "/var/lib/otolith"]
      .contains { folder in
        let above = resolved(folder)
        return parts.count > above.count && parts.starts(with: above)
      }
  }

  /// Returns the components of `path` from the root. Links are resolved as far as the path exists.
  private static func resolved(_ path: String) -> [String] {
    let files = FileManager.default
    var there = path.hasPrefix("/") ? path : files.currentDirectoryPath + "/" + path
    var missing: [String] = []
    while !files.fileExists(atPath: there), let slash = there.lastIndex(of: "/") {
      missing.insert(String(there[there.index(after: slash)...]), at: 0)
      there = String(there[..<slash])
    }
    let real = URL(filePath: there.isEmpty ? "/" : there).resolvingSymlinksInPath().path
    return real.split(separator: "/").map(String.init) + missing.filter { !$0.isEmpty }
  }
}

extension BoardReader {
  mutating func learned(_ board: Fields) -> LearnedPlace {
    guard let field = board["learned"], let word = text(board, "learned") else { return .usual }
    if word == "off" { return .off }
    let path = resolve(word)
    let isPlain = !word.split(separator: "/").contains("..")
    let environment = ProcessInfo.processInfo.environment
    guard isPlain, LearnedPlace.mayName(path, in: folder, environment: environment) else {
      report(
        field.position,
        "'learned' is \(field.value.shown), which leads out of the board file's folder",
        expected: "a path within it, or within 'otolith' in your folder for state",
        hint: "such as 'learned: learned.yaml'")
      return .usual
    }
    return .file(path: path)
  }
}
