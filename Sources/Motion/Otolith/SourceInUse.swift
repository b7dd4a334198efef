// SPDX-License-Identifier: Apache-2.0

/// The error that a hub does not accept another source, because its current source is already in
/// use.
public struct SourceInUse: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name of the source in use.
  public let source: String
  /// The number of listeners of the source (managers with updates, streams and recordings); `nil`
  /// if the source is just starting or stopping.
  public let listeners: Int?

  /// The users of the source and the remedy, as a message for users.
  public var description: String {
    switch listeners {
    case nil: "\(source) is starting or stopping: \(steps("stop the listeners"))"
    case 0: "\(source) is already in use: \(steps())"
    case 1: "1 manager or stream listens to \(source) already: \(steps("stop it"))"
    case .some(let count):
      "\(count) managers or streams listen to \(source) already: \(steps("stop them"))"
    }
  }

  private func steps(_ first: String? = nil) -> String {
    "call use(_:) before the first manager or stream; in tests, "
      + (first.map { "\($0) and " } ?? "") + "call reset() before it"
  }
}
