// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the BMI270. After a reset the chip has no firmware and saves power. It samples once
/// firmware of the right size, with any contents, has been loaded. The model covers the durations
/// of commands and starts, the FIFO with and without headers, both pins, the self-tests, and the
/// chip-select edge that enables SPI. Filters, the functions of the firmware and the auxiliary
/// interface are not modelled.
package final class BMI270Model: ChipModel {
  let map = BMI270Map()
  var registers = RegisterFile(BMI270Map())
  private let input: any SensorInput
  private(set) var sampling: BMISampling
  private(set) var now = Timestamp.zero
  private var resetEnd: Timestamp?
  /// The time until which the chip ignores writes, because it was saving power at the last write.
  private var idleEnd = Timestamp.zero
  /// The times from which the enabled sensors have samples.
  private var accelStart = Timestamp.zero
  private var gyroStart = Timestamp.zero
  private var firmware = LoadedFirmware()
  /// The times at which the firmware's start and the gyroscope's self-test end.
  private var firmwareStart: Timestamp?
  private var gyroTestEnd: Timestamp?
  /// The specific force at the start of the gyroscope's self-test, and the time of the last
  /// deflection by the accelerometer's self-test.
  private var gyroTestForce = Vector3.zero
  private var deflectionEnd: Timestamp?
  /// The contents of registers 0x30 to 0x3F on all eight pages.
  private var pages = [UInt8](repeating: 0, count: 8 * 16)
  var queue = FrameQueue(size: BMI270Chip.fifoSize)
  /// True while the data-ready signal is latched.
  var isDataLatched = false
  /// The levels and edges of both interrupt pins.
  var pins = PinPair()
  package private(set) var listensToSPI = false
  package private(set) var samplesTaken: UInt64 = 0
  /// The cross-axis sensitivity of this part's gyroscope: the fraction of the z rate that the x
  /// axis senses, in units of 1/512. GYR_CAS contains this value as a signed number of seven bits.
  package var crossSensitivity: Int8 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    sampling = BMISampling(clockError: clockError)
  }

  package func deselect() { if resetEnd == nil { listensToSPI = true } }

  package func successor(of register: UInt8) -> UInt8 {
    let isQueue = register == map.fifoData.address || register == map.initData.address
    return isQueue ? register : (register &+ 1) & 0x7F
  }

  package func powerCycle() {
    reset()
    resetEnd = nil
    idleEnd = now
  }

  package func overrunQueue() {
    guard sampling.train.isRunning, frameLength > 0 else { return }
    queue.dropAll(telling: hasHeaders)
    registers.change(map.intStatus1) { $0.ffull(true) }
    updatePins(at: now)
  }

  package func advance(to time: Timestamp) {
    queue.beginBurst()
    firmware.endBurst()
    if let end = resetEnd, end <= time { resetEnd = nil }
    if let start = firmwareStart, start <= time {
      firmwareStart = nil
      now = start
      startFirmware()
    }
    while let next = sampling.takeNext(until: time) { sample(next) }
    sampling.takeTemperature(
      until: time, from: input, into: &registers, at: map.temperature.address)
    if let end = gyroTestEnd, end <= time {
      gyroTestEnd = nil
      endGyroTest(at: end)
    }
    now = time
  }

  // MARK: Registers

  package func read(_ register: UInt8) -> UInt8 {
    guard resetEnd == nil else { return 0xFF }
    switch register {
    case map.errReg.address, map.event.address, map.intStatus0.address:
      defer { registers[register] = 0 }
      return registers[register]
    case map.intStatus1.address:
      defer {
        registers[register] = 0
        isDataLatched = false
        updatePins(at: now)
      }
      return registers[register]
    case map.acc.address...map.acc[5].address: registers.change(map.status) { $0.drdyAcc(false) }
    case map.gyr.address...map.gyr[5].address: registers.change(map.status) { $0.drdyGyr(false) }
    case map.sensorTime.address...map.sensorTime[2].address:
      return UInt8(truncatingIfNeeded: time >> UInt32(8 * (register - map.sensorTime.address)))
    case map.fifoLength0.address: return UInt8(truncatingIfNeeded: queue.count)
    case map.fifoLength1.address: return UInt8(queue.count >> 8)
    case map.fifoData.address:
      let power = registers[map.pwrConf]
      if power({ $0.advPowerSave }) == true, power({ $0.fifoSelfWakeUp }) == false {
        return BMI160Header.empty
      }
      let wantsTime = registers[map.fifoConfig0]({ $0.fifoTimeEn }) == true && hasHeaders
      defer { updatePins(at: now) }
      return queue.read(time: wantsTime ? time : nil)
    case map.features.address...map.featuresEnd[2].address: return pages[place(of: register)]
    default: break
    }
    return registers[register]
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil, now >= idleEnd else { return }
    let saves = savesPower
    if saves { idleEnd = now + .microseconds(450) }
    switch register {
    case map.cmd.address: return begin(BMI270Map.Command(rawValue: value))
    case map.initData.address:
      let word = Int(registers[map.initAddr1.address]) << 4 | Int(registers[map.initAddr0.address])
      if !saves { firmware.load(at: 2 * word) }
      return
    case map.features.address...map.featuresEnd[2].address:
      // Page 0 contains the firmware's results, so a write to it has no effect.
      if registers[map.featPage.address] > 0 { pages[place(of: register)] = value }
      return
    default: break
    }
    let before = registers[register]
    registers.store(value, at: register)
    if register == map.initCtrl.address { restartFirmware(isLoaded: value & 1 != 0) }
    guard registers[register] != before else { return }
    switch register {
    case map.accSelfTest.address: deflectionEnd = now
    case map.pwrCtrl.address:
      let change = before ^ registers[register]
      if change & map.pwrCtrl.layout.accEn.mask != 0 { accelStart = now + .milliseconds(2) }
      if change & map.pwrCtrl.layout.gyrEn.mask != 0 { gyroStart = now + .milliseconds(45) }
      restartTrain()
    case map.accConf.address, map.gyrConf.address:
      restartTrain()
      noteChange()
    case map.accRange.address, map.gyrRange.address, map.fifoDowns.address: noteChange()
    case map.fifoConfig1.address:
      let old = map.fifoConfig1.contents(before)
      // The FIFO's contents become invalid if the header mode changes, or if the set of sensors
      // changes while headers are off.
      if !hasHeaders || old({ $0.fifoHeaderEn }) != true { queue.removeAll() }
    default: break
    }
    updatePins(at: now)
  }

  private func place(of register: UInt8) -> Int {
    Int(registers[map.featPage.address]) * 16 + Int(register - map.features.address)
  }

  private var savesPower: Bool { registers[map.pwrConf]({ $0.advPowerSave }) == true }

  private var time: UInt32 { sampling.sensorTime(at: now) }

  // MARK: Commands

  private func begin(_ command: BMI270Map.Command?) {
    switch command {
    case .softReset: reset()
    case .fifoFlush:
      queue.removeAll()
      updatePins(at: now)
    case .gyroTrigger:
      // If bit 8 of G_TRIG_1 (page 1, address 0x32) is set, the command selects another test, which
      // is not modelled. Both tests need the firmware, the accelerometer and a set crt_running bit.
      guard isInitialised, pages[16 + 3] & 0x01 == 0,
        registers[map.gyrCrtConf]({ $0.crtRunning }) == true
      else { return }
      guard accelIsOn else { return endGyroTest(with: .precondition) }
      registers.change(map.gyrSelfTestAxes) { $0.gyrStAxesDone(false) }
      gyroTestForce = input.reading(at: now).specificForce
      gyroTestEnd = now + .milliseconds(80)
    case .userGain, .programNVM, .some(.none), nil: break
    }
  }

  /// Ends the gyroscope's self-test at `time`. The firmware aborts the test if the chip moves
  /// (Bosch's driver). The model aborts it if the specific force changed by more than 0.1 g, or if
  /// the test began less than 50 ms after a deflection by the accelerometer's self-test.
  private func endGyroTest(at time: Timestamp) {
    let change = input.reading(at: time).specificForce - gyroTestForce
    let began = time - .milliseconds(80)
    let isResting = deflectionEnd.map { began >= $0 + .milliseconds(50) } ?? true
    guard change.norm <= 0.1, isResting else { return endGyroTest(with: .aborted) }
    endGyroTest(with: .noError)
    registers.change(map.gyrSelfTestAxes) {
      $0.gyrAxisZOk(true) | $0.gyrAxisYOk(true) | $0.gyrAxisXOk(true) | $0.gyrStAxesDone(true)
    }
  }

  private func endGyroTest(with status: BMI270Map.TriggerStatus) {
    registers.change(map.gyrCrtConf) { $0.crtRunning(false) }
    pages[Int(map.gyrGainStatus.address - map.features.address)] =
      map.gyrGainStatus.change { $0.trigger(status) }.bits
  }

  private func reset() {
    sampling.reset(at: now)
    queue.removeAll()
    registers.reset()
    firmware.removeAll()
    firmwareStart = nil
    gyroTestEnd = nil
    for index in pages.indices { pages[index] = 0 }
    isDataLatched = false
    pins.release()
    listensToSPI = false
    // The model's reset is shorter than the 2 ms for which drivers wait.
    resetEnd = now + .microseconds(1500)
    idleEnd = now
  }

  // MARK: Firmware

  var isInitialised: Bool { registers[map.internalStatus]({ $0.message }) == .initialised }

  private func restartFirmware(isLoaded: Bool) {
    registers.change(map.internalStatus) { $0.message(.notInitialised) }
    restartTrain()
    firmwareStart = isLoaded ? now + .milliseconds(15) : nil
  }

  /// Starts the firmware if all of it was loaded. The contents of the firmware are not checked.
  private func startFirmware() {
    registers.change(map.internalStatus) {
      $0.message(firmware.isComplete ? .initialised : .initialisationError)
    }
    pages[Int(map.gyrCas.address - map.features.address)] =
      UInt8(bitPattern: crossSensitivity) & 0x7F
    restartTrain()
  }

  // MARK: Sampling

  private var accelIsOn: Bool { registers[map.pwrCtrl]({ $0.accEn }) == true }
  private var gyroIsOn: Bool { registers[map.pwrCtrl]({ $0.gyrEn }) == true }

  private func restartTrain() {
    guard isInitialised else { return sampling.stop() }
    let accel = registers[map.accConf.address] & map.accConf.layout.accOdr.mask
    let gyro = registers[map.gyrConf.address] & map.gyrConf.layout.gyrOdr.mask
    sampling.restart(
      at: now, accel: accelIsOn ? accel : nil, gyro: gyroIsOn ? gyro : nil,
      hasThermometer: registers[map.pwrCtrl]({ $0.tempEn }) == true)
  }

  private func sample(_ due: (time: Timestamp, accel: Bool, gyro: Bool)) {
    let time = due.time
    let hasAccel = due.accel && time >= accelStart
    let hasGyro = due.gyro && time >= gyroStart
    guard hasAccel || hasGyro else { return }
    samplesTaken += 1
    var reading = input.reading(at: time)
    disturb(&reading)
    if hasAccel {
      let scale = 1 / (registers[map.accRange]({ $0 }) ?? .g2).gPerCount
      registers.put(reading.specificForce, scale, at: map.acc.address, .lowFirst)
      registers.change(map.status) { $0.drdyAcc(true) }
      registers.change(map.intStatus1) { $0.accDrdy(true) }
    }
    if hasGyro {
      let scale = 1 / (registers[map.gyrRange]({ $0.gyrRange }) ?? .dps2000).radiansPerCount
      registers.put(reading.rotationRate, scale, at: map.gyr.address, .lowFirst)
      registers.change(map.status) { $0.drdyGyr(true) }
      registers.change(map.intStatus1) { $0.gyrDrdy(true) }
    }
    fillQueue(accel: hasAccel, gyro: hasGyro)
    raiseDataReady(at: time)
    updatePins(at: time)
  }

  /// Adds the effects of the self-test, of the offset registers and of the gyroscope's cross-axis
  /// sensitivity to the measurements.
  private func disturb(_ reading: inout ChipReading) {
    let test = registers[map.accSelfTest]
    if test({ $0.accSelfTestEn }) == true {
      // The self-test passes if the deflections differ by 16, -15 and 10 g.
      let push = test({ $0.accSelfTestAmp }) == true ? 1.0 : 0.5
      let way = test({ $0.accSelfTestSign }) == true ? push : -push
      reading.specificForce += Vector3(9, -8.5, 6) * way
    }
    if registers[map.nvConf]({ $0.accOffEn }) == true {
      // The accelerometer's offset has steps of 3.9 mg.
      func offset(_ axis: UInt8) -> Double {
        Double(Int8(bitPattern: registers[map.offset.address + axis]))
      }
      reading.specificForce += Vector3(offset(0), offset(1), offset(2)) * 0.0039
    }
    if registers[map.offset6]({ $0.gyrOffEn }) == true {
      // The gyroscope's offset has ten bits. The two highest bits of all axes share one register.
      func offset(_ axis: UInt8) -> Double {
        let high = UInt16(registers[map.offset6.address] >> (2 * axis) & 0x03)
        let bits = high << 8 | UInt16(registers[map.offset[3].address + axis])
        return Double(Int16(bitPattern: bits << 6) >> 6)
      }
      reading.rotationRate +=
        Vector3(offset(0), offset(1), offset(2)) * radians(fromDegrees: 0.061)
    }
    reading.rotationRate.x += Double(crossSensitivity) / 512 * reading.rotationRate.z
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
    beginFrame((accel == nil ? 0 : 6) + (gyro == nil ? 0 : 6) + (hasHeaders ? 1 : 0))
    queue.append(gyro: gyro, accel: accel, hasHeader: hasHeaders, of: registers)
  }

  private func beginFrame(_ length: Int) {
    let stops = registers[map.fifoConfig0]({ $0.fifoStopOnFull }) == true
    if stops, queue.count + length > BMI270Chip.fifoSize { return }
    if !queue.beginFrame(length, telling: hasHeaders) {
      registers.change(map.intStatus1) { $0.ffull(true) }
    }
  }

  /// Adds a configuration-change frame of four bytes to the FIFO after the rate or range changed,
  /// if headers are enabled.
  private func noteChange() {
    guard hasHeaders, frameLength > 0, sampling.train.isRunning else { return }
    beginFrame(5)
    queue.append(BMI160Header.configuration)
    for _ in 0..<4 { queue.append(0x01) }
  }
}

/// The memory for the chip's firmware. The model stores which bytes were loaded, not their values.
private struct LoadedFirmware {
  private var isLoaded = [Bool](repeating: false, count: BMI270Chip.firmwareSize)
  private var count = 0
  /// The index of the next byte of the burst; `nil` before the burst.
  private var next: Int?

  var isComplete: Bool { count == isLoaded.count }

  mutating func endBurst() { next = nil }

  /// Stores a byte of a burst that starts at `first`.
  mutating func load(at first: Int) {
    let place = next ?? first
    next = place + 1
    guard place < isLoaded.count, !isLoaded[place] else { return }
    isLoaded[place] = true
    count += 1
  }

  mutating func removeAll() {
    for index in isLoaded.indices { isLoaded[index] = false }
    count = 0
    next = nil
  }
}
