// SPDX-License-Identifier: Apache-2.0

/// Reads the subset of YAML that board files use, JSON included: groups and lists by indentation or
/// in brackets, comments, and single-line texts, quoted or not.
///
/// It reads this subset like a YAML library. The rest of YAML (anchors, tags, multi-line texts,
/// several documents) is refused with its position, and never misread.
struct PlainYAML {
  /// The reason why a text is refused.
  struct Fault: Error, Equatable {
    var position: SourcePosition
    var found: String
    var hint: String?
  }

  /// The maximum nesting depth: more than twice that of any board file, and safe for every stack.
  static let mostLevels = 32

  /// A line with content.
  fileprivate struct Line {
    var number: Int
    /// The column of the first character, from 0; for a list item that of its value once the dash
    /// was read.
    var indent: Int
  }

  let rows: [[Unicode.Scalar]]
  private var lines: [Line] = []
  private var next = 0
  private var level = 0
  /// Repeated keys, which are not in the tree.
  private(set) var repetitions: [Fault] = []

  init(_ text: String) {
    rows = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Array($0.unicodeScalars) }
    for (number, row) in rows.enumerated() {
      let indent = row.firstIndex { $0 != " " } ?? row.count
      guard indent < row.count, row[indent] != "#" else { continue }
      lines.append(Line(number: number, indent: indent))
    }
  }

  /// Returns the tree; `nil` where the text has only comments.
  mutating func tree() throws(Fault) -> YAMLTree? {
    for (number, row) in rows.enumerated() {
      if let column = row.firstIndex(where: { $0.isRefusedInYAML }) {
        throw Fault(
          position: SourcePosition(line: number + 1, column: column + 1),
          found: "a character that YAML does not allow", hint: "delete it")
      }
      if row.first == "%" { throw refusal(number, 0, "a line that begins with '%'") }
      if row.starts(with: "---".unicodeScalars) || row.starts(with: "...".unicodeScalars) {
        throw refusal(number, 0, "a mark between documents ('---' or '...')")
      }
    }
    guard let first = lines.first else { return nil }
    let tree = try block(first.indent)
    if next < lines.count { throw misplaced(lines[next]) }
    return tree
  }

  // MARK: Block style

  /// Reads the value that begins in the next line, with all lines at its indentation.
  private mutating func block(_ indent: Int) throws(Fault) -> YAMLTree {
    let line = lines[next]
    level += 1
    defer { level -= 1 }
    guard level <= Self.mostLevels else {
      throw refusal(line.number, line.indent, "more than \(Self.mostLevels) levels")
    }
    if isDash(line.number, line.indent) { return try list(indent) }
    if try key(line) != nil { return try group(indent) }
    var cursor = PlainYAMLCursor(rows, line: line.number, column: line.indent, level: level)
    let value = try cursor.value()
    try cursor.end()
    take(through: cursor.line)
    return value
  }

  private mutating func list(_ indent: Int) throws(Fault) -> YAMLTree {
    let position = lines[next].position
    var items: [YAMLTree] = []
    while next < lines.count, lines[next].indent == indent {
      let line = lines[next]
      guard isDash(line.number, indent) else { break }
      let row = rows[line.number]
      var column = indent + 1
      while column < row.count, row[column] == " " { column += 1 }
      if column < row.count, row[column] == "\t" { throw tab(line.number, column) }
      if column == row.count || row[column] == "#" {
        next += 1
        items.append(try nested(deeperThan: indent, after: line.number, column: indent + 1))
      } else {
        // The text after the dash is read as if on a separate line.
        lines[next].indent = column
        items.append(try block(column))
      }
    }
    if next < lines.count, lines[next].indent > indent { throw misplaced(lines[next]) }
    return YAMLTree(content: .sequence(items), position: position)
  }

  private mutating func group(_ indent: Int) throws(Fault) -> YAMLTree {
    let position = lines[next].position
    var pairs: [YAMLTree.Pair] = []
    var lineOfFirst: [String: Int] = [:]
    while next < lines.count, lines[next].indent == indent {
      let line = lines[next]
      if isDash(line.number, indent) { break }
      guard let (name, column) = try key(line) else {
        throw Fault(
          position: line.position, found: "a line without a colon",
          hint: "is the colon missing, or the space after it?")
      }
      var cursor = PlainYAMLCursor(rows, line: line.number, column: column, level: level)
      cursor.skipSpaces()
      let value: YAMLTree
      if cursor.isAtEnd {
        next += 1
        if next < lines.count, lines[next].indent == indent, isDash(lines[next].number, indent) {
          value = try list(indent)
        } else {
          value = try nested(deeperThan: indent, after: line.number, column: column)
        }
      } else {
        value = try cursor.value()
        try cursor.end()
        take(through: cursor.line)
      }
      keep(YAMLTree.Pair(key: name, value: value), in: &pairs, &lineOfFirst)
    }
    if next < lines.count, lines[next].indent > indent { throw misplaced(lines[next]) }
    return YAMLTree(content: .mapping(pairs), position: position)
  }

  /// Reads the value in the following, deeper lines, or an empty value.
  private mutating func nested(
    deeperThan indent: Int, after line: Int, column: Int
  ) throws(Fault) -> YAMLTree {
    guard next < lines.count, lines[next].indent > indent else {
      return YAMLTree(
        content: .scalar("", plain: true),
        position: SourcePosition(line: line + 1, column: column + 1))
    }
    return try block(lines[next].indent)
  }

  /// Adds a pair, unless its key is already present.
  private mutating func keep(
    _ pair: YAMLTree.Pair, in pairs: inout [YAMLTree.Pair], _ lineOfFirst: inout [String: Int]
  ) {
    let name = pair.key.text ?? ""
    guard let first = lineOfFirst[name] else {
      lineOfFirst[name] = pair.key.position.line
      pairs.append(pair)
      return
    }
    repetitions.append(.repetition(of: pair.key, first: first))
  }

  /// Skips the lines up to `number`: values in brackets may span several.
  private mutating func take(through number: Int) {
    while next < lines.count, lines[next].number <= number { next += 1 }
  }

  /// Returns the key at the start of a line and the column after its colon; `nil` for a line
  /// without a key.
  private func key(_ line: Line) throws(Fault) -> (name: YAMLTree, column: Int)? {
    let first = rows[line.number][line.indent]
    if first == "[" || first == "{" { return nil }
    var cursor = PlainYAMLCursor(rows, line: line.number, column: line.indent, level: level)
    let name = try cursor.text()
    cursor.skipSpaces()
    return cursor.takeColon() ? (name, cursor.column) : nil
  }

  /// Returns true where a dash begins a list item.
  private func isDash(_ number: Int, _ column: Int) -> Bool {
    let row = rows[number]
    guard column < row.count, row[column] == "-" else { return false }
    return column + 1 == row.count || row[column + 1] == " " || row[column + 1] == "\t"
  }

  // MARK: Faults

  private func misplaced(_ line: Line) -> Fault {
    let row = rows[line.number]
    if row[line.indent] == "\t" { return tab(line.number, line.indent) }
    return Fault(
      position: line.position, found: "a line that does not fit its neighbours",
      hint: "indent with spaces, two a level; a text of several lines needs the trait Tool")
  }

  private func tab(_ line: Int, _ column: Int) -> Fault {
    Fault(
      position: SourcePosition(line: line + 1, column: column + 1), found: "a tab",
      hint: "YAML does not indent with tabs")
  }

  private func refusal(_ line: Int, _ column: Int, _ found: String) -> Fault {
    .beyond(SourcePosition(line: line + 1, column: column + 1), found)
  }
}

extension PlainYAML.Line {
  fileprivate var position: SourcePosition { SourcePosition(line: number + 1, column: indent + 1) }
}

extension PlainYAML.Fault {
  /// Creates the fault for YAML outside the supported subset.
  static func beyond(_ position: SourcePosition, _ found: String) -> Self {
    Self(
      position: position, found: found,
      hint: "write it plainly, or build the program with the trait Tool")
  }

  static func repetition(of key: YAMLTree, first: Int) -> Self {
    let name = key.text ?? ""
    let shown = name.count > 40 ? name.prefix(40) + "..." : name[...]
    return Self(
      position: key.position, found: "key '\(shown)' is here for the second time",
      hint: "the first is in line \(first)")
  }
}

extension Unicode.Scalar {
  /// True for characters that YAML files must not contain, quoted or not, and for line ends that
  /// only YAML recognises.
  fileprivate var isRefusedInYAML: Bool {
    switch value {
    case 0x09, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD,
      0x10000...0x10FFFF:
      false
    default: true
    }
  }
}
