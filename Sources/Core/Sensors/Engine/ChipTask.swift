// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers

/// One step of a chip's start or self-test. Other work is done by the chip's function that returns
/// the steps, when it is called for the next one. All waits are in microseconds.
///
/// Numbers rather than enum cases with payloads, to keep a table of steps small.
public struct ChipTask: Sendable, BitwiseCopyable {
  @usableFromInline enum Kind: UInt8, BitwiseCopyable, Sendable {
    case identify, write, poll, configure, wait, collect, end, done
  }

  @usableFromInline let kind: Kind
  @usableFromInline var register: UInt8 = 0
  @usableFromInline var change = Change.nothing
  /// The number of polls or samples.
  @usableFromInline var count: UInt16 = 0
  /// The time between polls.
  @usableFromInline var interval: UInt32 = 0
  /// The time to wait afterwards.
  @usableFromInline var wait: UInt32 = 0

  @inline(__always)
  private init(_ kind: Kind) { self.kind = kind }

  /// Reads the chip's identity, which must belong to its family.
  @inline(__always)
  public static func identify<Layout>(by register: RO<Layout>) -> ChipTask {
    var task = ChipTask(.identify)
    task.register = register.address
    return task
  }

  /// Writes a register, all other fields 0, then waits.
  @inline(__always)
  public static func write<Layout, Access: WritableAccess>(
    _ register: Register<Layout, Access>, wait: UInt32 = 0, _ fields: (Layout) -> Change
  ) -> ChipTask {
    var task = ChipTask(.write)
    task.register = register.address
    task.change = register.change(fields)
    task.wait = wait
    return task
  }

  /// Polls every `interval`, at most `times` more often, until the register's fields have the given
  /// values.
  @inline(__always)
  public static func poll<Layout, Access: ReadableAccess>(
    _ register: Register<Layout, Access>, each interval: UInt32, times: UInt16,
    _ fields: (Layout) -> Change
  ) -> ChipTask {
    var task = ChipTask(.poll)
    task.register = register.address
    task.change = register.change(fields)
    task.interval = interval
    task.count = times
    return task
  }

  /// The index of the first step for a driver that only has to discard old samples.
  @inlinable @inline(__always)
  public static var firstOfFlush: Int { 128 }

  /// Writes and verifies the configuration, then waits.
  @inline(__always)
  public static func configure(wait: UInt32 = 0) -> ChipTask {
    var task = ChipTask(.configure)
    task.wait = wait
    return task
  }

  @inline(__always)
  public static func wait(_ wait: UInt32) -> ChipTask {
    var task = ChipTask(.wait)
    task.wait = wait
    return task
  }

  /// Collects `samples` samples: polls for the first after `wait`, then every `interval`.
  @inline(__always)
  public static func collect(_ samples: UInt16, wait: UInt32, each interval: UInt32) -> ChipTask {
    var task = ChipTask(.collect)
    task.count = samples
    task.wait = wait
    task.interval = interval
    return task
  }

  /// Ends a self-test; its result is available.
  @inline(__always)
  public static var end: ChipTask { ChipTask(.end) }

  /// Ends a start: the chip is configured.
  @inline(__always)
  public static var done: ChipTask { ChipTask(.done) }
}
