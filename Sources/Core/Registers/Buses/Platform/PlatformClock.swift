// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Returns the microseconds since start as a 64-bit number: 32 bits overflow after 71 minutes. A
/// `WideCounter` extends a 32-bit timer to 64 bits. May be called from an interrupt where edges are
/// timed in one.
public typealias PlatformClock = @convention(c) () -> UInt64

/// Extends a 32-bit counter to 64 bits.
///
/// `widen` must be called at least once per overflow period of the counter, 71 minutes for
/// microseconds; drivers call it many times a second. It is not reentrant: where an interrupt calls
/// it too, disable interrupts for the call.
public struct WideCounter: Sendable, BitwiseCopyable {
  private var high: UInt64 = 0
  private var last: UInt32 = 0

  public init() {}

  /// Returns the 64-bit count for `count`, which is never less than the last one.
  public mutating func widen(_ count: UInt32) -> UInt64 {
    if count < last { high &+= 1 << 32 }
    last = count
    return high | UInt64(count)
  }
}

/// Returns the current time of the platform's clock.
func timestamp(_ clock: PlatformClock) -> Timestamp {
  Timestamp(nanoseconds: Int64(truncatingIfNeeded: clock()) &* 1000)
}
