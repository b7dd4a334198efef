// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A fall of a device's bearer.
public struct Fall: Equatable, Sendable, BitwiseCopyable {
  /// The bearer's behaviour in the minute after a fall.
  public enum Aftermath: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Unknown so far, or finally: the samples ended, or the bearer fell again.
    case unknown
    /// The bearer turned from the lying position by as much as in the fall: sat up, or got up.
    case roseAgain
    /// The bearer stayed in the lying position.
    case stayedDown
  }

  /// The time of the hardest impact.
  public var timestamp: Timestamp
  /// The acceleration of the hardest impact, g.
  public var impact: Scalar
  /// The angle between gravity before and after, in device axes, radians.
  public var turn: Scalar
  public var aftermath = Aftermath.unknown
}
