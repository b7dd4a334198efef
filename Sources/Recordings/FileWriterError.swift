// SPDX-License-Identifier: Apache-2.0

/// Why a file could not be written, in one line.
public struct FileWriterError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What a command makes of the error; the exit statuses are those of sysexits.
  public enum Kind: Equatable, Sendable {
    /// The file cannot be made (EX_CANTCREAT, 73).
    case cannotCreate
    /// Writing failed on the way, a full disk for instance (EX_IOERR, 74).
    case failed
    /// Whoever read the other end of the pipe has gone: no error of ours to report.
    case readerGone
  }

  public var kind: Kind
  /// The file as it was named, or `standard output`.
  public var file: String
  /// The cause, and what to do about it where that is known.
  public var reason: String

  public init(_ kind: Kind, file: String, reason: String) {
    self.kind = kind
    self.file = file
    self.reason = reason
  }

  /// `out/motion.csv: cannot be written: there is no folder 'out'`
  public var description: String { "\(file): cannot be written: \(reason)" }
}
