// SPDX-License-Identifier: Apache-2.0
internal import Chips
public import Quantities
internal import Registers
internal import Sensors

/// The BMI160 from the outside: both sensors suspended after reset, commands that take their time, a queue with and
/// without headers, data-ready pulses, the watermark's level, and an SPI that must be woken by its chip select.
/// Filters, low-power averaging, offsets, self-test, the motion functions and the magnetometer's interface are
/// not modelled.
public final class BMI160Model: ChipModel {
  let map = BMI160Map()
  var registers = RegisterFile(BMI160Map())
  let surroundings: any Surroundings
  private let clockError: Double
  /// Ticks at the rate of the faster sensor; the slower one samples at some of them.
  private var train: SampleTrain
  private var ticks: UInt = 0
  private var accelEvery: UInt = 1
  private var gyroEvery: UInt = 1
  private var period = TimeSpan.zero
  private var temperatureTrain: SampleTrain
  var now = Timestamp.zero
  private var started = Timestamp.zero
  private var resetEnd: Timestamp?
  /// The command that is being carried out, and until when.
  private var pending: (command: BMI160Map.Command, end: Timestamp)?
  var queue = BMI160Queue()
  private var edges = EdgeQueue()
  /// Whether the queue's level holds the pin up.
  private var isLevelHigh = false
  /// Whether a latched data-ready holds the pin up.
  private var isLatched = false
  public private(set) var listensToSPI = false

  /// A chip whose oscillator is off by `clockError` parts.
  public init(_ surroundings: any Surroundings, clockError: Double = 0) {
    self.surroundings = surroundings
    self.clockError = clockError
    train = SampleTrain(clockError: clockError)
    temperatureTrain = SampleTrain(clockError: clockError)
  }

  public func deselect() { if resetEnd == nil { listensToSPI = true } }

  public func successor(of register: UInt8) -> UInt8 {
    register == map.fifoData.address ? register : (register &+ 1) & 0x7F
  }

  public private(set) var samplesTaken: UInt64 = 0

  public var isActiveLow: Bool { registers[map.intOutCtrl]({ $0.int1Lvl }) != true }

  public func powerCycle() {
    reset()
    resetEnd = nil
  }

  public func overrunQueue() {
    guard train.isRunning, frameLength > 0 else { return }
    queue.dropAll(telling: hasHeaders)
    registers.change(map.intStatus1) { $0.ffullInt(true) }
    updateLevel(at: now)
  }

  public func takeEdges(of pin: UInt8) -> EdgeQueue {
    guard pin == 1 else { return EdgeQueue() }
    defer { edges.removeAll() }
    return edges
  }

  public func nextEdge(of pin: UInt8) -> Timestamp? {
    guard pin == 1, let next = train.next, drivesPin else { return nil }
    if pinsDataReady { return isLatched ? nil : next }
    guard let level, !isLevelHigh, frameLength > 0 else { return nil }
    let missing = max(1, (level - queue.count + frameLength - 1) / frameLength)
    // Of the coming frames, the one that reaches the level.
    return next + period * Int64(missing - 1)
  }

  public func advance(to time: Timestamp) {
    queue.beginBurst()
    if let end = resetEnd, end <= time { resetEnd = nil }
    if let (command, end) = pending, end <= time {
      pending = nil
      take(upTo: end)
      finish(command, at: end)
    }
    take(upTo: time)
    now = time
  }

  private func take(upTo time: Timestamp) {
    while let next = train.next, next <= time {
      train.advance()
      sample(at: next)
    }
    var newest: Timestamp?
    while let next = temperatureTrain.next, next <= time {
      temperatureTrain.advance()
      newest = next
    }
    if let newest {
      let celsius = surroundings.reading(at: newest).temperature
      // The most negative code means that there is none.
      store(max(counts(celsius - 23, 512), -32767), at: map.temperature0)
    }
  }

  public func read(_ register: UInt8) -> UInt8 {
    guard resetEnd == nil else { return 0xFF }
    switch register {
    case map.errReg.address:
      defer { registers[register] = 0 }
      return registers[register]
    case map.sensortime0.address...map.sensortime2.address:
      return UInt8(truncatingIfNeeded: time >> UInt32(8 * (register - map.sensortime0.address)))
    case map.gyrXLow.address...map.gyrZHigh.address:
      registers.change(map.status) { $0.drdyGyr(false) }
    case map.accXLow.address...map.accZHigh.address:
      registers.change(map.status) { $0.drdyAcc(false) }
    case map.intStatus0.address...map.intStatus3.address:
      defer { if register == map.intStatus1.address { clearInterrupts() } }
      return registers[register]
    case map.fifoLength0.address: return UInt8(truncatingIfNeeded: queue.count)
    case map.fifoLength1.address: return UInt8(queue.count >> 8)
    case map.fifoData.address:
      let wantsTime = registers[map.fifoConfig1]({ $0.fifoTimeEn }) == true && hasHeaders
      defer { updateLevel(at: now) }
      return queue.read(time: wantsTime ? time : nil)
    default: break
    }
    return registers[register]
  }

  public func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    if register == map.cmd.address {
      if let command = BMI160Map.Command(rawValue: value) { begin(command) }
      return
    }
    let before = registers[register]
    registers.store(value, at: register)
    guard registers[register] != before else { return }
    switch register {
    case map.accConf.address, map.gyrConf.address:
      restartTrain()
      noteChange()
    case map.accRange.address, map.gyrRange.address, map.fifoDowns.address: noteChange()
    case map.fifoConfig1.address:
      let old = Contents<BMI160Map.FIFOConfig1>(raw: before)
      let new = registers[map.fifoConfig1]
      // Another mode, and without headers another set of sensors, makes what is in the queue unreadable.
      if old({ $0.fifoHeaderEn }) != new({ $0.fifoHeaderEn })
        || !hasHeaders
          && (old({ $0.fifoAccEn }) != new({ $0.fifoAccEn })
            || old({ $0.fifoGyrEn }) != new({ $0.fifoGyrEn }))
      {
        queue.removeAll()
      }
    default: break
    }
    updateLevel(at: now)
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
    case .accelNormal: pending = (command, now + .microseconds(3800))
    case .gyroNormal:
      let isAwake = registers[map.pmuStatus]({ $0.gyrPmuStatus }) == .fastStart
      pending = (command, now + .milliseconds(isAwake ? 10 : 80))
    default: finish(command, at: now)
    }
  }

  private func finish(_ command: BMI160Map.Command, at time: Timestamp) {
    switch command {
    case .accelSuspend: setPower { $0.accPmuStatus(.suspend) }
    case .accelNormal: setPower { $0.accPmuStatus(.normal) }
    case .accelLowPower: setPower { $0.accPmuStatus(.lowPower) }
    case .gyroSuspend: setPower { $0.gyrPmuStatus(.suspend) }
    case .gyroNormal: setPower { $0.gyrPmuStatus(.normal) }
    case .gyroFastStart: setPower { $0.gyrPmuStatus(.fastStart) }
    case .magSuspend: registers.change(map.pmuStatus) { $0.magPmuStatus(.suspend) }
    case .magNormal: registers.change(map.pmuStatus) { $0.magPmuStatus(.normal) }
    case .magLowPower: registers.change(map.pmuStatus) { $0.magPmuStatus(.lowPower) }
    case .fifoFlush:
      queue.removeAll()
      updateLevel(at: time)
    case .interruptReset: clearInterrupts()
    case .fastOffsetCompensation, .programNVM, .softReset: break
    }
    func setPower(_ fields: (BMI160Map.PMUStatus) -> Change) {
      registers.change(map.pmuStatus, fields)
      restartTrain(at: time)
    }
  }

  private func reset() {
    train.stop()
    temperatureTrain.stop()
    queue.removeAll()
    registers.reset()
    pending = nil
    isLevelHigh = false
    isLatched = false
    listensToSPI = false
    started = now
    // 1 ms is what drivers wait.
    resetEnd = now + .microseconds(800)
  }

  // MARK: Sampling

  private var accelRuns: Bool {
    let mode = registers[map.pmuStatus]({ $0.accPmuStatus })
    return mode == .normal || mode == .lowPower
  }

  private var gyroRuns: Bool { registers[map.pmuStatus]({ $0.gyrPmuStatus }) == .normal }

  /// 25.6 kHz ticks since the reset.
  private var time: UInt32 {
    let elapsed = Double((now - started).nanoseconds) * (1 + clockError)
    return UInt32(truncatingIfNeeded: Int64(elapsed / 39062.5)) & 0xFF_FFFF
  }

  private func restartTrain() { restartTrain(at: now) }

  private func restartTrain(at time: Timestamp) {
    let accel = registers[map.accConf.address] & map.accConf.layout.accOdr.mask
    let gyro = registers[map.gyrConf.address] & map.gyrConf.layout.gyrOdr.mask
    let accelCode = accelRuns ? min(max(accel, 1), 12) : 0
    let gyroCode = gyroRuns ? min(max(gyro, 6), 13) : 0
    let fastest = max(accelCode, gyroCode)
    temperatureTrain.stop()
    guard fastest > 0 else {
      train.stop()
      return
    }
    accelEvery = accelCode > 0 ? 1 << UInt(fastest - accelCode) : 0
    gyroEvery = gyroCode > 0 ? 1 << UInt(fastest - gyroCode) : 0
    ticks = 0
    // 100 / 2^(8 - code), and 25 / 2^(6 - code) is the same in whole numbers of the slowest.
    let rate = 0.78125 * Double(1 << UInt(fastest - 1))
    period = TimeSpan(seconds: 1 / rate / (1 + clockError))
    train.start(at: time, rate: rate)
    temperatureTrain.start(at: time, rate: gyroRuns ? 100 : 1 / 1.28)
  }

  private func sample(at time: Timestamp) {
    ticks &+= 1
    let hasAccel = accelEvery > 0 && ticks % accelEvery == 0
    let hasGyro = gyroEvery > 0 && ticks % gyroEvery == 0
    guard hasAccel || hasGyro else { return }
    samplesTaken += 1
    let reading = surroundings.reading(at: time)
    if hasAccel {
      let scale = (registers[map.accRange]({ $0.accRange }) ?? .g2).countsPerG
      store(counts(reading.specificForce.x, scale), at: map.accXLow)
      store(counts(reading.specificForce.y, scale), at: map.accYLow)
      store(counts(reading.specificForce.z, scale), at: map.accZLow)
      registers.change(map.status) { $0.drdyAcc(true) }
    }
    if hasGyro {
      let scale =
        (registers[map.gyrRange]({ $0.gyrRange }) ?? .dps2000).countsPerDegreePerSecond
        * degrees(fromRadians: 1)
      store(counts(reading.rotationRate.x, scale), at: map.gyrXLow)
      store(counts(reading.rotationRate.y, scale), at: map.gyrYLow)
      store(counts(reading.rotationRate.z, scale), at: map.gyrZLow)
      registers.change(map.status) { $0.drdyGyr(true) }
    }
    fillQueue(accel: hasAccel, gyro: hasGyro)
    raiseDataReady(at: time)
    updateLevel(at: time)
  }

  private func store(_ value: Int16, at low: Register<WholeByte, RO>) {
    let bits = UInt16(bitPattern: value)
    registers[low.address] = UInt8(truncatingIfNeeded: bits)
    registers[low.address + 1] = UInt8(bits >> 8)
  }

  // MARK: Queue

  private var hasHeaders: Bool { registers[map.fifoConfig1]({ $0.fifoHeaderEn }) == true }

  /// Bytes of a frame with all enabled sensors.
  private var frameLength: Int {
    let sources = registers[map.fifoConfig1]
    let data =
      (sources({ $0.fifoGyrEn }) == true ? 6 : 0) + (sources({ $0.fifoAccEn }) == true ? 6 : 0)
    return data == 0 ? 0 : data + (hasHeaders ? 1 : 0)
  }

  /// Gyroscope before accelerometer, behind a header that says which of them there are.
  private func fillQueue(accel: Bool, gyro: Bool) {
    let sources = registers[map.fifoConfig1]
    let accel = accel && sources({ $0.fifoAccEn }) == true
    let gyro = gyro && sources({ $0.fifoGyrEn }) == true
    guard accel || gyro else { return }
    let length = (accel ? 6 : 0) + (gyro ? 6 : 0) + (hasHeaders ? 1 : 0)
    if !queue.beginFrame(length, telling: hasHeaders) {
      registers.change(map.intStatus1) { $0.ffullInt(true) }
    }
    if hasHeaders {
      queue.append(
        accel && gyro ? BMI160Header.gyroAndAccel : accel ? BMI160Header.accel : BMI160Header.gyro)
    }
    if gyro { for offset in 0..<6 { queue.append(registers[map.gyrXLow.address + UInt8(offset)]) } }
    if accel {
      for offset in 0..<6 { queue.append(registers[map.accXLow.address + UInt8(offset)]) }
    }
  }

  /// Another rate or range: with headers a frame between the others says so.
  private func noteChange() {
    guard hasHeaders, frameLength > 0, train.isRunning else { return }
    _ = queue.beginFrame(2, telling: true)
    queue.append(BMI160Header.configuration)
    queue.append(0x01)
  }

  // MARK: Interrupt pin

  /// Whether INT1 is driven, and rises when something happens.
  private var drivesPin: Bool {
    let pin = registers[map.intOutCtrl]
    return pin({ $0.int1OutputEn }) == true && pin({ $0.int1Lvl }) == true
  }

  private var pinsDataReady: Bool {
    registers[map.intEn1]({ $0.drdyEn }) == true && registers[map.intMap1]({ $0.int1Drdy }) == true
  }

  /// The bytes at which the queue lifts the pin; `nil` where it does not.
  private var level: Int? {
    let watermark = Int(registers[map.fifoConfig0.address]) * 4
    guard watermark > 0, registers[map.intEn1]({ $0.fwmEn }) == true,
      registers[map.intMap1]({ $0.int1Fwm }) == true
    else { return nil }
    return watermark
  }

  /// A pulse for each sample; latched, one until the status is read.
  private func raiseDataReady(at time: Timestamp) {
    guard registers[map.intEn1]({ $0.drdyEn }) == true else { return }
    registers.change(map.intStatus1) { $0.drdyInt(true) }
    guard pinsDataReady, drivesPin, !isLatched else { return }
    edges.append(time)
    isLatched = registers[map.intLatch]({ $0.intLatch }) == 0x0F
  }

  /// The watermark's flag and the pin follow the queue's level.
  private func updateLevel(at time: Timestamp) {
    let watermark = Int(registers[map.fifoConfig0.address]) * 4
    let isAbove = watermark > 0 && queue.count >= watermark
    let isEnabled = registers[map.intEn1]({ $0.fwmEn }) == true
    registers.change(map.intStatus1) { $0.fwmInt(isAbove && isEnabled) }
    let isHigh = level.map { queue.count >= $0 } ?? false
    if isHigh, !isLevelHigh, drivesPin { edges.append(time) }
    isLevelHigh = isHigh
  }

  private func clearInterrupts() {
    registers[map.intStatus1.address] = 0
    isLatched = false
    updateLevel(at: now)
  }
}
