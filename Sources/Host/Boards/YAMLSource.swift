// SPDX-License-Identifier: Apache-2.0
internal import Recordings

/// The text of a YAML file, with the state of the parser.
struct YAMLSource {
  /// The largest size of a board file in bytes, with a large margin. A larger file is of another
  /// kind.
  static let largest = 65_536
  /// The largest number of aliases, which is more than any board file needs. Nested aliases
  /// multiply values, which `mostValues` limits.
  static let mostAliases = 12
  /// The largest number of values after aliases are expanded: as many as the largest file could
  /// contain without aliases.
  static let mostValues = largest

  let file: String
  var text: String
  private(set) var errors: [BoardError] = []
  /// The number of repeated keys that are hidden.
  var hidden = 0

  init(_ text: String, file: String) {
    self.file = file
    // All line ends are replaced with line feeds, so that lines can be counted. Positions in the
    // file do not change.
    self.text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    // The byte order mark that some editors write is removed, because this mark is not part of the
    // text.
    if self.text.unicodeScalars.first == "\u{FEFF}" { self.text.unicodeScalars.removeFirst() }
  }

  /// Returns the YAML tree; `nil` if an error makes parsing impossible. Repeated keys are reported,
  /// and the tree contains only the first of them.
  mutating func tree() -> YAMLTree? {
    guard text.utf8.count <= Self.largest else {
      report(
        .start, "the file has \(text.utf8.count) bytes", expected: "at most \(Self.largest)",
        hint: "is this a board file?")
      return nil
    }
    guard !text.unicodeScalars.contains("\0") else {
      report(.start, "the file holds zero bytes", expected: "text", hint: "is this a board file?")
      return nil
    }
    guard countOfAliases <= Self.mostAliases else {
      report(.start, "more than \(Self.mostAliases) aliases (*name)", hint: "write the values out")
      return nil
    }
    guard let tree = composed() else { return nil }
    reportControlCharacters(in: tree)
    return tree
  }

  mutating func report(
    _ position: SourcePosition, _ found: String, expected: String? = nil, hint: String? = nil
  ) {
    errors.append(
      BoardError(
        file: file, line: position.line, column: position.column, found: found, expected: expected,
        hint: hint))
  }

  /// Reports every text that contains a control character, because a terminal or a web page could
  /// execute such a character.
  private mutating func reportControlCharacters(in tree: YAMLTree) {
    switch tree.content {
    case .scalar(let text, _):
      guard let scalar = text.unicodeScalars.first(where: ControlCharacters.isRefused) else {
        return
      }
      report(
        tree.position, "a text with the control character \(ControlCharacters.name(scalar))",
        hint: "delete it; in \"\" it may be written with a backslash")
    case .sequence(let items):
      for item in items { reportControlCharacters(in: item) }
    case .mapping(let pairs):
      for pair in pairs {
        reportControlCharacters(in: pair.key)
        reportControlCharacters(in: pair.value)
      }
    }
  }

  /// An upper limit of the number of aliases in the text. The limit counts each `*` before a
  /// character that the library accepts in a name (letters, digits, `_`, `-`), or that another
  /// parser might accept.
  private var countOfAliases: Int {
    var count = 0
    var before: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if before == "*",
        scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic
          || scalar.properties.numericType != nil
      {
        count += 1
      }
      before = scalar
    }
    return count
  }
}

// MARK: - Repeated keys

extension YAMLSource {
  static let firstMask: UInt32 = 0xF0000

  /// Returns true if a key replaces a hidden repeated key.
  static func isHidden(_ key: String) -> Bool {
    key.unicodeScalars.first.map { (firstMask...0xFFFFF).contains($0.value) } ?? false
  }
}
