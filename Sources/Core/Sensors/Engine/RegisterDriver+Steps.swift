// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

extension RegisterDriver where Bus: ~Copyable {
  /// Performs steps of the start or self-test until a step needs a wait. Returns `nil` after the
  /// last step.
  @inlinable @inline(never)
  mutating func advanceSteps(into batch: inout RawBatch) throws(ChipError) -> NextStep? {
    if Bus.abilities.contains(.selfTest), phase == .testing, testProgress.isCollecting {
      if let step = Chip.SelfTest.Step(rawValue: stepNumber &- 1) {
        try Chip.SelfTest.read(&self, at: step, into: &batch)
      }
      if testProgress.isCollecting { return after(testProgress.pollInterval) }
    }
    while let action = try nextAction() {
      switch action.kind {
      case .identify: try identify(by: action.register)
      case .write:
        try bus.write(RegisterValue(address: action.register, value: action.change.applied(to: 0)))
      case .poll:
        if !action.change.holds(in: try bus.contents(of: action.register)) {
          try count(upTo: action.count)
          return after(action.interval)
        }
        polls = 0
      case .configure:
        if isTesting {
          phase = .testing
          testProgress = SelfTestProgress()
          stepNumber = 0
          continue
        }
        try verifyConfiguration(writing: true)
        try verifyConfiguration(writing: false)
      case .wait: break
      case .collect:
        guard Bus.abilities.contains(.selfTest) else { break }
        testProgress.collect(Int(action.count), each: action.interval)
      }
      stepNumber &+= 1
      if action.wait > 0 { return after(action.wait) }
    }
    guard Bus.abilities.contains(.selfTest), phase == .testing else { return nil }
    testProgress.isOver = true
    phase = .idle
    return .never
  }

  /// Counts a poll that did not find the expected state. Throws `resetTimedOut` after the last
  /// allowed poll.
  @inlinable
  mutating func count(upTo times: UInt16) throws(ChipError) {
    guard polls < times else { throw .resetTimedOut }
    polls &+= 1
  }

  /// Continues the start or self-test with `step`, which may be an earlier or a later step, after
  /// `wait` microseconds.
  package mutating func go(to step: Chip.StartStep, after wait: UInt32) -> StepAction {
    stepNumber = step.rawValue &- 1
    return .wait(wait)
  }

  /// Repeats the start from `step` after `interval` microseconds, at most `times` times. Throws
  /// `resetTimedOut` after the last repetition.
  package mutating func again(from step: Chip.StartStep, after interval: UInt32, times: UInt16)
    throws(ChipError) -> StepAction
  {
    try count(upTo: times)
    return go(to: step, after: interval)
  }

  /// Repeats this step after `interval` microseconds, at most `times` times. Throws `resetTimedOut`
  /// after the last repetition.
  package mutating func again(after interval: UInt32, times: UInt16) throws(ChipError) -> StepAction
  {
    try count(upTo: times)
    stepNumber &-= 1
    return .wait(interval)
  }

  /// Waits, like `StepAction.poll`, until the chip's register holds `change`. Throws `unexpected`
  /// after the last poll.
  package mutating func expect(
    _ change: Change, in register: UInt8, each interval: UInt32, times: UInt16
  ) throws(ChipError) -> StepAction {
    let contents = try bus.contents(of: register)
    guard !change.holds(in: contents) else {
      polls = 0
      return .wait(0)
    }
    guard polls < times else {
      throw .unexpected(register: register, wanted: change.bits, found: contents)
    }
    return try again(after: interval, times: times)
  }

  /// Returns the next step that is due `microseconds` after the end of this step.
  @inlinable
  func after(_ microseconds: UInt32) -> NextStep { .after(.microseconds(Int64(microseconds))) }

  /// Returns what the engine does in the next step of the start or self-test; `nil` after the last.
  @inlinable
  mutating func nextAction() throws(ChipError) -> StepAction? {
    if Bus.abilities.contains(.selfTest), phase == .testing {
      guard let step = Chip.SelfTest.Step(rawValue: stepNumber) else { return nil }
      return try Chip.SelfTest.action(&self, at: step)
    }
    guard let step = Chip.StartStep(rawValue: stepNumber) else { return nil }
    return try Chip.start(&self, at: step)
  }

  /// Switches to `part`, which was not determined from the identity, and chooses the part's
  /// register codes for the requested settings. Throws `unsupportedSetting` if that part or this
  /// connection does not support the settings.
  package mutating func take(_ part: Chip.Codes.Part) throws(ChipError) {
    guard part != codes.part else { return }
    guard Bus.abilities.contains(.relatives), var settings = requested ?? codes.settings,
      let chosen = Chip.Codes(checking: &settings, of: part, isSPI: bus.isSPI),
      Bus.abilities.isSuperset(of: chosen.abilities)
    else { throw .unsupportedSetting }
    codes = chosen
    clock = Self.clock(of: chosen)
  }

  /// Reads the chip's identity and chooses the register codes of the part with that identity. The
  /// codes are for the requested settings, as far as the part supports these settings.
  @inlinable
  mutating func identify(by register: UInt8) throws(ChipError) {
    let id = try bus.contents(of: register)
    reportedIdentity = id
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
