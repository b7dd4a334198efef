// SPDX-License-Identifier: Apache-2.0
public import Registers

// What `ChipTask.write` and `ChipTask.poll` do with plain registers, done with words and with
// registers of other banks when a chip is asked for its next task.
extension RegisterDriver where Bus: ~Copyable {
  /// Writes a register of another bank, all other fields 0, and gives the chip time, in
  /// microseconds.
  public mutating func write<Layout, Access: WritableAccess>(
    _ register: Banked<Layout, Access>, wait: UInt32 = 0, _ fields: (Layout) -> Change
  ) throws(ChipError) -> ChipTask {
    try bus.set(register, fields)
    return .wait(wait)
  }

  /// Writes a word, all other fields 0, and gives the chip time, in microseconds.
  public mutating func write<Layout, Access: WritableAccess>(
    _ register: WideRegister<Layout, Access>, wait: UInt32 = 0, _ fields: (Layout) -> WideChange
  ) throws(ChipError) -> ChipTask {
    try bus.set(register, fields)
    return .wait(wait)
  }

  /// Looks each `interval`, in microseconds, at most `times` more often, until the fields of a
  /// register of another bank are as given.
  public mutating func poll<Layout, Access: ReadableAccess>(
    _ register: Banked<Layout, Access>, each interval: UInt32, times: UInt16,
    _ fields: (Layout) -> Change
  ) throws(ChipError) -> ChipTask {
    let isThere = register.register.change(fields).holds(in: try bus.read(register).raw)
    return try poll(isThere, each: interval, times: times)
  }

  /// Looks each `interval`, in microseconds, at most `times` more often, until the fields of a word
  /// are as given.
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
