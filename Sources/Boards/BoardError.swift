// SPDX-License-Identifier: Apache-2.0

/// One thing wrong with a board file, told so that it can be put right: where, what, and what was
/// expected.
public struct BoardError: Error, Sendable, Equatable, CustomStringConvertible {
  public var file: String
  /// Counted from 1; 0 where the file as a whole is meant.
  public var line: Int
  /// Counted from 1, in Unicode scalars; 0 where the file as a whole is meant.
  public var column: Int
  public var found: String
  public var expected: String?
  /// The likely cause or the next step.
  public var hint: String?
  /// The chip that is known and not driven, where that is all that is wrong here: `LSM9DS1`.
  public var unsupportedChip: String?
  /// True where the file is there and there is no permission to read it.
  public var isDenied = false

  public init(
    file: String, line: Int, column: Int, found: String, expected: String? = nil,
    hint: String? = nil
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.found = found
    self.expected = expected
    self.hint = hint
  }

  /// One line, as compilers write: `boards/x.yaml:12:11: what was found; expected ...; hint`.
  public var description: String {
    let place = line > 0 ? "\(file):\(line):\(column)" : file
    return Self.line("\(place): ") + sentence
  }

  /// The same without its place, where the text is in no file.
  package var sentence: String {
    let parts = [found, expected.map { "expected \($0)" }, hint].compactMap { $0 }
    return Self.line(parts.joined(separator: "; "))
  }

  /// `text` on one line: a quoted value may hold line ends, and codes that a terminal would obey.
  private static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: " "
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

/// Everything wrong with a board file, in the order of the file. Never empty.
public struct BoardErrors: Error, Sendable, Equatable, CustomStringConvertible {
  public let errors: [BoardError]

  /// `errors` in the order of their places, each said once.
  public init(_ errors: [BoardError]) {
    // By their lines, which hold all of them: a file may have thousands.
    var said: Set<String> = []
    let once = errors.filter { said.insert($0.description).inserted }
    self.errors = once.enumerated().sorted {
      ($0.element.file, $0.element.line, $0.element.column, $0.offset)
        < ($1.element.file, $1.element.line, $1.element.column, $1.offset)
    }.map { $0.element }
  }

  init(_ error: BoardError) { errors = [error] }

  /// The chips that are not driven, where nothing else is wrong with the file.
  public var unsupportedChips: [String]? {
    let chips = errors.compactMap(\.unsupportedChip)
    return chips.count == errors.count ? chips : nil
  }

  /// One line for each error.
  public var description: String {
    errors.map { $0.description }.joined(separator: "\n")
  }
}
