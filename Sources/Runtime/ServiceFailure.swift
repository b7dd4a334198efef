// SPDX-License-Identifier: Apache-2.0

/// The reason why the service that owns a board does not give it.
public struct ServiceFailure: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Equatable, Sendable {
    /// This process may not use the service, or the service not the board.
    case denied
    /// The service runs, and another process or a driver of the kernel has the board.
    case taken
    /// The service is not there.
    case absent
    /// It is, and cannot give the board.
    case unavailable
  }

  public var kind: Kind
  /// The fault and its remedy, in one line.
  public var description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
