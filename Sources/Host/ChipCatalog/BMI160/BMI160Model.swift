// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the BMI160. Both sensors are suspended after a reset. The model covers the durations
/// of commands, the FIFO with and without headers, both pins, detections, the self-test, offsets
/// with their fast compensation and permanent memory, and the chip-select edge that enables SPI.
/// Filters, averaging in low power and the magnetometer's interface are not modelled.
package final class BMI160Model: ChipModel {
  let map = BMI160Map()
  var registers = RegisterFile(BMI160Map())
  let input: any SensorInput
  private(set) var sampling: BMISampling
  var now = Timestamp.zero
  private var resetEnd: Timestamp?
  /// The time at which any register was last written.
  private var lastWrite: Timestamp?
  /// The command that the chip is executing, and the time of its end.
  private var pending: (command: BMI160Map.Command, end: Timestamp)?
  private var gyroTestEnd: Timestamp?
  /// The offsets in the chip's permanent memory, from which a reset loads the registers.
  private var keptOffsets = InlineArray<7, UInt8>(repeating: 0)
  var queue = FrameQueue(size: BMI160Chip.fifoSize)
  var detectors = BMI160Detectors()
  /// The time at which a detection flag that is latched for a limited time is cleared.
  var holdEnd: Timestamp?
  /// True while the data-ready flag is latched.
  var isDataLatched = false
  /// The levels and edges of both interrupt pins.
  var pins = PinPair()
  package private(set) var listensToSPI = false

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    sampling = BMISampling(clockError: clockError)
  }

  package func deselect() { if resetEnd == nil { listensToSPI = true } }

  package func successor(of register: UInt8) -> UInt8 {
    register == map.fifoData.address ? register : (register &+ 1) & 0x7F
  }

  package private(set) var samplesTaken: UInt64 = 0

  package func powerCycle() {
    reset()
    resetEnd = nil
    lastWrite = nil
  }

  package func overrunQueue() {
    guard sampling.train.isRunning, frameLength > 0 else { return }
    queue.dropAll(telling: hasHeaders)
    registers.change(map.intStatus1) { $0.ffullInt(true) }
    updatePins(at: now)
  }

  package func advance(to time: Timestamp) {
    queue.beginBurst()
    if let end = resetEnd, end <= time { resetEnd = nil }
    if let (command, end) = pending, end <= time {
      pending = nil
      take(upTo: end)
      finish(command, at: end)
    }
    take(upTo: time)
    if let end = gyroTestEnd, end <= time {
      gyroTestEnd = nil
      registers.change(map.status) { $0.gyrSelfTestOk(true) }
    }
    releaseDetections(at: time)
    now = time
  }

  private func take(upTo time: Timestamp) {
    while let next = sampling.takeNext(until: time) { sample(next) }
    sampling.takeTemperature(
      until: time, from: input, into: &registers, at: map.temperature.address)
  }

  package func read(_ register: UInt8) -> UInt8 {
    guard resetEnd == nil else { return 0xFF }
    switch register {
    case map.errReg.address:
      defer { registers[register] = 0 }
      return registers[register]
    case map.sensorTime.address...map.sensorTime[2].address:
      return UInt8(truncatingIfNeeded: time >> UInt32(8 * (register - map.sensorTime.address)))
    case map.gyr.address...map.gyr[5].address:
      registers.change(map.status) { $0.drdyGyr(false) }
    case map.acc.address...map.acc[5].address:
      registers.change(map.status) { $0.drdyAcc(false) }
    case map.intStatus0.address...map.intStatus3.address:
      defer { clearInterrupts(of: register) }
      return registers[register]
    case map.fifoLength0.address: return UInt8(truncatingIfNeeded: queue.count)
    case map.fifoLength1.address: return UInt8(queue.count >> 8)
    case map.fifoData.address:
      let wantsTime = registers[map.fifoConfig1]({ $0.fifoTimeEn }) == true && hasHeaders
      defer { updatePins(at: now) }
      return queue.read(time: wantsTime ? time : nil)
    default: break
    }
    return registers[register]
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    // While no sensor is in normal mode, the chip loses a write within 450 us of the previous write
    // (Linux).
    let isTooSoon = !isAwake && lastWrite.map { now < $0 + .microseconds(450) } ?? false
    lastWrite = now
    if register == map.cmd.address {
      if isTooSoon {
        registers.change(map.errReg) { $0.dropCmdErr(true) }
      } else if let command = BMI160Map.Command(rawValue: value) {
        begin(command)
      }
      return
    }
    guard !isTooSoon else { return }
    let before = registers[register]
    registers.store(value, at: register)
    guard registers[register] != before else { return }
    switch register {
    case map.selfTest.address:
      registers.change(map.status) { $0.gyrSelfTestOk(false) }
      let isTesting = registers[map.selfTest]({ $0.gyrSelfTestEn }) == true
      // Bosch's driver reads the self-test's result after 20 ms.
      gyroTestEnd = isTesting && gyroRuns ? now + .milliseconds(20) : nil
    case map.accConf.address, map.gyrConf.address:
      restartTrain()
      noteChange()
    case map.accRange.address, map.gyrRange.address, map.fifoDowns.address: noteChange()
    case map.fifoConfig1.address:
      let old = map.fifoConfig1.contents(before)
      let new = registers[map.fifoConfig1]
      // The FIFO's contents become invalid if the header mode changes, or if the set of sensors
      // changes while headers are off.
      if old({ $0.fifoHeaderEn }) != new({ $0.fifoHeaderEn })
        || !hasHeaders
          && (old({ $0.fifoAccEn }) != new({ $0.fifoAccEn })
            || old({ $0.fifoGyrEn }) != new({ $0.fifoGyrEn }))
      {
        queue.removeAll()
      }
    default: break
    }
    updatePins(at: now)
  }

  // MARK: Commands

  private func begin(_ command: BMI160Map.Command) {
    if command == .softReset {
      reset()
      return
    }
    guard pending == nil else {
      registers.change(map.errReg) { $0.dropCmdErr(true) }
      return
    }
    switch command {
    case .accelLowPower where registers[map.pmuStatus]({ $0.accPmuStatus }) != .normal:
      pending = (command, now + .microseconds(3800))
    case .accelNormal: pending = (command, now + .microseconds(3800))
    case .gyroNormal:
      let isAwake = registers[map.pmuStatus]({ $0.gyrPmuStatus }) == .fastStart
      pending = (command, now + .milliseconds(isAwake ? 10 : 80))
    case .fastOffsetCompensation where registers[map.focConf.address] & 0x7F != 0:
      // The compensation takes at most 250 ms, for which Bosch's and ChromiumOS's drivers wait. If
      // FOC_CONF requests nothing, the compensation ends at once, because circuitpython-bmi160
      // sends such a command and waits only 0.1 s before the next one.
      registers.change(map.status) { $0.focRdy(false) }
      pending = (command, now + .milliseconds(250))
    default: finish(command, at: now)
    }
  }

  private func finish(_ command: BMI160Map.Command, at time: Timestamp) {
    switch command {
    case .accelSuspend: setPower(map.pmuStatus.change { $0.accPmuStatus(.suspend) })
    case .accelNormal: setPower(map.pmuStatus.change { $0.accPmuStatus(.normal) })
    case .accelLowPower: setPower(map.pmuStatus.change { $0.accPmuStatus(.lowPower) })
    case .gyroSuspend: setPower(map.pmuStatus.change { $0.gyrPmuStatus(.suspend) })
    case .gyroNormal: setPower(map.pmuStatus.change { $0.gyrPmuStatus(.normal) })
    case .gyroFastStart: setPower(map.pmuStatus.change { $0.gyrPmuStatus(.fastStart) })
    case .magSuspend: registers.change(map.pmuStatus) { $0.magPmuStatus(.suspend) }
    case .magNormal: registers.change(map.pmuStatus) { $0.magPmuStatus(.normal) }
    case .magLowPower: registers.change(map.pmuStatus) { $0.magPmuStatus(.lowPower) }
    case .fifoFlush:
      queue.removeAll()
      updatePins(at: time)
    case .interruptReset:
      clearInterrupts(of: map.intStatus0.address)
      clearInterrupts(of: map.intStatus1.address)
    case .fastOffsetCompensation: compensate(at: time)
    case .programNVM:
      guard registers[map.conf]({ $0 }) == true else { break }
      for index in UInt8(0)..<7 { keptOffsets[Int(index)] = registers[map.offset.address + index] }
    case .softReset: break
    }
    func setPower(_ change: Change) {
      registers.change(map.pmuStatus) { _ in change }
      restartTrain(at: time)
    }
  }

  private func reset() {
    sampling.reset(at: now)
    queue.removeAll()
    registers.reset()
    for index in UInt8(0)..<7 { registers[map.offset.address + index] = keptOffsets[Int(index)] }
    pending = nil
    gyroTestEnd = nil
    detectors = BMI160Detectors()
    holdEnd = nil
    isDataLatched = false
    pins.release()
    listensToSPI = false
    // The model's reset is shorter than the 1 ms for which drivers wait.
    resetEnd = now + .microseconds(800)
  }

  // MARK: Sampling

  private var accelRuns: Bool {
    let mode = registers[map.pmuStatus]({ $0.accPmuStatus })
    return mode == .normal || mode == .lowPower
  }

  /// True if at least one sensor is in normal mode, so that the chip's clock is fast.
  private var isAwake: Bool {
    gyroRuns || registers[map.pmuStatus]({ $0.accPmuStatus }) == .normal
  }

  private var gyroRuns: Bool { registers[map.pmuStatus]({ $0.gyrPmuStatus }) == .normal }

  private var time: UInt32 { sampling.sensorTime(at: now) }

  private func restartTrain() { restartTrain(at: now) }

  private func restartTrain(at time: Timestamp) {
    let accel = registers[map.accConf.address] & map.accConf.layout.accOdr.mask
    let gyro = registers[map.gyrConf.address] & map.gyrConf.layout.gyrOdr.mask
    sampling.restart(
      at: time, accel: accelRuns ? accel : nil, gyro: gyroRuns ? gyro : nil, hasThermometer: true)
  }

  private func sample(_ due: (time: Timestamp, accel: Bool, gyro: Bool)) {
    let (time, hasAccel, hasGyro) = due
    guard hasAccel || hasGyro else { return }
    samplesTaken += 1
    var reading = input.reading(at: time)
    disturb(&reading)
    releaseDetections(at: time)
    if hasAccel {
      let scale = (registers[map.accRange]({ $0 }) ?? .g2).countsPerG
      registers.put(reading.specificForce, scale, at: map.acc.address, .lowFirst)
      registers.change(map.status) { $0.drdyAcc(true) }
    }
    if hasGyro {
      let scale =
        (registers[map.gyrRange]({ $0 }) ?? .dps2000).countsPerDegreePerSecond
        * degrees(fromRadians: 1)
      registers.put(reading.rotationRate, scale, at: map.gyr.address, .lowFirst)
      registers.change(map.status) { $0.drdyGyr(true) }
    }
    fillQueue(accel: hasAccel, gyro: hasGyro)
    if hasAccel { detect(at: time) }
    raiseDataReady(at: time)
    updatePins(at: time)
  }

  // MARK: FIFO

  var hasHeaders: Bool { registers[map.fifoConfig1]({ $0.fifoHeaderEn }) == true }

  /// The size in bytes of a frame that holds all enabled sensors.
  var frameLength: Int {
    let sources = registers[map.fifoConfig1]
    let data =
      (sources({ $0.fifoGyrEn }) == true ? 6 : 0) + (sources({ $0.fifoAccEn }) == true ? 6 : 0)
    return data == 0 ? 0 : data + (hasHeaders ? 1 : 0)
  }

  /// Adds a frame to the FIFO: a header that names the sensors, then the gyroscope, then the
  /// accelerometer.
  private func fillQueue(accel: Bool, gyro: Bool) {
    let sources = registers[map.fifoConfig1]
    let accel = accel && sources({ $0.fifoAccEn }) == true ? map.acc.address : nil
    let gyro = gyro && sources({ $0.fifoGyrEn }) == true ? map.gyr.address : nil
    guard accel != nil || gyro != nil else { return }
    let length = (accel == nil ? 0 : 6) + (gyro == nil ? 0 : 6) + (hasHeaders ? 1 : 0)
    if !queue.beginFrame(length, telling: hasHeaders) {
      registers.change(map.intStatus1) { $0.ffullInt(true) }
    }
    queue.append(gyro: gyro, accel: accel, hasHeader: hasHeaders, of: registers)
  }

  /// Adds a configuration-change frame to the FIFO after the rate or range changed, if headers are
  /// enabled.
  private func noteChange() {
    guard hasHeaders, frameLength > 0, sampling.train.isRunning else { return }
    _ = queue.beginFrame(2, telling: true)
    queue.append(BMI160Header.configuration)
    queue.append(0x01)
  }
}
