// SPDX-License-Identifier: Apache-2.0

/// A position in the text of `PlainYAML`, for reading one value.
struct PlainYAMLCursor {
  typealias Fault = PlainYAML.Fault

  private let rows: [[Unicode.Scalar]]
  private(set) var line: Int
  private(set) var column: Int
  /// The nesting depth.
  private var level: Int

  init(_ rows: [[Unicode.Scalar]], line: Int, column: Int, level: Int) {
    self.rows = rows
    self.line = line
    self.column = column
    self.level = level
  }

  var position: SourcePosition { SourcePosition(line: line + 1, column: column + 1) }

  /// The current character; `nil` at the end of the line.
  private var here: Unicode.Scalar? { column < rows[line].count ? rows[line][column] : nil }

  private var following: Unicode.Scalar? {
    column + 1 < rows[line].count ? rows[line][column + 1] : nil
  }

  /// True where the rest of the line is at most a comment.
  var isAtEnd: Bool {
    guard let here else { return true }
    return here == "#" && (column == 0 || rows[line][column - 1].isBlank)
  }

  mutating func skipSpaces() { while let here, here.isBlank { column += 1 } }

  /// Skips a colon that ends a key.
  mutating func takeColon() -> Bool {
    guard here == ":", following?.isBlank ?? true else { return false }
    column += 1
    return true
  }

  /// Throws where the line has further text.
  mutating func end() throws(Fault) {
    skipSpaces()
    guard !isAtEnd else { return }
    throw Fault(
      position: position,
      found: here == ":" ? "a colon where no key can be" : "text behind the end of a value",
      hint: "put text with ': ' or quotation marks in quotes")
  }

  /// Reads a text, or a group or list in brackets.
  mutating func value() throws(Fault) -> YAMLTree {
    switch here {
    case "[", "{": try bracketed()
    default: try text()
    }
  }

  // MARK: Brackets

  private mutating func bracketed() throws(Fault) -> YAMLTree {
    let start = position
    level += 1
    defer { level -= 1 }
    guard level <= PlainYAML.mostLevels else {
      throw .beyond(start, "more than \(PlainYAML.mostLevels) levels")
    }
    let isGroup = here == "{"
    let close: Unicode.Scalar = isGroup ? "}" : "]"
    column += 1
    var items: [YAMLTree] = []
    var pairs: [YAMLTree.Pair] = []
    var lineOfFirst: [String: Int] = [:]
    while true {
      try skipLines(in: start, close)
      if here == close { break }
      if isGroup {
        let key = try bracketText()
        if let first = lineOfFirst.updateValue(key.position.line, forKey: key.text ?? "") {
          throw .repetition(of: key, first: first)
        }
        pairs.append(YAMLTree.Pair(key: key, value: try bracketValue(of: key, in: start, close)))
      } else {
        items.append(try bracketItem())
      }
      try skipLines(in: start, close)
      if here == close { break }
      guard here == "," else {
        guard here != ":" else {
          throw .beyond(position, "a colon within a list")
        }
        throw unclosed(start, close)
      }
      column += 1
    }
    column += 1
    return YAMLTree(content: isGroup ? .mapping(pairs) : .sequence(items), position: start)
  }

  private mutating func bracketItem() throws(Fault) -> YAMLTree {
    here == "[" || here == "{" ? try bracketed() : try bracketText()
  }

  /// Reads the value of a key in braces, after its colon.
  private mutating func bracketValue(
    of key: YAMLTree, in start: SourcePosition, _ close: Unicode.Scalar
  ) throws(Fault) -> YAMLTree {
    skipSpaces()
    // JSON's keys need no space after the colon.
    guard here == ":", isQuoted(key) || following?.isBlank ?? true else {
      throw Fault(
        position: position, found: "a key without a value",
        hint: "is the colon missing, or the space after it?")
    }
    column += 1
    try skipLines(in: start, close)
    if here == "," || here == close {
      return YAMLTree(content: .scalar("", plain: true), position: position)
    }
    return try bracketItem()
  }

  private mutating func bracketText() throws(Fault) -> YAMLTree {
    guard here != ",", here != ":" else {
      throw Fault(
        position: position, found: "no value where one should be",
        hint: "is there a ',' or a bracket too many, or a character that needs quotes?")
    }
    return try text(isInBrackets: true)
  }

  private func isQuoted(_ tree: YAMLTree) -> Bool {
    if case .scalar(_, plain: false) = tree.content { true } else { false }
  }

  /// Moves to the next significant character, in this line or a later one.
  private mutating func skipLines(
    in start: SourcePosition, _ close: Unicode.Scalar
  ) throws(Fault) {
    skipSpaces()
    while isAtEnd {
      guard line + 1 < rows.count else { throw unclosed(start, close) }
      line += 1
      column = 0
      skipSpaces()
    }
  }

  private func unclosed(_ start: SourcePosition, _ close: Unicode.Scalar) -> Fault {
    Fault(
      position: start, found: "a '\(close == "]" ? "[" : "{")' that is not closed",
      hint: "expected '\(close)' or ',' before line \(line + 1), column \(column + 1)")
  }

  // MARK: Texts

  /// Reads a text up to its closing quotation mark, or for plain text up to where YAML ends it.
  mutating func text(isInBrackets: Bool = false) throws(Fault) -> YAMLTree {
    let start = position
    switch here {
    case "\"": return YAMLTree(content: .scalar(try doubleQuoted(), plain: false), position: start)
    case "'": return YAMLTree(content: .scalar(try singleQuoted(), plain: false), position: start)
    case "\t": throw Fault(position: start, found: "a tab", hint: "YAML does not indent with tabs")
    case "|", ">", "&", "*", "!", "%":
      throw .beyond(start, "a value that begins with '\(here.map(String.init) ?? "")'")
    case "#", "@", "`", ",", "]", "}", "[", "{":
      throw Fault(
        position: start, found: "a value that begins with '\(here.map(String.init) ?? "")'",
        hint: "put the text in quotes")
    case "-", "?", ":":
      guard let following, !following.isBlank,
        !isInBrackets || here != "?" && !following.endsBracketText
      else {
        throw .beyond(start, "a value that begins with '\(here.map(String.init) ?? "")'")
      }
    default: break
    }
    var text = String.UnicodeScalarView()
    var blanks = 0
    while let here, !isAtEnd {
      if here == ":", following?.isBlank ?? true { break }
      if here == ":", isInBrackets, following?.endsBracketText ?? true {
        throw Fault(
          position: position, found: "a colon where no key can be",
          hint: "is the space after it missing?")
      }
      if isInBrackets, ",[]{}".unicodeScalars.contains(here) { break }
      blanks = here.isBlank ? blanks + 1 : 0
      text.append(here)
      column += 1
    }
    text.removeLast(blanks)
    column -= blanks
    return YAMLTree(content: .scalar(String(text), plain: true), position: start)
  }

  private mutating func singleQuoted() throws(Fault) -> String {
    let start = position
    var text = String.UnicodeScalarView()
    column += 1
    while let here {
      column += 1
      guard here == "'" else {
        text.append(here)
        continue
      }
      guard self.here == "'" else { return String(text) }
      text.append("'")
      column += 1
    }
    throw Fault(
      position: start, found: "a quotation mark that is not closed",
      hint: "a text of several lines needs the trait Tool")
  }

  private mutating func doubleQuoted() throws(Fault) -> String {
    let start = position
    var text = String.UnicodeScalarView()
    column += 1
    while let here {
      if here == "\"" {
        column += 1
        return String(text)
      }
      if here == "\\" {
        text.append(try escaped())
      } else {
        text.append(here)
      }
      column += 1
    }
    throw Fault(
      position: start, found: "a quotation mark that is not closed",
      hint: "a text of several lines needs the trait Tool")
  }

  /// Reads an escape sequence after a backslash, up to its last character.
  private mutating func escaped() throws(Fault) -> Unicode.Scalar {
    let start = position
    column += 1
    let digits: Int
    switch here {
    case "\"", "\\", "/": return here ?? "\\"
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "e": return "\u{1B}"
    case "0": return "\0"
    case "x": digits = 2
    case "u": digits = 4
    case "U": digits = 8
    default:
      throw Fault(
        position: start, found: "a backslash before a character without such a meaning",
        hint: "use single quotes for text with backslashes")
    }
    let row = rows[line]
    let end = column + 1 + digits
    guard end <= row.count else { throw unknownCharacter(start) }
    let number = String(String.UnicodeScalarView(row[(column + 1)..<end]))
    guard number.allSatisfy(\.isHexDigit), let value = UInt32(number, radix: 16),
      let scalar = Unicode.Scalar(value)
    else { throw unknownCharacter(start) }
    column = end - 1
    return scalar
  }

  private func unknownCharacter(_ position: SourcePosition) -> Fault {
    Fault(
      position: position, found: "a backslash with a number of no character",
      hint: "use single quotes for text with backslashes")
  }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }

  /// True for characters that end plain text in brackets, after a colon or dash.
  fileprivate var endsBracketText: Bool {
    isBlank || ",[]{}?".unicodeScalars.contains(self)
  }
}
