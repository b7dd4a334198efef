// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A pause or resumption of walking.
public struct WalkingEvent: Equatable, Sendable, BitwiseCopyable {
  public enum Kind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// The person stopped: no step follows the last one.
    case pause
    /// The person walks again: steps follow each other. The first walk is reported as a resumption
    /// too.
    case resume
  }

  public var kind: Kind
  /// The time of the last step for a pause, and of the first step for a resumption.
  public var timestamp: Timestamp

  public init(_ kind: Kind, timestamp: Timestamp) {
    self.kind = kind
    self.timestamp = timestamp
  }
}
