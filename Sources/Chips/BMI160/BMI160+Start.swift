// SPDX-License-Identifier: Apache-2.0
internal import Buses
internal import Quantities
internal import Registers
internal import Sensors

// From reset to running, one step per extension member.
extension BMI160 where Bus: ~Copyable {
  /// Chooses the interface again, which the reset has undone. A chip that is still resetting may be silent.
  mutating func reconnect(_ polls: Int) throws(ChipError) -> Wake {
    do throws(ChipError) { _ = try bus.read(BMI160Facts.interfaceSelect) } catch {
      guard error.busError == .noAcknowledge else { throw error }
      return try keepResetting(polls)
    }
    phase = .reconnected(polls: polls)
    return wait(BMI160Timing.interfaceSelect)
  }

  /// A chip that has reset says who it is and that both sensors are suspended. The accelerometer is started then.
  mutating func checkReset(_ polls: Int) throws(ChipError) -> Wake {
    let map = BMI160Map()
    let id = try bus.read(map.chipID).raw
    let power = try bus.read(map.pmuStatus)
    guard id == identity, power({ $0.accPmuStatus }) == .suspend,
      power({ $0.gyrPmuStatus }) == .suspend
    else { return try keepResetting(polls) }
    return try begin(.accel)
  }

  private mutating func keepResetting(_ polls: Int) throws(ChipError) -> Wake {
    guard polls < BMI160Timing.polls else { throw .resetTimedOut }
    phase = .resetting(polls: polls + 1)
    return wait(BMI160Timing.poll)
  }

  private mutating func begin(_ sensor: BMI160Sensor) throws(ChipError) -> Wake {
    phase = .starting(sensor, polls: 0)
    switch sensor {
    case .accel:
      try command(.accelNormal)
      return wait(BMI160Timing.accelStart)
    case .gyro:
      try command(.gyroNormal)
      return wait(BMI160Timing.gyroStart)
    case .lowPower:
      try command(.accelLowPower)
      return wait(BMI160Timing.accelLowPower)
    }
  }

  /// Goes on where a sensor runs; throws where it does not after all looks that it is given.
  mutating func awaitSensor(_ sensor: BMI160Sensor, _ polls: Int) throws(ChipError) -> Wake {
    let map = BMI160Map()
    let wanted = map.pmuStatus.change {
      switch sensor {
      case .accel: $0.accPmuStatus(.normal)
      case .gyro: $0.gyrPmuStatus(.normal)
      case .lowPower: $0.accPmuStatus(.lowPower)
      }
    }
    let power = try bus.read(map.pmuStatus).raw
    guard wanted.holds(in: power) else {
      guard polls < BMI160Timing.polls else {
        throw .rejected(register: map.pmuStatus.address, wrote: wanted.bits, readBack: power)
      }
      phase = .starting(sensor, polls: polls + 1)
      return wait(BMI160Timing.poll)
    }
    switch sensor {
    case .accel where configuration.hasGyro || test.isWanted:
      return try begin(.gyro)
    case .accel, .gyro:
      if test.isWanted { return try beginTest() }
      try writeConfiguration()
      // Not before: in low power, writes must be far apart.
      if configuration.isUndersampled { return try begin(.lowPower) }
    case .lowPower: break
    }
    phase = .settling
    // A sample that was begun with the old range is gone after two periods.
    return wait(max(clock.measuredPeriod * 2, BMI160Timing.idleWrite))
  }

  /// Writes every line, reads every line, and asks the chip whether it minds.
  private mutating func writeConfiguration() throws(ChipError) {
    try bus.configure { [configuration] in configuration.line($0) }
    let map = BMI160Map()
    let errors = try bus.read(map.errReg)
    // The flag of the magnetometer interface says nothing about these sensors.
    guard errors({ $0.dropCmdErr }) == false, errors({ $0.errCode }) == 0,
      errors({ $0.fatalErr }) == false
    else {
      throw .rejected(register: map.errReg.address, wrote: 0, readBack: errors.raw)
    }
  }

  /// Sampling begins, or begins again, with nothing old in queue and status.
  mutating func resume() throws(ChipError) {
    switch configuration.settings.acquisition {
    case .fifo:
      try readTemperature()
      try command(.fifoFlush)
    case .dataReady, .polling:
      var frame = InlineArray<22, UInt8>(repeating: 0)
      var span = frame.mutableSpan
      // A sample that comes while these are read is seen by the next look.
      lastLook = bus.now
      try bus.read(&span, from: BMI160Map().gyrXLow)
    case .detections: break
    }
  }

  /// Each tenth of a second the power modes, because a chip that browned out answers, but suspended; and one line of
  /// the configuration, in turn.
  mutating func verifyInTurn(_ batch: inout RawBatch) throws(ChipError) {
    let now = bus.now
    guard now >= nextVerification else { return }
    nextVerification = now + BMI160Timing.verification
    let map = BMI160Map()
    let wanted = configuration.power
    let power = try bus.read(map.pmuStatus).raw
    guard wanted.holds(in: power) else {
      throw .rejected(register: map.pmuStatus.address, wrote: wanted.bits, readBack: power)
    }
    // Its interval is that of the power modes.
    let line = patrol.next(at: now, every: .zero) { [configuration] in configuration.line($0) }
    if let line { try bus.verify(line) }
    guard configuration.settings.acquisition == .fifo else { return }
    try readTemperature()
    if configuration.detects { try look(after: .due, into: &batch) }
  }

  private mutating func readTemperature() throws(ChipError) {
    var span = temperature.mutableSpan
    try bus.read(&span, from: BMI160Map().temperature0)
  }
}
