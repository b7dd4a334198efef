// SPDX-License-Identifier: Apache-2.0

/// The reason why a recording could not be read: one line in the style of a compiler, with the
/// place, the text found there and the expected text.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of the error, which decides a command's exit status; those are the ones of sysexits.
  public enum Kind: Equatable, Sendable {
    /// There is no such file, or it cannot be read (EX_NOINPUT, 66).
    case noInput
    /// There is no permission to read it (EX_NOPERM, 77).
    case denied
    /// The file was read and is not a recording (EX_DATAERR, 65).
    case malformed
  }

  public var kind: Kind
  /// The file as named by the caller.
  public var file: String
  /// From 1; `nil` if the file as a whole is meant.
  public var line: Int?
  /// The character of the line at which the cell begins, from 1.
  public var column: Int?
  /// The text that is there.
  public var found: String
  /// The text that should be there; `nil` if `found` says it all.
  public var expected: String?
  /// Advice if there is a likely cause.
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

  /// `walk.csv:12:8: 'rotationRate.x' is '0.1g', expected a number; leave units out`
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

  /// The error for a recording with fewer than the two timestamps needed for `purpose`.
  public static func singleMoment(_ file: String, for purpose: String) -> RecordingError {
    RecordingError(
      .malformed, file: file, found: "a recording of a single moment",
      expected: "rows of at least two timestamps, \(purpose)")
  }
}
