// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension MPU6050Model {
  func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    // At 8 kHz the accelerometer takes only every eighth sample; the accelerometer's words repeat
    // in between.
    accelSteps += isFast && !isCycling ? 1 + Int(registers[map.sampleRateDivider.address]) : 8
    if accelSteps >= 8 {
      accelSteps = min(accelSteps - 8, 7)
      storeForce(reading.specificForce)
    }
    if !isCycling {
      let counted =
        (reading.temperature - part.thermometer.degreesAtZero) * part.thermometer.countsPerDegree
      registers.put(counts(counted, 1), at: map.temperature.address, .highFirst)
      // The gyroscope's output words keep their values until the gyroscope's start has ended.
      if time >= gyroStart { storeTurn(reading.rotationRate) }
    }
    if registers[map.userControl]({ $0.auxiliaryMasterEnable }) == true { runMaster(at: time) }
    if registers[map.userControl]({ $0.fifoEnable }) == true { fillQueue() }
    // The data-ready flag is set whether or not the interrupt is enabled: i2cdevlib and Bolder
    // Flight's library poll the flag without enabling the interrupt.
    registers.change(map.interruptStatus) { $0.dataReady(true) }
    var raises = registers[map.interruptEnable]({ $0.dataReady }) == true
    if moves(reading.specificForce) {
      registers.change(map.interruptStatus) { $0.motion(true) }
      raises = true
    }
    guard raises else { return }
    // A latched pin stays active until a register is read, and has no further edge until then.
    if registers[map.interruptPin]({ $0.latched }) == true {
      if isHeld { return }
      isHeld = true
    }
    interrupt.append(time)
  }

  private func storeForce(_ felt: Vector3) {
    let standby = registers[map.power2]
    let tested = registers[map.accelConfig]
    let scale = (tested({ $0.fullScale }) ?? .g2).countsPerG
    var force = felt + UserOffsets.force { registers.count(at: accelOffset($0), .highFirst) }
    if tested({ $0.selfTestX }) == true { force.x += stimulus(0) }
    if tested({ $0.selfTestY }) == true { force.y += stimulus(1) }
    if tested({ $0.selfTestZ }) == true { force.z += stimulus(2) }
    if standby({ $0.standbyAccelX }) == true { force.x = 0 }
    if standby({ $0.standbyAccelY }) == true { force.y = 0 }
    if standby({ $0.standbyAccelZ }) == true { force.z = 0 }
    registers.put(force, scale, at: map.accel.address, .highFirst)
  }

  private func storeTurn(_ felt: Vector3) {
    let standby = registers[map.power2]
    let tested = registers[map.gyroConfig]
    let scale =
      (tested({ $0.fullScale }) ?? .dps250).countsPerDegreePerSecond * degrees(fromRadians: 1)
    var turn =
      felt
      + UserOffsets.turn { registers.count(at: map.gyroOffset.address + 2 * UInt8($0), .highFirst) }
    if tested({ $0.selfTestX }) == true { turn.x += turnStimulus(0) }
    if tested({ $0.selfTestY }) == true { turn.y += turnStimulus(1) }
    if tested({ $0.selfTestZ }) == true { turn.z += turnStimulus(2) }
    if standby({ $0.standbyGyroX }) == true { turn.x = 0 }
    if standby({ $0.standbyGyroY }) == true { turn.y = 0 }
    if standby({ $0.standbyGyroZ }) == true { turn.z = 0 }
    registers.put(turn, scale, at: map.gyro.address, .highFirst)
  }

  /// Returns the self-test's stimulus on an axis of the accelerometer, in g, computed from the
  /// factory's code.
  private func stimulus(_ axis: UInt8) -> Double {
    guard part.generation == .mpu6050 else {
      return InvenSenseTrim.g(registers[later.selfTestAccel.address + axis], of: part.generation)
    }
    let high = registers[map.selfTestX.address + axis] >> 5
    let low = (registers[map.selfTestA.address] >> (4 - 2 * axis)) & 0b11
    return InvenSenseTrim.g(high << 2 | low, of: part.generation)
  }

  /// Returns the self-test's stimulus on an axis of the gyroscope, in rad/s.
  private func turnStimulus(_ axis: UInt8) -> Double {
    let code =
      part.generation == .mpu6050
      ? registers[map.selfTestX.address + axis] & 0b1_1111
      : registers[gyroCodes + axis]
    return radians(
      fromDegrees: InvenSenseTrim.degreesPerSecond(code, axis: Int(axis), of: part.generation))
  }

  /// Returns true if wake-on-motion detects motion: an axis differs from its previous sample by
  /// more than the threshold.
  private func moves(_ force: Vector3) -> Bool {
    guard part.generation == .mpu6500 else { return false }
    defer { previousForce = force }
    guard let previous = previousForce, registers[map.interruptEnable]({ $0.motion }) == true,
      registers[later.motionControl]({ $0.enable }) == true,
      registers[later.motionControl]({ $0.comparesWithPrevious }) == true
    else { return false }
    let limit = Double(registers[later.wakeOnMotionThreshold.address]) * 0.004
    let change = force - previous
    return abs(change.x) > limit || abs(change.y) > limit || abs(change.z) > limit
  }

  /// Adds the words of the enabled sensors to the FIFO in register order: accelerometer,
  /// temperature, and the gyroscope axis by axis.
  private func fillQueue() {
    let sources = registers[map.fifoEnable]
    let stops =
      part.generation != .mpu6050 && registers[later.config]({ $0.stopsWhenFull }) == true
    var fits = true
    func push(_ first: UInt8, _ count: UInt8) {
      for address in first..<(first + count) {
        if stops && queue.count == part.fifoSize || !queue.append(registers[address]) {
          fits = false
        }
      }
    }
    if part.isICM20602 {
      let queued = registers[ICM20602Map().fifoEnable]
      let (gyro, accel) = (queued({ $0.gyro }) == true, queued({ $0.accel }) == true)
      if accel { push(map.accel.address, 6) }
      if accel || gyro { push(map.temperature.address, 2) }
      if gyro { push(map.gyro.address, 6) }
      if !fits { registers.change(map.interruptStatus) { $0.fifoOverflow(true) } }
      return
    }
    if sources({ $0.accel }) == true { push(map.accel.address, 6) }
    if sources({ $0.temperature }) == true { push(map.temperature.address, 2) }
    if sources({ $0.gyroX }) == true { push(map.gyro.address, 2) }
    if sources({ $0.gyroY }) == true { push(map.gyro[2].address, 2) }
    if sources({ $0.gyroZ }) == true { push(map.gyro[4].address, 2) }
    if sources({ $0.auxiliary0 }) == true {
      push(map.externalData0.address, registers[map.slave0Control]({ $0.length }) ?? 0)
    }
    if !fits { registers.change(map.interruptStatus) { $0.fifoOverflow(true) } }
  }

  /// Runs the transfers of the auxiliary master, which take place at each sample.
  private func runMaster(at time: Timestamp) {
    var refused = master.run({ slave($0) }, at: time) { place, byte in
      registers[map.externalData0.address + place] = byte
    }
    if registers[map.slave4Control]({ $0.enable }) == true {
      registers.change(map.slave4Control) { $0.enable(false) }
      let answer = master.transfer(
        AuxiliaryMaster.Slave(
          address: registers[map.slave4Address.address],
          register: registers[map.slave4Register.address], control: 0,
          out: registers[map.slave4Out.address]), at: time)
      if let answer { registers[map.slave4In.address] = answer }
      refused |= answer == nil ? 0x50 : 0x40
    }
    registers[map.auxiliaryStatus.address] |= refused
  }

  private func slave(_ index: UInt8) -> AuxiliaryMaster.Slave {
    let first = map.slave0Address.address + 3 * index
    return AuxiliaryMaster.Slave(
      address: registers[first], register: registers[first + 1], control: registers[first + 2],
      out: registers[map.slaveOut.address + index])
  }
}
