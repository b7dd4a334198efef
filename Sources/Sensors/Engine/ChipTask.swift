// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers

/// One task in a chip's start or self-test. Anything that a chip has to do besides these is done by
/// its table of tasks while it is asked for the next. All waits are in microseconds.
///
/// Small numbers, not cases with values of their own: a table of them is small too.
public struct ChipTask: Sendable, BitwiseCopyable {
  @usableFromInline enum Kind: UInt8, BitwiseCopyable, Sendable {
    case identify, write, poll, configure, wait, collect, end, done
  }

  @usableFromInline let kind: Kind
  @usableFromInline var register: UInt8 = 0
  @usableFromInline var change = Change.nothing
  /// The number of looks or samples.
  @usableFromInline var count: UInt16 = 0
  /// The time from one look to the next.
  @usableFromInline var interval: UInt32 = 0
  /// The time to wait afterwards.
  @usableFromInline var wait: UInt32 = 0

  @inline(__always)
  private init(_ kind: Kind) { self.kind = kind }

  /// Reads the chip's identity, which must be of its family.
  @inline(__always)
  public static func identify<Layout>(by register: RO<Layout>) -> ChipTask {
    var task = ChipTask(.identify)
    task.register = register.address
    return task
  }

  /// Writes a register, all other fields 0, and gives the chip time.
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

  /// Looks each `interval`, at most `times` more often, until the fields of a register are as
  /// given.
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

  /// The task from which a driver goes on that only has to discard old samples.
  @inlinable @inline(__always)
  public static var firstOfFlush: Int { 128 }

  /// Writes the configuration and compares it, and gives the chip time.
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

  /// Collects `samples` samples: looks for the first after `wait`, then each `interval`.
  @inline(__always)
  public static func collect(_ samples: UInt16, wait: UInt32, each interval: UInt32) -> ChipTask {
    var task = ChipTask(.collect)
    task.count = samples
    task.wait = wait
    task.interval = interval
    return task
  }

  /// Ends a self-test, whose outcome is known.
  @inline(__always)
  public static var end: ChipTask { ChipTask(.end) }

  /// Ends a start: the chip is configured.
  @inline(__always)
  public static var done: ChipTask { ChipTask(.done) }
}
