// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the MPU-6050 and related parts. The chip sleeps after power-up. The model covers
/// reset, samples, cycle mode, the FIFO, the interrupt pin, the self-test and wake-on-motion.
/// Low-pass filters are not modelled.
package final class MPU6050Model: ChipModel {
  let map = MPU6050Map()
  let later = MPU6500Map()
  let part: MPU6050Part
  var registers: RegisterFile
  let input: any SensorInput
  var train: SampleTrain
  var now = Timestamp.zero
  /// The end time of the reset in progress; `nil` outside a reset.
  private var resetEnd: Timestamp?
  /// The time from which the oscillator runs after sleep.
  private var awake = Timestamp.zero
  var queue: Ring<UInt8>
  /// The low byte of FIFO_COUNT, which a read of the high byte latches.
  private var latchedCountLow: UInt8 = 0
  var interrupt = EdgeQueue()
  /// The auxiliary master, with the magnetometer of an MPU-9250.
  let master: AuxiliaryMaster
  /// True while the latched interrupt pin is active, which lasts until a register is read.
  var isHeld = false
  /// True once chip select has risen, which happens only on SPI.
  private var isOnSPI = false
  /// Copies of I2C_IF_DIS and INT_RD_CLEAR after the last write. The copies exist for speed: the
  /// lookup of these bits in the registers for every byte took most of the time of a long read.
  private var isOffI2C = false
  private var isClearedByAnyRead = false
  /// The time at which the gyroscope's start ends, and a flag that is true if the gyroscope was on
  /// after the last write.
  private(set) var gyroStart = Timestamp.zero
  private var wasGyroOn = false
  /// The number of 8 kHz clock periods since the accelerometer's last sample. The accelerometer
  /// samples at 1 kHz.
  var accelSteps = 8
  /// The accelerometer's last sample in g, for wake-on-motion.
  var previousForce: Vector3?

  package internal(set) var samplesTaken: UInt64 = 0

  /// Creates a chip with this identity, whose oscillator has the relative error `clockError`. A
  /// chip with an unknown identity behaves like an MPU-6500, as clones do.
  package init(_ input: any SensorInput, identity: UInt8 = 0x68, clockError: Double = 0) {
    self.input = input
    part = MPU6050Part(identity: identity) ?? MPU6050Part(identity: 0x70) ?? .mpu6050
    self.identity = identity
    registers =
      part.isICM20602
      ? RegisterFile(ICM20602Map())
      : part.generation == .mpu6050 ? RegisterFile(MPU6050Map()) : RegisterFile(MPU6500Map())
    queue = Ring(capacity: part.fifoSize, filledWith: 0)
    train = SampleTrain(clockError: clockError)
    master = AuxiliaryMaster(
      part.hasMagnetometer ? .ak8963 : nil, in: input, clockError: clockError,
      turned: MPU6050Chip.turned)
    resetRegisters()
  }

  private let identity: UInt8

  package func successor(of register: UInt8) -> UInt8 {
    // At the FIFO's data register the register address does not advance.
    register == map.fifoData.address ? register : (register &+ 1) & 0x7F
  }

  package var isActiveLow: Bool { registers[map.interruptPin]({ $0.activeLow }) == true }

  package var passesThrough: Bool {
    registers[map.interruptPin]({ $0.auxiliaryBypass }) == true
      && registers[map.userControl]({ $0.auxiliaryMasterEnable }) != true
  }

  package func builtIn(at address: UInt8, sensing input: (any SensorInput)?) -> (any ChipModel)? {
    master.builtIn(at: address, sensing: input)
  }

  package func deselect() { isOnSPI = true }

  package func powerCycle() {
    restart()
    master.magnetometer?.powerCycle()
    // Registers can be read 11 ms after power-up (product specification 6.3, typical).
    resetEnd = now + .milliseconds(11)
  }

  package func overrunQueue() {
    guard train.isRunning, registers[map.userControl]({ $0.fifoEnable }) == true else { return }
    // The FIFO is full, and the oldest frame has lost its first bytes.
    while queue.append(registers[map.accel[1].address]) {}
    for _ in 0..<4 { _ = queue.append(registers[map.accel[1].address]) }
    registers.change(map.interruptStatus) { $0.fifoOverflow(true) }
  }

  /// Returns the time of the next sample that can cause an interrupt edge. With wake-on-motion,
  /// every sample can cause an edge.
  package func nextEdge(of pin: UInt8) -> Timestamp? {
    guard pin == 1, !isHeld else { return nil }
    let enabled = registers[map.interruptEnable]
    return enabled({ $0.dataReady }) == true || enabled({ $0.motion }) == true ? train.next : nil
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue {
    pin == 1 ? interrupt.take() : EdgeQueue()
  }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time {
      resetEnd = nil
      resetRegisters()
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    guard listens else { return 0xFF }
    let value = contents(register)
    if register == map.interruptStatus.address || isClearedByAnyRead {
      registers[map.interruptStatus.address] = 0
      isHeld = false
    }
    if register == map.auxiliaryStatus.address { registers[register] = 0 }
    return value
  }

  private func contents(_ register: UInt8) -> UInt8 {
    switch register {
    case map.fifoCount.address:
      latchedCountLow = UInt8(truncatingIfNeeded: queue.count)
      return UInt8(queue.count >> 8)
    case map.fifoCount[1].address: return latchedCountLow
    case map.fifoData.address: return queue.removeFirst()
    case map.signalPathReset.address: return 0
    default: return registers[register]
    }
  }

  /// True if the chip responds. I2C_IF_DIS disables I2C until the supply is interrupted.
  private var listens: Bool { isOnSPI || !isOffI2C }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil, listens else { return }
    registers.store(value, at: register)
    defer { noteSwitches() }
    switch register {
    case map.power1.address:
      if registers[map.power1]({ $0.deviceReset }) == true {
        restart()
        registers.change(map.power1) { $0.deviceReset(true) }
        // The manufacturer requires 100 ms before the next access. Real chips are faster: Bolder
        // Flight's library and PX4's drivers wait for 1 ms.
        resetEnd = now + .microseconds(900)
        return
      }
      restartTrain(afterWaking: true)
      startGyro()
    case map.sampleRateDivider.address, map.config.address:
      restartTrain(afterWaking: false)
    case map.power2.address, later.lowPowerRate.address:
      if isCycling { restartTrain(afterWaking: false) }
      startGyro()
    case map.signalPathReset.address:
      if value & 0b010 != 0 { clear(map.accel.address, 6) }
      if value & 0b001 != 0 { clear(map.temperature.address, 2) }
      if value & 0b100 != 0 { clear(map.gyro.address, 6) }
    case map.userControl.address: control()
    default: break
    }
  }

  /// Executes the self-clearing bits of USER_CTRL.
  private func control() {
    if registers[map.userControl]({ $0.fifoReset }) == true {
      // FIFO_RST has an effect only while FIFO_EN is clear.
      if registers[map.userControl]({ $0.fifoEnable }) != true { queue.removeAll() }
      registers.change(map.userControl) { $0.fifoReset(false) }
    }
    if registers[map.userControl]({ $0.signalPathReset }) == true {
      clear(map.accel.address, 14)
      registers.change(map.userControl) { $0.signalPathReset(false) }
    }
    registers.change(map.userControl) { $0.auxiliaryMasterReset(false) }
  }

  private func clear(_ first: UInt8, _ count: UInt8) {
    for address in first..<(first + count) { registers[address] = 0 }
  }

  private func restart() {
    train.stop()
    queue.removeAll()
    isHeld = false
    previousForce = nil
    wasCycling = false
    wasGyroOn = false
    resetRegisters()
  }

  private func noteSwitches() {
    isOffI2C =
      part.isICM20602
      ? registers[ICM20602Map().i2cDisable]({ $0 }) == true
      : registers[map.userControl]({ $0.i2cDisable }) == true
    isClearedByAnyRead = registers[map.interruptPin]({ $0.clearedByAnyRead }) == true
  }

  /// The address of the gyroscope's first self-test code on a later part.
  var gyroCodes: UInt8 {
    part.isICM20602 ? ICM20602Map().selfTestGyro.address : later.selfTestGyro.address
  }

  private func resetRegisters() {
    registers.reset()
    noteSwitches()
    registers[map.whoAmI.address] = identity
    // Typical factory codes of the self-test; the codes differ from part to part.
    if part.generation == .mpu6050 {
      // Register 0 is XG_OFFS_TC, which the register map does not describe. Its bit 0, OTP_BNK_VLD,
      // shows that the factory trim was loaded (names from the community's map in i2cdevlib). Real
      // parts evidently set this bit: Linux 6.1's inv_mpu6050 reads this register as the interrupt
      // status, and would drop every sample if the bit were clear.
      registers[0x00] = 0x01
      put([0x8D, 0x72, 0x95, 0x1B], at: map.selfTestX.address)
    } else {
      put([0xD5, 0xCF, 0xD8], at: gyroCodes)
      put([0x70, 0x6A, 0x7F], at: later.selfTestAccel.address)
    }
    for (axis, offset) in UserOffsets.factory.enumerated() {
      registers.put(UInt16(bitPattern: offset), at: accelOffset(axis), .highFirst)
    }
    func put(_ codes: [UInt8], at first: UInt8) {
      for (address, code) in zip(first..., codes) { registers[address] = code }
    }
  }

  /// Returns the first of the two registers with the offset of an axis of the accelerometer.
  func accelOffset(_ axis: Int) -> UInt8 {
    part.generation == .mpu6050
      ? map.accelOffset.address + 2 * UInt8(axis) : later.accelXOffset.address + 3 * UInt8(axis)
  }

  // MARK: Rates

  private var wasCycling = false

  var isCycling: Bool {
    let power = registers[map.power1]
    return power({ $0.cycle }) == true && power({ $0.sleep }) != true
      && part.generation != .icm20600
  }

  /// Starts the gyroscope if a register has just taken it out of sleep or standby. The start takes
  /// 30 ms (PS-MPU-6000A section 6.1), on later parts 35 ms (PS-MPU-6500A table 1). Linux waits for
  /// 60 ms, `INV_MPU6050_GYRO_STARTUP_TIME`.
  private func startGyro() {
    let standby = registers[map.power2]
    let isOn =
      registers[map.power1]({ $0.sleep }) != true && !isCycling
      && !(standby({ $0.standbyGyroX }) == true && standby({ $0.standbyGyroY }) == true
        && standby({ $0.standbyGyroZ }) == true)
    defer { wasGyroOn = isOn }
    guard isOn, !wasGyroOn else { return }
    gyroStart = now + .milliseconds(part.generation == .mpu6050 ? 30 : 35)
  }

  /// True if the low-pass filter is off, so that the base rate is 8 kHz.
  var isFast: Bool {
    let filter = registers[map.config]({ $0.lowPassFilter })
    // The reserved filter code 7 runs at 8 kHz like code 0.
    return filter == nil || filter == .hz256
  }

  /// The configured output rate in Hz.
  private var rate: Double {
    if isCycling {
      if part.generation == .mpu6050 {
        let hertz: InlineArray<4, Double> = [1.25, 5, 20, 40]
        return hertz[Int(registers[map.power2]({ $0.wakeRate }) ?? 3)]
      }
      let code = min(11, registers[later.lowPowerRate]({ $0 }) ?? 0)
      return 500 / Double(1 << Int(11 - code))
    }
    return (isFast ? 8000 : 1000) / Double(1 + Int(registers[map.sampleRateDivider.address]))
  }

  private func restartTrain(afterWaking: Bool) {
    let power = registers[map.power1]
    guard power({ $0.sleep }) != true, power({ $0.clockSource }) != .stopped else {
      train.stop()
      return
    }
    let wasRunning = train.isRunning
    defer { wasCycling = isCycling }
    if afterWaking, wasRunning, wasCycling == isCycling { return }
    guard afterWaking || wasRunning else { return }
    // After sleep the first sample is delayed by 10 ms until the oscillator runs.
    if afterWaking, !wasRunning { awake = now + .milliseconds(10) }
    train.start(at: max(now, awake), rate: rate)
  }
}
