// SPDX-License-Identifier: Apache-2.0

/// The format that a file's extension indicates.
package enum FileEnding {
  private static let otherSpellings = ["yml": "yaml", "htm": "html", "ndjson": "jsonl"]

  /// Returns the extension of `path` in lower case; `nil` if it implies no format. That is the case
  /// for standard output, for `.txt` and without an extension.
  package static func of(_ path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return ending.isEmpty || ending == "txt" ? nil : otherSpellings[ending] ?? ending
  }

  /// Throws if the extension of `path` implies a format that is not in `endings`. `option` is the
  /// command-line option that names the file, or empty.
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
