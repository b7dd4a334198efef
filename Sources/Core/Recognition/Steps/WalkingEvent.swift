// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A pause or resumption of walking.
public struct WalkingEvent: Equatable, Sendable, BitwiseCopyable {
  public enum Kind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// The person stopped: no step follows the last step.
    case pause
    /// The person walks again: steps follow one another. The first walk counts as a resumption too.
    case resume
  }

  public var kind: Kind
  /// The time of the last step before a pause, or of the first step of a resumption.
  public var timestamp: Timestamp

  public init(_ kind: Kind, timestamp: Timestamp) {
    self.kind = kind
    self.timestamp = timestamp
  }
}
