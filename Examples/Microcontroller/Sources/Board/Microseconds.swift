// SPDX-License-Identifier: Apache-2.0
public import Registers
internal import Startup

/// The clock of this board: a 32-bit timer that counts down at 25 MHz (Arm's Cortex-M System Design
/// Kit, APB timer).
public enum Microseconds {
  private static var timer: UInt { 0x4000_0000 }
  private static var control: UInt { timer }
  private static var value: UInt { timer + 4 }
  private static var reload: UInt { timer + 8 }

  /// 25 ticks a microsecond: over after 171 s, so that the ticks are widened first.
  private static var ticksPerMicrosecond: UInt64 { 25 }

  // One context: no interrupt asks.
  private nonisolated(unsafe) static var counter = WideCounter()

  /// Lets it run.
  public static func start() {
    register_write(reload, .max)
    register_write(value, .max)
    register_write(control, 1)
  }

  /// Since the start: what `PlatformI2C` and `PlatformSPI` ask for.
  public static var clock: PlatformClock {
    { Microseconds.ticks / Microseconds.ticksPerMicrosecond }
  }

  /// Ticks of 40 ns since the start.
  public static var ticks: UInt64 { counter.widen(.max - register_read(value)) }
}
