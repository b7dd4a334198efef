// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Walking paused, or went on.
public struct WalkingEvent: Equatable, Sendable, BitwiseCopyable {
  public enum Kind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// No further step follows the last one.
    case pause
    /// Steps follow one another again: also the first of all.
    case resume
  }

  public var kind: Kind
  /// Of a pause the last step, of a resumption the first.
  public var timestamp: Timestamp

  public init(_ kind: Kind, timestamp: Timestamp) {
    self.kind = kind
    self.timestamp = timestamp
  }
}
