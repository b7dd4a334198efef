// SPDX-License-Identifier: Apache-2.0

/// Reads the plain part of YAML that board files are written in, JSON included: groups and lists by
/// indentation or in brackets, comments, and texts of one line, quoted or not.
///
/// What it reads it reads as a YAML library does. The rest of YAML (anchors, tags, texts of several
/// lines, several documents) is refused with its place, never read as something else.
struct PlainYAML {
  /// The reason why a text is not read.
  struct Fault: Error, Equatable {
    var position: SourcePosition
    var found: String
    var hint: String?
  }

  /// Groups and lists within each other: no board file has half as many, and no stack too few.
  static let mostLevels = 32

  /// A line that holds something.
  fileprivate struct Line {
    var number: Int
    /// The column of the first character, from 0: that of an item's value once its dash is taken.
    var indent: Int
  }

  let rows: [[Unicode.Scalar]]
  private var lines: [Line] = []
  private var next = 0
  private var level = 0
  /// Repeated keys, which are left out of the tree.
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

  /// Returns the tree; `nil` where the text holds nothing but comments.
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

  // MARK: Groups and lists by indentation

  /// Reads what begins in the next line, and all that is as far right.
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
        // What follows the dash is as if it stood in a line of its own.
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

  /// Reads the value that the following lines hold, or nothing.
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

  /// Keeps a pair, unless its key is there already.
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

  /// Goes on behind the lines up to `number`: values in brackets have several.
  private mutating func take(through number: Int) {
    while next < lines.count, lines[next].number <= number { next += 1 }
  }

  /// Returns the key with which a line begins and the column behind its colon; `nil` where there is
  /// none.
  private func key(_ line: Line) throws(Fault) -> (name: YAMLTree, column: Int)? {
    let first = rows[line.number][line.indent]
    if first == "[" || first == "{" { return nil }
    var cursor = PlainYAMLCursor(rows, line: line.number, column: line.indent, level: level)
    let name = try cursor.text()
    cursor.skipSpaces()
    return cursor.takeColon() ? (name, cursor.column) : nil
  }

  /// True where a dash begins an item of a list.
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
  /// Makes the fault of what is YAML and not plain.
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
  /// True for what no YAML file may hold, quoted or not, and for what ends lines in YAML alone.
  fileprivate var isRefusedInYAML: Bool {
    switch value {
    case 0x09, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD,
      0x10000...0x10FFFF:
      false
    default: true
    }
  }
}
