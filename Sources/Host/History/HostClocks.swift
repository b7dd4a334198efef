// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import Glibc
public import Quantities

/// A reading of the machine's clocks at one time.
public struct ClockReading: Equatable, Sendable, BitwiseCopyable {
  /// The wall clock in nanoseconds since 1970, UTC. Users and NTP can set it, and the clock is
  /// reset if its battery is empty.
  public var wall: Int64
  /// The time on CLOCK_MONOTONIC, the clock of samples: the time since boot without sleep.
  public var boot: Timestamp
  /// The time that the machine was asleep since boot: CLOCK_BOOTTIME minus CLOCK_MONOTONIC.
  public var suspended: TimeSpan

  public init(wall: Int64, boot: Timestamp, suspended: TimeSpan = .zero) {
    self.wall = wall
    self.boot = boot
    self.suspended = suspended
  }

  /// The time since the machine's boot, including sleep.
  var uptime: Timestamp { boot + suspended }

  /// The date that the wall clock shows.
  package var date: Date { date(of: boot) }

  /// Returns the date of `time` on CLOCK_MONOTONIC, according to the current setting of the wall
  /// clock. `suspended` is the time asleep since boot at `time`; the default is the current value.
  package func date(of time: Timestamp, asleep suspended: TimeSpan? = nil) -> Date {
    let age = (boot - time) + (self.suspended - (suspended ?? self.suspended))
    return Date(timeIntervalSince1970: Double(wall) / 1e9 - age.seconds)
  }
}

/// The identifier of a boot, to which the times of a monotonic clock belong.
public struct BootIdentifier: Equatable, Sendable, BitwiseCopyable {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The boot ID of the kernel (random(4)); zero without /proc.
  public static let current: BootIdentifier = {
    let text =
      (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
    let digits = text.filter(\.isHexDigit)
    return BootIdentifier(
      high: UInt64(digits.prefix(16), radix: 16) ?? 0,
      low: UInt64(digits.dropFirst(16), radix: 16) ?? 0)
  }()
}

/// The clocks of the machine that a store uses. Tests replace these clocks.
public struct HostClocks: Sendable {
  public var boot: BootIdentifier
  public var now: @Sendable () -> ClockReading

  public init(boot: BootIdentifier, now: @escaping @Sendable () -> ClockReading) {
    self.boot = boot
    self.now = now
  }

  public static let system = HostClocks(boot: .current) {
    // The thread may be interrupted between two readings, so the closest of several pairs of
    // readings is used.
    var best = ClockReading(wall: 0, boot: .zero)
    var narrowest = Int64.max
    for _ in 0..<4 {
      let before = read(CLOCK_MONOTONIC)
      let wall = read(CLOCK_REALTIME)
      let uptime = read(CLOCK_BOOTTIME)
      let after = read(CLOCK_MONOTONIC)
      guard after - before < narrowest else { continue }
      narrowest = after - before
      let middle = before + narrowest / 2
      best = ClockReading(
        wall: wall, boot: Timestamp(nanoseconds: middle),
        suspended: TimeSpan(nanoseconds: max(0, uptime - middle)))
      if narrowest < 10_000 { break }
    }
    return best
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)  // the C function keeps no pointer
    return nanoseconds(seconds: Int64(time.tv_sec), and: Int64(time.tv_nsec))
  }

  /// The limit of clock readings in nanoseconds before and after 1970, in the years 1684 and 2255.
  /// A 64-bit number has room for a week of blocks beyond the limit. Linux does not allow a clock
  /// beyond 2232.
  package static let furthest: Int64 = 9_000_000_000_000_000_000

  /// Returns `seconds` and `rest` nanoseconds as nanoseconds, limited to `furthest`.
  package static func nanoseconds(seconds: Int64, and rest: Int64) -> Int64 {
    let (scaled, isFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = scaled.addingReportingOverflow(rest)
    if isFar || isBeyond { return seconds < 0 ? -furthest : furthest }
    return min(max(sum, -furthest), furthest)
  }
}
