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
    try command(.accelNormal)
    phase = .startingAccel(polls: 0)
    return wait(BMI160Timing.accelStart)
  }

  private mutating func keepResetting(_ polls: Int) throws(ChipError) -> Wake {
    guard polls < BMI160Timing.polls else { throw .resetTimedOut }
    phase = .resetting(polls: polls + 1)
    return wait(BMI160Timing.poll)
  }

  /// Whether a sensor runs; throws where it does not after all looks that it is given.
  mutating func isNormal(
    _ polls: Int, _ sensor: (BMI160Map.PMUStatus) -> Bits<BMI160Map.PowerMode>
  ) throws(ChipError) -> Bool {
    let map = BMI160Map()
    let power = try bus.read(map.pmuStatus)
    if power(sensor) == .normal { return true }
    guard polls < BMI160Timing.polls else {
      let wanted = map.pmuStatus.change { sensor($0)(.normal) }
      throw .rejected(
        register: map.pmuStatus.address, wrote: wanted.bits, readBack: power.raw)
    }
    return false
  }

  /// Writes every line, reads every line, and asks the chip whether it minds.
  mutating func writeConfiguration() throws(ChipError) {
    var index = 0
    while let line = configuration.line(index) {
      try bus.write(line)
      index += 1
    }
    index = 0
    while let line = configuration.line(index) {
      try bus.verify(line)
      index += 1
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

  /// Sampling begins, or begins again, with nothing old in queue and status.
  mutating func resume() throws(ChipError) {
    let map = BMI160Map()
    if configuration.settings.acquisition == .fifo {
      try readTemperature()
      try command(.fifoFlush)
    } else {
      var frame = InlineArray<22, UInt8>(repeating: 0)
      var span = frame.mutableSpan
      try bus.read(&span, from: map.gyrXLow)
    }
    lastLook = bus.now
    nextVerification = lastLook + BMI160Timing.verification
  }

  /// One line of the configuration each tenth of a second, and after the last one the power modes: a chip that browned
  /// out answers, but suspended and with other settings.
  mutating func verifyInTurn() throws(ChipError) {
    let now = bus.now
    guard now >= nextVerification else { return }
    nextVerification = now + BMI160Timing.verification
    if let line = configuration.line(verifiedLine) {
      verifiedLine += 1
      try bus.verify(line)
    } else {
      verifiedLine = 0
      let map = BMI160Map()
      let wanted = map.pmuStatus.change { $0.accPmuStatus(.normal) | $0.gyrPmuStatus(.normal) }
      let power = try bus.read(map.pmuStatus).raw
      guard wanted.holds(in: power) else {
        throw .rejected(register: map.pmuStatus.address, wrote: wanted.bits, readBack: power)
      }
    }
    if configuration.settings.acquisition == .fifo { try readTemperature() }
  }

  private mutating func readTemperature() throws(ChipError) {
    var span = temperature.mutableSpan
    try bus.read(&span, from: BMI160Map().temperature0)
  }
}
