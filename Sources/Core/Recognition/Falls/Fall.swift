// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A fall by the person who carries the device.
public struct Fall: Equatable, Sendable, BitwiseCopyable {
  /// The person's behaviour in the minute after a fall.
  public enum Aftermath: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// The behaviour is not known yet. It stays unknown if the samples end or the person falls
    /// again.
    case unknown
    /// The person left the lying position: the device turned by as much as it did in the fall.
    case roseAgain
    /// The person stayed in the lying position.
    case stayedDown
  }

  /// The time of the hardest impact.
  public var timestamp: Timestamp
  /// The acceleration of the hardest impact in g.
  public var impact: Scalar
  /// The angle in radians between gravity before and after the fall, in device axes.
  public var turn: Scalar
  public var aftermath = Aftermath.unknown
}
