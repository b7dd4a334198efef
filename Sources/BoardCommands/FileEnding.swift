// SPDX-License-Identifier: Apache-2.0

/// The format that a file's name says, by which other programs know what is in it.
package enum FileEnding {
  private static let otherSpellings = ["yml": "yaml", "htm": "html", "ndjson": "jsonl"]

  /// Returns the ending of `path` in lower case; `nil` where the name says no format: without an
  /// ending, with `.txt`, and standard output.
  package static func of(_ path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return ending.isEmpty || ending == "txt" ? nil : otherSpellings[ending] ?? ending
  }

  /// Throws where the name of `path` says another format than one of `endings`, in which it can be
  /// written; `option` is what names it on the command line, or empty.
  package static func check(
    _ path: String, _ option: String, holds endings: [String]
  ) throws(Failure) {
    guard let named = of(path), !endings.contains(named) else { return }
    let formats = endings.map { $0.uppercased() }
    let isOne = endings.count == 1
    throw Failure(
      "\(option.isEmpty ? "" : option + " ")\(path): what \(isOne ? "is" : "can be") written there is \(list(formats)), not "
        + "\(named.uppercased()): let its name end in \(list(endings.map { "." + $0 }))",
      Failure.usage)
  }

  private static func list(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension FormatOptions {
  /// Returns the form of the rows in the file at `path`, which `option` names: the one that was
  /// said, else the one that the name ends in. `all` are the forms that the option can have. Throws
  /// where the name says another.
  package func format(
    for path: String, _ option: String, among all: [Format] = Array(Format.allCases)
  ) throws(Failure) -> Format {
    let said = json ? .jsonl : named
    let endings: [String] = (said.map { [$0] } ?? all).map(\.rawValue)
    try FileEnding.check(path, option, holds: endings)
    return said ?? FileEnding.of(path).flatMap(Format.init(rawValue:)) ?? .usual
  }
}
