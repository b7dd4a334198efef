// SPDX-License-Identifier: Apache-2.0
internal import Recordings

/// The text of a YAML file on its way to a tree.
///
/// With the trait `Tool` a library reads it, without it `PlainYAML`.
struct YAMLSource {
  /// The largest size of a board file in bytes, with room to spare; anything larger is another kind
  /// of file.
  static let largest = 65_536
  /// More aliases than any board file has use for. Those of aliases multiply: `mostValues` is what
  /// holds them.
  static let mostAliases = 12
  /// The most values with aliases written out: as many as the largest file could hold without any.
  static let mostValues = largest

  let file: String
  var text: String
  private(set) var errors: [BoardError] = []
  /// The repeated keys that are taken out of the text.
  var hidden = 0

  init(_ text: String, file: String) {
    self.file = file
    // One kind of line end, so that lines can be counted; a place in the file stays the same place.
    self.text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    // What some editors begin a file with; it is not part of the text.
    if self.text.unicodeScalars.first == "\u{FEFF}" { self.text.unicodeScalars.removeFirst() }
  }

  /// The tree, or `nil` after an error that leaves none. Duplicate keys leave one: without the
  /// repetition.
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

  /// Reports every text that holds a character which a terminal or a page would obey.
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

  /// An upper bound of the aliases in the text: `*` before a character that the library takes for
  /// the begin of a name (letters, digits, `_`, `-`), and before those that another one might.
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

  /// Returns true where a key is what taking a repeated one out of the text left.
  static func isHidden(_ key: String) -> Bool {
    key.unicodeScalars.first.map { (firstMask...0xFFFFF).contains($0.value) } ?? false
  }
}
