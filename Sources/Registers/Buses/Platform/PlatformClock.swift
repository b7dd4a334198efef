// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The microseconds since the start, as the platform counts them: of 64 bits, for 32 are over after
/// 71 minutes. A timer of 32 bits becomes one of 64 by a `WideCounter`. May be called from an
/// interrupt, where edges are timed in one.
public typealias PlatformClock = @convention(c) () -> UInt64

/// A counter of 64 bits made from one of 32 bits.
///
/// It must be asked at least once in each turn of the counter, 71 minutes where that counts
/// microseconds; drivers ask many times a second. Not from two contexts at once: where an interrupt
/// asks too, interrupts are off meanwhile.
public struct WideCounter: Sendable, BitwiseCopyable {
  private var high: UInt64 = 0
  private var last: UInt32 = 0

  public init() {}

  /// Returns the count that `count` stands for, which is not before the last one.
  public mutating func widen(_ count: UInt32) -> UInt64 {
    if count < last { high &+= 1 << 32 }
    last = count
    return high | UInt64(count)
  }
}

/// Returns a moment by the platform's clock.
func timestamp(_ clock: PlatformClock) -> Timestamp {
  Timestamp(nanoseconds: Int64(truncatingIfNeeded: clock()) &* 1000)
}
