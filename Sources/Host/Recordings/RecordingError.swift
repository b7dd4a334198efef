// SPDX-License-Identifier: Apache-2.0

/// The reason why a recording could not be read. The error is one line in the format of compilers,
/// with the position, the text that is in the file and the text that was expected.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of the error, which determines the exit status of a command. The numbers are from
  /// sysexits.h.
  public enum Kind: Equatable, Sendable {
    /// There is no such file, or the file cannot be read (EX_NOINPUT, 66).
    case noInput
    /// The user has no permission to read the file (EX_NOPERM, 77).
    case denied
    /// The file was read and is not a recording (EX_DATAERR, 65).
    case malformed
  }

  public var kind: Kind
  /// The recording's file as the caller named it.
  public var file: String
  /// The line of the error, counted from 1; `nil` if the error is about the whole file.
  public var line: Int?
  /// The character of the line at which the cell begins, counted from 1.
  public var column: Int?
  /// The text that is in the file at the position of the error.
  public var found: String
  /// The text that was expected at that position; `nil` if `found` is sufficient.
  public var expected: String?
  /// Advice, if the cause of the error is probably known.
  public var hint: String?

  public init(
    _ kind: Kind, file: String, line: Int? = nil, column: Int? = nil, found: String,
    expected: String? = nil, hint: String? = nil
  ) {
    self.kind = kind
    self.file = file
    self.line = line
    self.column = column
    self.found = found
    self.expected = expected
    self.hint = hint
  }

  /// The error in one line: `walk.csv:12:8: 'rotationRate.x' is '0.1g', expected a number; leave
  /// units out`.
  public var description: String {
    var text = file
    for place in [line, column] {
      if let place { text += ":\(place)" }
    }
    text += ": \(found)"
    if let expected { text += ", expected \(expected)" }
    if let hint { text += "; \(hint)" }
    return ControlCharacters.visible(text)
  }

  /// Returns the error for a recording with fewer than two timestamps, which `purpose` needs.
  public static func singleMoment(_ file: String, for purpose: String) -> RecordingError {
    RecordingError(
      .malformed, file: file, found: "a recording of a single moment",
      expected: "rows of at least two timestamps, \(purpose)")
  }
}
