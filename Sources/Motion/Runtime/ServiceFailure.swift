// SPDX-License-Identifier: Apache-2.0

/// The reason why the service does not provide its board.
public struct ServiceFailure: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Equatable, Sendable {
    /// This process may not use the service, or the service may not use the board.
    case denied
    /// The service is running, but another process or a kernel driver uses the board.
    case taken
    /// The service is not running.
    case absent
    /// The service is running, but cannot provide the board.
    case unavailable
  }

  public var kind: Kind
  /// The error and its remedy, in one line.
  public var description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
