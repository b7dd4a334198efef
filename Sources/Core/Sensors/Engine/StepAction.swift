// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers

/// The steps of a chip's start or self-test: an enum of `UInt8` whose cases are in the order of the
/// steps, from 0.
public protocol ChipStep: RawRepresentable, Sendable where RawValue == UInt8 {}

/// The work that the engine does in one step of a chip's start or self-test. All waits are in
/// microseconds. The function that returns the action does all other work of the step itself.
///
/// The type consists of numbers instead of enum cases with payloads, so that a table of actions is
/// small.
public struct StepAction: Sendable, BitwiseCopyable {
  @usableFromInline enum Kind: UInt8, BitwiseCopyable, Sendable {
    case identify, write, poll, configure, wait, collect
  }

  @usableFromInline let kind: Kind
  @usableFromInline var register: UInt8 = 0
  @usableFromInline var change = Change.nothing
  /// The number of polls in the step, or of samples that the step collects.
  @usableFromInline var count: UInt16 = 0
  /// The time between two polls of the step, in microseconds.
  @usableFromInline var interval: UInt32 = 0
  /// The driver's waiting time after the step, in microseconds.
  @usableFromInline var wait: UInt32 = 0

  @inline(__always)
  private init(_ kind: Kind) { self.kind = kind }

  /// Reads the chip's identity and throws if that identity is outside the family.
  @inline(__always)
  public static func identify<Layout>(by register: RO<Layout>) -> StepAction {
    var action = StepAction(.identify)
    action.register = register.address
    return action
  }

  /// Writes the named fields of a register, with all other fields 0, then waits.
  @inline(__always)
  public static func write<Layout, Access: WritableAccess>(
    _ register: Register<Layout, Access>, wait: UInt32 = 0, _ fields: (Layout) -> Change
  ) -> StepAction {
    var action = StepAction(.write)
    action.register = register.address
    action.change = register.change(fields)
    action.wait = wait
    return action
  }

  /// Polls a register every `interval` until its fields have the given values. Makes at most
  /// `times` further polls after the first poll.
  @inline(__always)
  public static func poll<Layout, Access: ReadableAccess>(
    _ register: Register<Layout, Access>, each interval: UInt32, times: UInt16,
    _ fields: (Layout) -> Change
  ) -> StepAction {
    var action = StepAction(.poll)
    action.register = register.address
    action.change = register.change(fields)
    action.interval = interval
    action.count = times
    return action
  }

  /// Writes and verifies the configuration, then waits.
  @inline(__always)
  public static func configure(wait: UInt32 = 0) -> StepAction {
    var action = StepAction(.configure)
    action.wait = wait
    return action
  }

  @inline(__always)
  public static func wait(_ wait: UInt32) -> StepAction {
    var action = StepAction(.wait)
    action.wait = wait
    return action
  }

  /// Continues with the next step without a wait.
  @inline(__always)
  public static var next: StepAction { .wait(0) }

  /// Collects `samples` samples: polls for the first sample after `wait`, then every `interval`.
  @inline(__always)
  public static func collect(_ samples: UInt16, wait: UInt32, each interval: UInt32) -> StepAction {
    var action = StepAction(.collect)
    action.count = samples
    action.wait = wait
    action.interval = interval
    return action
  }
}
