// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

extension RegisterDriver where Bus: ~Copyable {
  /// Performs steps of the start or self-test until one needs a wait. Returns `nil` after the last
  /// step.
  @inlinable
  mutating func advanceTasks(into batch: inout RawBatch) throws(ChipError) -> NextStep? {
    if Bus.abilities.contains(.selfTest), phase == .testing, trial.isCollecting {
      try Chip.readTrial(&self, at: place &- 1, into: &batch)
      if trial.isCollecting { return after(trial.look) }
    }
    while true {
      let task = try nextTask()
      switch task.kind {
      case .identify: try identify(by: task.register)
      case .write:
        try bus.write(RegisterValue(address: task.register, value: task.change.applied(to: 0)))
      case .poll:
        if !task.change.holds(in: try bus.contents(of: task.register)) {
          try count(upTo: task.count)
          return after(task.interval)
        }
        polls = 0
      case .configure:
        if isTesting {
          phase = .testing
          trial = Trial()
          place = 0
          continue
        }
        try verifyConfiguration(writing: true)
        try verifyConfiguration(writing: false)
      case .wait: break
      case .collect:
        guard Bus.abilities.contains(.selfTest) else { break }
        trial.collect(Int(task.count), each: task.interval)
      case .end:
        guard Bus.abilities.contains(.selfTest) else { break }
        trial.isOver = true
        phase = .idle
        return .never
      case .done: return nil
      }
      place &+= 1
      if task.wait > 0 { return after(task.wait) }
    }
  }

  /// Counts a poll that did not find the expected state. Throws `resetTimedOut` after the last one.
  @inlinable
  mutating func count(upTo times: UInt16) throws(ChipError) {
    guard polls < times else { throw .resetTimedOut }
    polls &+= 1
  }

  /// Repeats from step `place` after `interval` microseconds, at most `times` times. Throws
  /// `resetTimedOut` after that.
  package mutating func again(from place: Int, after interval: UInt32, times: UInt16)
    throws(ChipError) -> ChipTask
  {
    try count(upTo: times)
    self.place = place &- 1
    return .wait(interval)
  }

  /// Waits, like `ChipTask.poll`, until the chip's register holds `change`. Throws `rejected` after
  /// the last poll.
  package mutating func expect(
    _ change: Change, in register: UInt8, each interval: UInt32, times: UInt16
  ) throws(ChipError) -> ChipTask {
    let contents = try bus.contents(of: register)
    guard !change.holds(in: contents) else {
      polls = 0
      return .wait(0)
    }
    guard polls < times else {
      throw .rejected(register: register, wrote: change.bits, readBack: contents)
    }
    return try again(from: place, after: interval, times: times)
  }

  /// Returns the next step that is due `microseconds` after the end of this one.
  @inlinable
  func after(_ microseconds: UInt32) -> NextStep { .after(.microseconds(Int64(microseconds))) }

  @inlinable
  mutating func nextTask() throws(ChipError) -> ChipTask {
    if Bus.abilities.contains(.selfTest), phase == .testing {
      return try Chip.trial(&self, at: place)
    }
    return try Chip.start(&self, at: place)
  }

  /// Reads the chip's identity and chooses the codes of that part for the requested settings, as
  /// far as the part supports them.
  @inlinable
  mutating func identify(by register: UInt8) throws(ChipError) {
    let id = try bus.contents(of: register)
    saidIdentity = id
    let known = codes.readout.assumedIdentity ?? id
    guard !codes.part.says(known) else { return }
    guard Bus.abilities.contains(.relatives), let part = Chip.Codes.Part(identity: known),
      var settings = requested ?? codes.settings
    else { throw .identity(found: id, register: register) }
    guard let chosen = Chip.Codes(checking: &settings, of: part, isSPI: bus.isSPI),
      Bus.abilities.isSuperset(of: chosen.abilities)
    else { throw .unsupportedSetting }
    codes = chosen
    clock = Self.clock(of: chosen)
  }
}
