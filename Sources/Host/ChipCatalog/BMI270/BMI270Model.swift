// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the BMI270. After a reset the chip has no firmware and saves power; it samples once
/// any firmware of the right size was loaded. The model covers the durations of commands and
/// starts, the FIFO with and without headers, both pins, the self-tests, and an SPI that a
/// chip-select edge must enable. Filters, the functions of the firmware and the auxiliary interface
/// are not modelled.
package final class BMI270Model: ChipModel {
  let map = BMI270Map()
  var registers = RegisterFile(BMI270Map())
  private let input: any SensorInput
  private let clockError: Double
  /// The sample times of the faster sensor. The slower sensor samples at some of these times.
  var train: SampleTrain
  private var ticks: UInt = 0
  private var accelEvery: UInt = 1
  private var gyroEvery: UInt = 1
  private(set) var period = TimeSpan.zero
  private var temperatureTrain: SampleTrain
  private(set) var now = Timestamp.zero
  private var started = Timestamp.zero
  private var resetEnd: Timestamp?
  /// The time until which the chip loses writes, because the last write was made while it saved
  /// power.
  private var idleEnd = Timestamp.zero
  /// The times from which the sensors that are on have samples.
  private var accelStart = Timestamp.zero
  private var gyroStart = Timestamp.zero
  private var firmware = LoadedFirmware()
  /// The end of the firmware's start, and of the gyroscope's self-test.
  private var firmwareStart: Timestamp?
  private var gyroTestEnd: Timestamp?
  /// The registers 0x30 to 0x3F of the eight pages.
  private var pages = [UInt8](repeating: 0, count: 8 * 16)
  var queue = FrameQueue(size: BMI270Chip.fifoSize)
  /// True while the data-ready signal is latched.
  var isDataLatched = false
  /// The levels and edges of both interrupt pins.
  var pins = PinPair()
  package private(set) var listensToSPI = false
  package private(set) var samplesTaken: UInt64 = 0
  /// The part of z that the x axis of this part's gyroscope senses, in 1/512: the contents of
  /// GYR_CAS, a signed number of seven bits.
  package var crossSensitivity: Int8 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    self.clockError = clockError
    train = SampleTrain(clockError: clockError)
    temperatureTrain = SampleTrain(clockError: clockError)
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
    guard train.isRunning, frameLength > 0 else { return }
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
    while let next = train.takeNext(until: time) { sample(at: next) }
    var newest: Timestamp?
    while let next = temperatureTrain.takeNext(until: time) { newest = next }
    if let newest {
      let celsius = input.reading(at: newest).temperature
      // The most negative code means that there is no temperature.
      registers.put(
        max(counts(celsius - 23, 512), -32767), at: map.temperature.address, .lowFirst)
    }
    if let end = gyroTestEnd, end <= time {
      gyroTestEnd = nil
      registers.change(map.gyrCrtConf) { $0.crtRunning(false) }
      registers.change(map.gyrSelfTestAxes) {
        $0.gyrAxisZOk(true) | $0.gyrAxisYOk(true) | $0.gyrAxisXOk(true) | $0.gyrStAxesDone(true)
      }
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
      // Page 0 has the results of the firmware.
      if registers[map.featPage.address] > 0 { pages[place(of: register)] = value }
      return
    default: break
    }
    let before = registers[register]
    registers.store(value, at: register)
    if register == map.initCtrl.address { restartFirmware(isLoaded: value & 1 != 0) }
    guard registers[register] != before else { return }
    switch register {
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
      // The FIFO's contents become invalid if the header mode changes, or, without headers, the
      // sensors.
      if !hasHeaders || old({ $0.fifoHeaderEn }) != true { queue.removeAll() }
    default: break
    }
    updatePins(at: now)
  }

  private func place(of register: UInt8) -> Int {
    Int(registers[map.featPage.address]) * 16 + Int(register - map.features.address)
  }

  private var savesPower: Bool { registers[map.pwrConf]({ $0.advPowerSave }) == true }

  /// The time since the chip's reset, in ticks of 39 us (25.6 kHz).
  private var time: UInt32 {
    let elapsed = Double((now - started).nanoseconds) * (1 + clockError)
    return UInt32(truncatingIfNeeded: Int64(saturating: (elapsed / 39062.5).rounded(.towardZero)))
      & 0xFF_FFFF
  }

  // MARK: Commands

  private func begin(_ command: BMI270Map.Command?) {
    switch command {
    case .softReset: reset()
    case .fifoFlush:
      queue.removeAll()
      updatePins(at: now)
    case .gyroTrigger:
      // Bit 8 of G_TRIG_1, on page 1 at 0x32, selects another test. Both need the firmware and the
      // accelerometer, and begin with this bit.
      guard isInitialised, accelIsOn, pages[16 + 3] & 0x01 == 0,
        registers[map.gyrCrtConf]({ $0.crtRunning }) == true
      else { return }
      registers.change(map.gyrSelfTestAxes) { $0.gyrStAxesDone(false) }
      gyroTestEnd = now + .milliseconds(80)
    case .userGain, .programNVM, .some(.none), nil: break
    }
  }

  private func reset() {
    train.stop()
    temperatureTrain.stop()
    queue.removeAll()
    registers.reset()
    firmware.removeAll()
    firmwareStart = nil
    gyroTestEnd = nil
    for index in pages.indices { pages[index] = 0 }
    isDataLatched = false
    pins.release()
    listensToSPI = false
    started = now
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

  /// Starts the firmware, whatever it is, if all of it was loaded.
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
    train.stop()
    temperatureTrain.stop()
    let accel = registers[map.accConf.address] & map.accConf.layout.accOdr.mask
    let gyro = registers[map.gyrConf.address] & map.gyrConf.layout.gyrOdr.mask
    let accelCode = accelIsOn ? min(max(accel, 1), 12) : 0
    let gyroCode = gyroIsOn ? min(max(gyro, 6), 13) : 0
    let fastest = max(accelCode, gyroCode)
    guard fastest > 0, isInitialised else { return }
    accelEvery = accelCode > 0 ? 1 << UInt(fastest - accelCode) : 0
    gyroEvery = gyroCode > 0 ? 1 << UInt(fastest - gyroCode) : 0
    ticks = 0
    // The output rate is 100 / 2^(8 - code) Hz, computed as a multiple of the slowest rate.
    let rate = 0.78125 * Double(1 << UInt(fastest - 1))
    period = TimeSpan(seconds: 1 / rate / (1 + clockError))
    train.start(at: now, rate: rate)
    if registers[map.pwrCtrl]({ $0.tempEn }) == true {
      temperatureTrain.start(at: now, rate: gyroIsOn ? 100 : 1 / 1.28)
    }
  }

  private func sample(at time: Timestamp) {
    ticks &+= 1
    let hasAccel = accelEvery > 0 && ticks % accelEvery == 0 && time >= accelStart
    let hasGyro = gyroEvery > 0 && ticks % gyroEvery == 0 && time >= gyroStart
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
      // The gyroscope's offset has ten bits, with two of each axis in a register that all share.
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
    let accel = accel && sources({ $0.fifoAccEn }) == true
    let gyro = gyro && sources({ $0.fifoGyrEn }) == true
    guard accel || gyro else { return }
    beginFrame((accel ? 6 : 0) + (gyro ? 6 : 0) + (hasHeaders ? 1 : 0))
    if hasHeaders {
      queue.append(
        accel && gyro ? BMI160Header.gyroAndAccel : accel ? BMI160Header.accel : BMI160Header.gyro)
    }
    if gyro { for index in UInt8(0)..<6 { queue.append(registers[map.gyr[index].address]) } }
    if accel { for index in UInt8(0)..<6 { queue.append(registers[map.acc[index].address]) } }
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
    guard hasHeaders, frameLength > 0, train.isRunning else { return }
    beginFrame(5)
    queue.append(BMI160Header.configuration)
    for _ in 0..<4 { queue.append(0x01) }
  }
}

/// The memory for the chip's firmware, of which only the loaded places matter.
private struct LoadedFirmware {
  private var isLoaded = [Bool](repeating: false, count: BMI270Chip.firmwareSize)
  private var count = 0
  /// The place of the next byte of the burst; `nil` before the burst.
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
