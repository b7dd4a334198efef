// SPDX-License-Identifier: Apache-2.0

/// The reason why a file could not be written, in one line.
public struct FileWriterError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of the error, which determines the exit status of a command. The numbers are from
  /// sysexits.h.
  public enum Kind: Equatable, Sendable {
    /// The file could not be created (EX_CANTCREAT, 73).
    case cannotCreate
    /// A write failed, for example because the disk is full (EX_IOERR, 74).
    case failed
    /// The reader of the pipe to which the file was written closed the pipe. This is not reported
    /// as an error.
    case readerGone
  }

  public var kind: Kind
  /// The file as the user named it, or `standard output`.
  public var file: String
  /// The cause of the error, and what to do if that is known.
  public var reason: String

  public init(_ kind: Kind, file: String, reason: String) {
    self.kind = kind
    self.file = file
    self.reason = reason
  }

  /// The error in one line: `out/motion.csv: cannot be written: there is no folder 'out'`.
  public var description: String { "\(file): cannot be written: \(reason)" }
}
