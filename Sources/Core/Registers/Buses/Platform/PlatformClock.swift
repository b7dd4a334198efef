// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A function that returns the microseconds since start as a 64-bit number; 32 bits would overflow
/// after 71 minutes. A `WideCounter` extends a 32-bit timer to 64 bits. Interrupt handlers that
/// record edge times call this function too.
public typealias PlatformClock = @convention(c) () -> UInt64

/// An extension of a 32-bit counter to 64 bits.
///
/// `widen` must be called at least once in each overflow period of the counter, which is 71 minutes
/// for microseconds; drivers call it many times a second. `widen` is not reentrant: if an interrupt
/// calls it too, disable interrupts during the other calls.
public struct WideCounter: Sendable, BitwiseCopyable {
  private var high: UInt64 = 0
  private var last: UInt32 = 0

  public init() {}

  /// Returns the 64-bit count for the 32-bit `count`. The result is never less than the previous
  /// result.
  public mutating func widen(_ count: UInt32) -> UInt64 {
    if count < last { high &+= 1 << 32 }
    last = count
    return high | UInt64(count)
  }
}

/// Returns the current time on the platform's clock.
func timestamp(_ clock: PlatformClock) -> Timestamp {
  Timestamp(nanoseconds: Int64(truncatingIfNeeded: clock()) &* 1000)
}
