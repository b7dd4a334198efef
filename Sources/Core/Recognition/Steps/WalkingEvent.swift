// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A pause or resumption of walking.
public struct WalkingEvent: Equatable, Sendable, BitwiseCopyable {
  public enum Kind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// The last step has no successor.
    case pause
    /// Steps follow one another again; also for the first walk.
    case resume
  }

  public var kind: Kind
  /// For a pause the last step, for a resumption the first.
  public var timestamp: Timestamp

  public init(_ kind: Kind, timestamp: Timestamp) {
    self.kind = kind
    self.timestamp = timestamp
  }
}
