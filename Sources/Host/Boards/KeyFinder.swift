// SPDX-License-Identifier: Apache-2.0

/// Finds the keys of a mapping in a YAML text in one pass over its lines: all keys with the same
/// indentation, or all keys in braces. The result is accurate enough to locate a key that the YAML
/// library reported as repeated, but not to detect a repeated key.
struct KeyFinder {
  struct Place {
    var name: String
    /// The line, counted from 0.
    var line: Int
    /// The columns of a key in its line without quotation marks, counted from 0.
    var columns: Range<Int>
  }

  private let lines: [[Unicode.Scalar]]
  /// The column at which the keys of a block-style mapping begin; `nil` for a mapping in braces.
  private let indentation: Int?
  private var line: Int
  private var column: Int
  /// True until the first line of a block-style mapping has been read.
  private var isFirst = true
  private var isOver = false
  // The state for a mapping in braces: the nesting depth, the open quotation mark, the last
  // character that is not a space, and whether a key comes next.
  private var depth = 0
  private var quote: Unicode.Scalar?
  private var previous: Unicode.Scalar = ","
  private var isKeyNext = true

  /// Finds the keys of the mapping that contains the key at `line` and `column`, counted from 0. In
  /// block style these are all keys of the mapping; with `betweenBraces` they are the keys from
  /// that position on.
  init(_ lines: [[Unicode.Scalar]], line: Int, column: Int, betweenBraces: Bool) {
    self.lines = lines
    self.line = line
    self.column = column
    indentation = betweenBraces ? nil : column
    guard !betweenBraces else { return }
    while self.line > 0, !Self.beginsItem(lines[self.line], at: column),
      Self.belongs(lines[self.line - 1], to: column)
        || Self.beginsItem(lines[self.line - 1], at: column)
    {
      self.line -= 1
    }
  }

  /// Returns true if a key at this position may belong to a block-style mapping: only spaces
  /// precede it, or the key is the first in a list item.
  static func mayBeInLines(_ line: [Unicode.Scalar], _ column: Int) -> Bool {
    line.prefix(column).allSatisfy { $0 == " " || $0 == "-" }
  }

  /// Returns the next key of the mapping; `nil` after the last.
  mutating func next() -> Place? {
    if let indentation { nextOfLines(indentation) } else { nextBetweenBraces() }
  }

  // MARK: Block style

  private mutating func nextOfLines(_ indentation: Int) -> Place? {
    while !isOver, line < lines.count {
      let number = line
      let scalars = lines[number]
      let mayBeginItem = isFirst
      isFirst = false
      line += 1
      if Self.begins(scalars, at: indentation)
        || mayBeginItem && Self.beginsItem(scalars, at: indentation)
      {
        if let key = Self.key(scalars, at: indentation, isBetweenBraces: false) {
          return place(key, in: number)
        }
      } else if !mayBeginItem, !Self.belongs(scalars, to: indentation) {
        isOver = true
      }
    }
    return nil
  }

  /// Returns true if the text of the line begins at column `indentation`, after spaces only.
  private static func begins(_ line: [Unicode.Scalar], at indentation: Int) -> Bool {
    line.count > indentation && line[indentation] != " " && line[indentation] != "#"
      && line.prefix(indentation).allSatisfy { $0 == " " }
  }

  /// Returns true if the first key of a list item begins at column `indentation`.
  private static func beginsItem(_ line: [Unicode.Scalar], at indentation: Int) -> Bool {
    let before = line.prefix(indentation)
    return line.count > indentation && line[indentation] != " " && line[indentation] != "#"
      && before.contains("-") && before.allSatisfy { $0 == " " || $0 == "-" }
  }

  /// Returns true if a line belongs to a mapping whose keys have this indentation, or is indented
  /// deeper.
  private static func belongs(_ line: [Unicode.Scalar], to indentation: Int) -> Bool {
    guard let begin = line.firstIndex(where: { $0 != " " }), line[begin] != "#" else {
      return true
    }
    return begin >= indentation
  }

  // MARK: Braces

  private mutating func nextBetweenBraces() -> Place? {
    while !isOver, line < lines.count {
      let scalars = lines[line]
      while !isOver, column < scalars.count {
        let at = column
        if isKeyNext, quote == nil, scalars[at] != " " {
          isKeyNext = false
          if let key = Self.key(scalars, at: at, isBetweenBraces: true) {
            // The scan of the line continues after the closing quotation mark, if there is one.
            column = key.lowerBound > at ? key.upperBound + 1 : key.upperBound
            previous = "\""
            return place(key, in: line)
          }
        }
        column += 1
        pass(scalars[at])
        // This character starts a comment, so the rest of the line is not scanned.
        if quote == nil, scalars[at] == "#", at == 0 || scalars[at - 1] == " " { break }
      }
      line += 1
      column = 0
    }
    return nil
  }

  private mutating func pass(_ scalar: Unicode.Scalar) {
    if let open = quote {
      if scalar == open { quote = nil }
      return
    }
    switch scalar {
    case " ": return
    case "\"", "'":
      // Inside a word a single quotation mark is an apostrophe.
      if [",", ":", "[", "{"].contains(previous) { quote = scalar }
    case "{", "[": depth += 1
    case "}", "]":
      depth -= 1
      isOver = depth < 0
    case ",": isKeyNext = depth == 0
    default: break
    }
    previous = scalar
  }

  // MARK: Keys

  /// Returns the columns, without quotation marks, of the key that begins at `begin`; `nil` if no
  /// colon follows it.
  private static func key(_ line: [Unicode.Scalar], at begin: Int, isBetweenBraces: Bool) -> Range<
    Int
  >? {
    let first = line[begin]
    if first == "\"" || first == "'" {
      guard let end = line[(begin + 1)...].firstIndex(of: first),
        line[(end + 1)...].first(where: { $0 != " " }) == ":"
      else { return nil }
      return (begin + 1)..<end
    }
    var end = begin
    while end < line.count {
      if line[end] == ":", end + 1 == line.count || " ,}]".unicodeScalars.contains(line[end + 1]) {
        let name = line[begin..<end].lastIndex { $0 != " " }
        return name.map { begin..<($0 + 1) }
      }
      if isBetweenBraces, ",{}[]".unicodeScalars.contains(line[end]) { return nil }
      end += 1
    }
    return nil
  }

  private func place(_ columns: Range<Int>, in line: Int) -> Place {
    Place(
      name: String(String.UnicodeScalarView(lines[line][columns])), line: line, columns: columns)
  }
}
