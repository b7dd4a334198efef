// SPDX-License-Identifier: Apache-2.0
internal import Buses
internal import Quantities
internal import Registers
internal import Sensors

// From reset to running, one step per extension member.
extension BMI160 where Bus: ~Copyable {
  /// Chooses the interface again, which the reset has undone. A chip that is still resetting may be silent.
  mutating func reconnect() throws(ChipError) -> Wake {
    do throws(ChipError) { _ = try bus.read(BMI160Facts.interfaceSelect) } catch {
      guard error.busError == .noAcknowledge else { throw error }
      return try keepResetting()
    }
    phase = .reconnected
    return wait(BMI160Timing.interfaceSelect)
  }

  /// A chip that has reset says who it is and that both sensors are suspended. The accelerometer is started then.
  mutating func checkReset() throws(ChipError) -> Wake {
    let map = BMI160Map()
    let id = try bus.read(map.chipID).raw
    let power = try bus.read(map.pmuStatus)
    guard id == identity, power({ $0.accPmuStatus }) == .suspend,
      power({ $0.gyrPmuStatus }) == .suspend
    else { return try keepResetting() }
    return try begin(.accel)
  }

  private mutating func keepResetting() throws(ChipError) -> Wake {
    guard polls < BMI160Timing.polls else { throw .resetTimedOut }
    polls &+= 1
    phase = .resetting
    return wait(BMI160Timing.poll)
  }

  @inline(never)
  private mutating func begin(_ sensor: BMI160Sensor) throws(ChipError) -> Wake {
    polls = 0
    switch sensor {
    case .accel:
      phase = .startingAccel
      try command(.accelNormal)
      return wait(BMI160Timing.accelStart)
    case .gyro:
      phase = .startingGyro
      try command(.gyroNormal)
      return wait(BMI160Timing.gyroStart)
    case .lowPower:
      phase = .startingLowPower
      try command(.accelLowPower)
      return wait(BMI160Timing.accelLowPower)
    }
  }

  /// Goes on where a sensor runs; throws where it does not after all looks that it is given.
  @inline(never)
  mutating func awaitSensor() throws(ChipError) -> Wake {
    let map = BMI160Map()
    let wanted = map.pmuStatus.change {
      switch phase {
      case .startingGyro: $0.gyrPmuStatus(.normal)
      case .startingLowPower where Bus.abilities.contains(.lowPower): $0.accPmuStatus(.lowPower)
      default: $0.accPmuStatus(.normal)
      }
    }
    let power = try bus.read(map.pmuStatus).raw
    guard wanted.holds(in: power) else {
      guard polls < BMI160Timing.polls else {
        throw .rejected(register: map.pmuStatus.address, wrote: wanted.bits, readBack: power)
      }
      polls &+= 1
      return wait(BMI160Timing.poll)
    }
    switch phase {
    case .startingAccel where hasGyro || tests:
      return try begin(.gyro)
    case .startingLowPower where Bus.abilities.contains(.lowPower): break
    default:
      if tests { return try beginTest() }
      try writeConfiguration()
      // Not before: in low power, writes must be far apart.
      if isUndersampled { return try begin(.lowPower) }
    }
    phase = .settling
    // A sample that was begun with the old range is gone after two periods.
    return wait(max(clock.measuredPeriod * 2, BMI160Timing.idleWrite))
  }

  /// Writes every line, reads every line, and asks the chip whether it minds.
  private mutating func writeConfiguration() throws(ChipError) {
    // As RegisterBus.configure, whose closure would have to hold a copy of the table.
    var index = 0
    while let line = line(index) {
      try bus.write(line)
      index &+= 1
    }
    index = 0
    while let line = line(index) {
      try bus.verify(line)
      index &+= 1
    }
    let map = BMI160Map()
    let errors = try bus.read(map.errReg)
    // The flag of the magnetometer interface says nothing about these sensors.
    guard errors({ $0.dropCmdErr }) == false, errors({ $0.errCode }) == 0,
      errors({ $0.fatalErr }) == false
    else {
      throw .rejected(register: map.errReg.address, wrote: 0, readBack: errors.raw)
    }
  }

  /// Line `index` of the configuration; `nil` past the last.
  @inline(never)
  func line(_ index: Int) -> RegisterValue? {
    if index < configuration.common.count { return configuration.common[index] }
    return detects ? configuration.detectionLine(index &- configuration.common.count) : nil
  }

  /// Sampling begins, or begins again, with nothing old in queue and status.
  mutating func resume() throws(ChipError) {
    if acquires(.fifo) {
      try readTemperature()
      try command(.fifoFlush)
    } else if !acquires(.detections) {
      var frame = InlineArray<22, UInt8>(repeating: 0)
      var span = frame.mutableSpan
      // A sample that comes while these are read is seen by the next look.
      lastLook = bus.now
      try bus.read(&span, from: BMI160Map().gyrXLow)
    }
  }

  /// Each tenth of a second the power modes, because a chip that browned out answers, but suspended; and one line of
  /// the configuration, in turn.
  mutating func verifyInTurn(_ batch: inout RawBatch) throws(ChipError) {
    let now = bus.now
    guard now >= nextVerification else { return }
    nextVerification = now.advanced(by: BMI160Timing.verification)
    if Bus.abilities.contains(.verification) {
      let map = BMI160Map()
      let wanted = powerStatus
      let power = try bus.read(map.pmuStatus).raw
      guard wanted.holds(in: power) else {
        throw .rejected(register: map.pmuStatus.address, wrote: wanted.bits, readBack: power)
      }
      // Its interval is that of the power modes.
      var patrol = patrol
      let next = patrol.next(at: now, every: .zero) { line($0) }
      self.patrol = patrol
      if let next { try bus.verify(next) }
    }
    guard acquires(.fifo) else { return }
    try readTemperature()
    if detects { try look(after: .due, into: &batch) }
  }

  private mutating func readTemperature() throws(ChipError) {
    var span = temperature.mutableSpan
    try bus.read(&span, from: BMI160Map().temperature0)
  }
}
