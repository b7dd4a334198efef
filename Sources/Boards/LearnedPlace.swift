// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The place that keeps what a board has learned while it ran.
public enum LearnedPlace: Sendable, Equatable {
  /// In the user's folder for state; nowhere for a board with a simulated bus.
  case usual
  case off
  case file(path: String)

  /// The user's folder for state, by the XDG Base Directory Specification 0.8: what a program
  /// learned is state. Root without a home, as a system service, has /var/lib.
  package static func stateFolder(environment: [String: String]) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state" }
    return "/var/lib"
  }

  /// Returns true where a board file in `folder` may name `path`: a file in that folder, in the
  /// user's for state or in a service's. Board files come from others, and what they name is
  /// written.
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

  /// The names on the way to `path` from the root on, without links as far as it is there.
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
