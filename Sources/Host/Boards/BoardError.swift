// SPDX-License-Identifier: Apache-2.0

/// An error in a board file: its position, what is wrong, and what was expected.
public struct BoardError: Error, Sendable, Equatable, CustomStringConvertible {
  public var file: String
  /// The line of the error, counted from 1; 0 if the error is about the whole file.
  public var line: Int
  /// The column in Unicode scalars, counted from 1; 0 if the error is about the whole file.
  public var column: Int
  public var found: String
  public var expected: String?
  /// The likely cause of the error, or what to do.
  public var hint: String?
  /// The name of the chip, such as `LSM9DS1`, if the only error in the file is that this known chip
  /// is not supported.
  public var unsupportedChip: String?
  /// True if the file exists but the user of this process may not read it.
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

  /// The error in one line, in the format of compilers: `boards/x.yaml:12:11: what was found;
  /// expected ...; hint`.
  public var description: String {
    let place = line > 0 ? "\(file):\(line):\(column)" : file
    return Self.line("\(place): ") + sentence
  }

  /// The error without its position, for text that is not in a file.
  package var sentence: String {
    let parts = [found, expected.map { "expected \($0)" }, hint].compactMap { $0 }
    return Self.line(parts.joined(separator: "; "))
  }

  /// Returns `text` on one line. A value quoted in an error may contain line ends, and control
  /// characters that a terminal would execute.
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

/// All errors in a board file, in the order of their positions. There is at least one error.
public struct BoardErrors: Error, Sendable, Equatable, CustomStringConvertible {
  public let errors: [BoardError]

  /// Creates the list of `errors`, sorted by position and without duplicates.
  public init(_ errors: [BoardError]) {
    // Duplicates are found by a set of descriptions, because a file may have thousands of errors.
    var said: Set<String> = []
    let once = errors.filter { said.insert($0.description).inserted }
    self.errors = once.enumerated().sorted {
      ($0.element.file, $0.element.line, $0.element.column, $0.offset)
        < ($1.element.file, $1.element.line, $1.element.column, $1.offset)
    }.map { $0.element }
  }

  init(_ error: BoardError) { errors = [error] }

  /// The names of unsupported chips, if the file has no other errors; otherwise `nil`.
  public var unsupportedChips: [String]? {
    let chips = errors.compactMap(\.unsupportedChip)
    return chips.count == errors.count ? chips : nil
  }

  /// All errors, one line each.
  public var description: String {
    errors.map { $0.description }.joined(separator: "\n")
  }
}
