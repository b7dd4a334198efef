// SPDX-License-Identifier: Apache-2.0
public import Registers

// Register writes and polls that `StepAction.write` and `StepAction.poll` cannot express, because
// those handle plain registers only. A chip calls these functions for words and for registers in
// other banks when it returns its next step.
extension RegisterDriver where Bus: ~Copyable {
  /// Writes a register in another bank, with all fields 0 that are not named, then waits for `wait`
  /// microseconds.
  public mutating func write<Layout, Access: WritableAccess>(
    _ register: Banked<Layout, Access>, wait: UInt32 = 0, _ fields: (Layout) -> Change
  ) throws(ChipError) -> StepAction {
    try bus.set(register, fields)
    return .wait(wait)
  }

  /// Writes a 16-bit register, with all fields 0 that are not named, then waits for `wait`
  /// microseconds.
  public mutating func write<Layout, Access: WritableAccess>(
    _ register: WideRegister<Layout, Access>, wait: UInt32 = 0, _ fields: (Layout) -> WideChange
  ) throws(ChipError) -> StepAction {
    try bus.set(register, fields)
    return .wait(wait)
  }

  /// Polls a register in another bank every `interval` microseconds until its fields have the given
  /// values. Makes at most `times` further polls after the first poll.
  public mutating func poll<Layout, Access: ReadableAccess>(
    _ register: Banked<Layout, Access>, each interval: UInt32, times: UInt16,
    _ fields: (Layout) -> Change
  ) throws(ChipError) -> StepAction {
    let isThere = register.register.change(fields).holds(in: try bus.read(register).raw)
    return try poll(isThere, each: interval, times: times)
  }

  /// Polls a 16-bit register every `interval` microseconds until its fields have the given values.
  /// Makes at most `times` further polls after the first poll.
  public mutating func poll<Layout, Access: ReadableAccess>(
    _ register: WideRegister<Layout, Access>, each interval: UInt32, times: UInt16,
    _ fields: (Layout) -> WideChange
  ) throws(ChipError) -> StepAction {
    let isThere = register.change(fields).holds(in: try bus.read(register).raw)
    return try poll(isThere, each: interval, times: times)
  }

  private mutating func poll(_ isThere: Bool, each interval: UInt32, times: UInt16)
    throws(ChipError) -> StepAction
  {
    guard !isThere else {
      polls = 0
      return .wait(0)
    }
    return try again(after: interval, times: times)
  }
}
