// SPDX-License-Identifier: Apache-2.0

/// The reason why a file could not be written, in one line.
public struct FileWriterError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of the error, which decides a command's exit status; those are the ones of sysexits.
  public enum Kind: Equatable, Sendable {
    /// The file cannot be made (EX_CANTCREAT, 73).
    case cannotCreate
    /// Writing failed on the way, a full disk for instance (EX_IOERR, 74).
    case failed
    /// The reader of the pipe has closed it: not an error to report.
    case readerGone
  }

  public var kind: Kind
  /// The file as named by the user, or `standard output`.
  public var file: String
  /// The cause, and the remedy if known.
  public var reason: String

  public init(_ kind: Kind, file: String, reason: String) {
    self.kind = kind
    self.file = file
    self.reason = reason
  }

  /// `out/motion.csv: cannot be written: there is no folder 'out'`
  public var description: String { "\(file): cannot be written: \(reason)" }
}
