// SPDX-License-Identifier: Apache-2.0

/// The reason why the history of movement or acceleration cannot be stored or read, in one line.
public struct HistoryError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Equatable, Sendable {
    /// Neither `$XDG_STATE_HOME` nor `$HOME` is set.
    case noPlace
    /// The user may not write or read the folder of the history.
    case denied
    /// The disk or the user's quota is full.
    case noSpace
    /// Another process is writing the history. The lock file gives its process ID, if the ID could
    /// be read.
    case inUse(process: Int32?)
    /// Another error of the operating system.
    case failed
  }

  public var kind: Kind
  /// The path of the file or folder that the error is about.
  public var path: String
  /// The error message from the operating system.
  public var reason: String

  public init(_ kind: Kind, path: String, reason: String) {
    self.kind = kind
    self.path = path
    self.reason = reason
  }

  /// The error in one line: `/var/lib/otolith/acceleration: the disk is full: No space left on
  /// device`.
  public var description: String {
    switch kind {
    case .noPlace: "no place for history: \(reason)"
    case .denied: "\(path): no permission: \(reason)"
    case .noSpace: "\(path): the disk is full: \(reason)"
    case .inUse(let process):
      "\(path): already written by process \(process.map(String.init) ?? "unknown")"
    case .failed: "\(path): \(reason)"
    }
  }
}
