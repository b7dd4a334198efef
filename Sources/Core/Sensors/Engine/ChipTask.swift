// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers

/// The steps of a chip's start or self-test: an enum of `UInt8` whose cases are in the order of the
/// steps, from 0.
public protocol ChipStep: RawRepresentable, Sendable where RawValue == UInt8 {}

/// The work that the engine does in one step of a chip's start or self-test. All waits are in
/// microseconds. The function that returns the task does all other work of the step itself.
///
/// The type consists of numbers instead of enum cases with payloads, so that a table of tasks is
/// small.
public struct ChipTask: Sendable, BitwiseCopyable {
  @usableFromInline enum Kind: UInt8, BitwiseCopyable, Sendable {
    case identify, write, poll, configure, wait, collect
  }

  @usableFromInline let kind: Kind
  @usableFromInline var register: UInt8 = 0
  @usableFromInline var change = Change.nothing
  /// The number of polls of the step, or of samples that it collects.
  @usableFromInline var count: UInt16 = 0
  /// The time between two polls of the step, in microseconds.
  @usableFromInline var interval: UInt32 = 0
  /// The driver's waiting time after the step, in microseconds.
  @usableFromInline var wait: UInt32 = 0

  @inline(__always)
  private init(_ kind: Kind) { self.kind = kind }

  /// Reads the chip's identity and throws if that identity is outside the family.
  @inline(__always)
  public static func identify<Layout>(by register: RO<Layout>) -> ChipTask {
    var task = ChipTask(.identify)
    task.register = register.address
    return task
  }

  /// The step writes a register with all other fields 0, then waits.
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

  /// Polls a register every `interval` until its fields have the given values. Makes at most
  /// `times` further polls after the first poll.
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

  /// The step continues with the next step without a wait.
  @inline(__always)
  public static var next: ChipTask { .wait(0) }

  /// Collects `samples` samples: polls for the first after `wait`, then every `interval`.
  @inline(__always)
  public static func collect(_ samples: UInt16, wait: UInt32, each interval: UInt32) -> ChipTask {
    var task = ChipTask(.collect)
    task.count = samples
    task.wait = wait
    task.interval = interval
    return task
  }
}
