// SPDX-License-Identifier: Apache-2.0
internal import Recordings

/// The text of a YAML file before parsing.
struct YAMLSource {
  /// The maximum size of a board file in bytes, with a large margin; anything larger is another
  /// kind of file.
  static let largest = 65_536
  /// More aliases than any board file needs. Nested aliases multiply, which `mostValues` limits.
  static let mostAliases = 12
  /// The maximum number of values with aliases expanded: as many as the largest file could hold
  /// without aliases.
  static let mostValues = largest

  let file: String
  var text: String
  private(set) var errors: [BoardError] = []
  /// The number of hidden repeated keys.
  var hidden = 0

  init(_ text: String, file: String) {
    self.file = file
    // Unifies line ends, so that lines can be counted; positions in the file stay the same.
    self.text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    // Drops the byte order mark that some editors write; it is not part of the text.
    if self.text.unicodeScalars.first == "\u{FEFF}" { self.text.unicodeScalars.removeFirst() }
  }

  /// Returns the tree, or `nil` after an error that prevents it. Repeated keys do not prevent it;
  /// the repetition is left out.
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

  /// Reports every text with a control character, which a terminal or page would execute.
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

  /// An upper limit for the aliases in the text: `*` before a character that the library accepts in
  /// a name (letters, digits, `_`, `-`), and before those that another parser might.
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

  /// Returns true if a key is the replacement of a hidden repeated key.
  static func isHidden(_ key: String) -> Bool {
    key.unicodeScalars.first.map { (firstMask...0xFFFFF).contains($0.value) } ?? false
  }
}
