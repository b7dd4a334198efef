// SPDX-License-Identifier: Apache-2.0

/// The format indicated by a file's extension.
package enum FileEnding {
  private static let otherSpellings = ["yml": "yaml", "htm": "html", "ndjson": "jsonl"]

  /// Returns the extension of `path` in lower case; `nil` if it indicates no format: without
  /// extension, with `.txt`, and standard output.
  package static func of(_ path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return ending.isEmpty || ending == "txt" ? nil : otherSpellings[ending] ?? ending
  }

  /// Throws if the extension of `path` indicates a format other than `endings`, the supported
  /// ones; `option` is the command-line option that names the file, or empty.
  package static func check(
    _ path: String, _ option: String, holds endings: [String]
  ) throws(Failure) {
    guard let named = of(path), !endings.contains(named) else { return }
    let formats = endings.map { $0.uppercased() }
    let isOne = endings.count == 1
    throw Failure(
      "\(option.isEmpty ? "" : option + " ")\(path): what \(isOne ? "is" : "can be") written there "
        + "is \(list(formats)), not \(named.uppercased()): use the extension "
        + "\(list(endings.map { "." + $0 }))",
      Failure.usage)
  }

  private static func list(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension FormatOptions {
  /// Returns the format for the file at `path`, which `option` names: the requested one, else the
  /// extension's. `all` are the supported formats. Throws if the extension indicates another.
  package func format(
    for path: String, _ option: String, among all: [Format] = Array(Format.allCases)
  ) throws(Failure) -> Format {
    let said = json ? .jsonl : named
    let endings: [String] = (said.map { [$0] } ?? all).map(\.rawValue)
    try FileEnding.check(path, option, holds: endings)
    return said ?? FileEnding.of(path).flatMap(Format.init(rawValue:)) ?? .usual
  }
}
