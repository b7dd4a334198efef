// SPDX-License-Identifier: Apache-2.0
public import Registers

// `ChipTask.write` and `ChipTask.poll` handle plain registers only. For words and registers in
// other banks these functions do the same while a chip returns its next step.
extension RegisterDriver where Bus: ~Copyable {
  /// Writes a register in another bank, all other fields 0, then waits; microseconds.
  public mutating func write<Layout, Access: WritableAccess>(
    _ register: Banked<Layout, Access>, wait: UInt32 = 0, _ fields: (Layout) -> Change
  ) throws(ChipError) -> ChipTask {
    try bus.set(register, fields)
    return .wait(wait)
  }

  /// Writes a word, all other fields 0, then waits; microseconds.
  public mutating func write<Layout, Access: WritableAccess>(
    _ register: WideRegister<Layout, Access>, wait: UInt32 = 0, _ fields: (Layout) -> WideChange
  ) throws(ChipError) -> ChipTask {
    try bus.set(register, fields)
    return .wait(wait)
  }

  /// Polls every `interval`, in microseconds, at most `times` more often, until the fields of a
  /// register in another bank have the given values.
  public mutating func poll<Layout, Access: ReadableAccess>(
    _ register: Banked<Layout, Access>, each interval: UInt32, times: UInt16,
    _ fields: (Layout) -> Change
  ) throws(ChipError) -> ChipTask {
    let isThere = register.register.change(fields).holds(in: try bus.read(register).raw)
    return try poll(isThere, each: interval, times: times)
  }

  /// Polls every `interval` microseconds until the fields of a word have the given values, at most
  /// `times` more times.
  public mutating func poll<Layout, Access: ReadableAccess>(
    _ register: WideRegister<Layout, Access>, each interval: UInt32, times: UInt16,
    _ fields: (Layout) -> WideChange
  ) throws(ChipError) -> ChipTask {
    let isThere = register.change(fields).holds(in: try bus.read(register).raw)
    return try poll(isThere, each: interval, times: times)
  }

  private mutating func poll(_ isThere: Bool, each interval: UInt32, times: UInt16)
    throws(ChipError) -> ChipTask
  {
    guard !isThere else {
      polls = 0
      return .wait(0)
    }
    return try again(from: place, after: interval, times: times)
  }
}
