// SPDX-License-Identifier: Apache-2.0

/// The reason why history could not be kept or read, in one line.
public struct HistoryError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Equatable, Sendable {
    /// Neither `$XDG_STATE_HOME` nor `$HOME` says where.
    case noPlace
    /// This user may not write, or read, there.
    case denied
    /// The disk or the user's share of it is full.
    case noSpace
    /// Another process writes; the id that its lock file shows.
    case inUse(process: Int32?)
    /// Anything else that the system refused.
    case failed
  }

  public var kind: Kind
  /// The file or folder.
  public var path: String
  /// The system's own words.
  public var reason: String

  public init(_ kind: Kind, path: String, reason: String) {
    self.kind = kind
    self.path = path
    self.reason = reason
  }

  /// `/var/lib/otolith/acceleration: the disk is full: No space left on device`
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
