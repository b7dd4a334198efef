// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the ICM-20948. The chip sleeps after power-up. The model covers banks, reset,
/// samples, the FIFO, the interrupt pin, the self-test, and the cycle mode with the accelerometer
/// only. Low-pass filters are not modelled.
package final class ICM20948Model: ChipModel {
  let map = ICM20948Map()
  var registers = RegisterFile(ICM20948Map())
  let input: any SensorInput
  private var train: SampleTrain
  private(set) var now = Timestamp.zero
  /// The end time of the reset in progress; `nil` outside a reset.
  private var resetEnd: Timestamp?
  /// The time from which the oscillator runs after sleep.
  private var awake = Timestamp.zero
  /// The time at which the gyroscope's start ends, and a flag that is true if the gyroscope was on
  /// after the last write.
  private var gyroStart = Timestamp.zero
  private var wasGyroOn = false
  private var queue = Ring<UInt8>(capacity: ICM20948Chip.fifoSize, filledWith: 0)
  /// The low byte of FIFO_COUNT, which a read of the high byte latches.
  private var latchedCountLow: UInt8 = 0
  private var interrupt = EdgeQueue()
  /// The auxiliary master with the built-in magnetometer.
  let master: AuxiliaryMaster
  /// True while the latched interrupt pin is active, which lasts until a register is read.
  private var isHeld = false
  /// True once chip select has risen, which happens only on SPI.
  private var isOnSPI = false

  package private(set) var samplesTaken: UInt64 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    train = SampleTrain(clockError: clockError)
    master = AuxiliaryMaster(
      .ak09916, in: input, clockError: clockError, turned: ICM20948Chip.turned)
    resetRegisters()
  }

  package func successor(of register: UInt8) -> UInt8 {
    // At the FIFO's data register the register address does not advance.
    register == map.fifoData.address && bank == 0 ? register : (register &+ 1) & 0x7F
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
    // Registers can be read 11 ms after power-up (DS-000189, table 5, typical).
    resetEnd = now + .milliseconds(11)
  }

  package func overrunQueue() {
    guard train.isRunning, registers[map.userControl]({ $0.fifoEnable }) == true else { return }
    // The FIFO is full, and the oldest frame has lost its first bytes.
    while queue.append(0) {}
    for _ in 0..<4 { _ = queue.append(0) }
    noteOverflow()
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    pin == 1 && !isHeld && registers[map.interruptEnable1]({ $0 }) == true
      ? train.next : nil
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

  package var bank: UInt8 { registers[map.bankSelect]({ $0 }) ?? 0 }

  private var listens: Bool {
    isOnSPI || registers[map.userControl]({ $0.i2cDisable }) != true
  }

  package func read(_ register: UInt8) -> UInt8 {
    guard listens else { return 0xFF }
    guard bank == 0 else { return registers[register] }
    switch register {
    case map.fifoCount.address:
      latchedCountLow = UInt8(truncatingIfNeeded: queue.count)
      return UInt8(queue.count >> 8)
    case map.fifoCount[1].address: return latchedCountLow
    case map.fifoData.address: return queue.removeFirst()
    case map.auxiliaryStatus.address:
      defer { registers[register] = 0 }
      return registers[register]
    case map.interruptStatus2.address:
      defer { registers[register] = 0 }
      return registers[register]
    case map.interruptStatus1.address:
      defer {
        registers[register] = 0
        isHeld = false
      }
      return registers[register]
    default: return registers[register]
    }
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil, listens else { return }
    registers.store(value, at: register)
    switch FlatAddress(bank: bank, register) {
    case FlatAddress(map.power1.address):
      if registers[map.power1]({ $0.deviceReset }) == true {
        restart()
        registers.change(map.power1) { $0.deviceReset(true) }
        // TDK requires 100 ms before the next access. Real chips are faster: Pimoroni's driver
        // waits for 10 ms and Bolder Flight's library for 1 ms.
        resetEnd = now + .microseconds(900)
        return
      }
      restartTrain(afterWaking: true)
      startGyro()
    case FlatAddress(map.power2.address): startGyro()
    case map.gyroDivider.address, map.accelDividerLow.address: restartTrain(afterWaking: false)
    case FlatAddress(map.fifoReset.address):
      if registers[map.fifoReset]({ $0 }) != 0 { queue.removeAll() }
    case FlatAddress(map.userControl.address):
      registers.change(map.userControl) {
        $0.processorReset(false) | $0.memoryReset(false) | $0.auxiliaryMasterReset(false)
      }
      // The auxiliary master starts at once: Pimoroni's driver enables the master for only 5 ms and
      // then expects the transferred byte.
      if train.isRunning { runMaster(at: now) }
    default: break
    }
  }

  private func restart() {
    train.stop()
    queue.removeAll()
    isHeld = false
    wasGyroOn = false
    resetRegisters()
  }

  private func resetRegisters() {
    registers.reset()
    // Typical factory codes of the self-test; the codes differ from part to part.
    put(0xD5, 0xCF, 0xD8, at: map.selfTestGyro.first.address)
    put(0x70, 0x6A, 0x7F, at: map.selfTestAccel.first.address)
    for (axis, offset) in UserOffsets.factory.enumerated() {
      let first = map.accelXOffset.first.register.address + 3 * UInt8(axis)
      registers[FlatAddress(bank: 1, first)] = UInt8(truncatingIfNeeded: offset >> 8)
      registers[FlatAddress(bank: 1, first + 1)] = UInt8(truncatingIfNeeded: offset)
    }
  }

  private func put(_ x: UInt8, _ y: UInt8, _ z: UInt8, at first: FlatAddress) {
    registers[first] = x
    registers[FlatAddress(bank: first.bank, first.register + 1)] = y
    registers[FlatAddress(bank: first.bank, first.register + 2)] = z
  }

  // MARK: Samples

  private var isAccelOnly: Bool { registers[map.power2]({ $0.standbyGyro }) == 0b111 }

  /// Restarts sampling. While the gyroscope runs, its divider sets the rate of both sensors
  /// (DS-000189, section 10.10).
  private func restartTrain(afterWaking: Bool) {
    let power = registers[map.power1]
    guard power({ $0.sleep }) != true, power({ $0.clockSource }) != .stopped else {
      train.stop()
      return
    }
    if afterWaking, train.isRunning { return }
    guard afterWaking || train.isRunning else { return }
    if afterWaking { awake = now + .milliseconds(10) }
    let divider = isAccelOnly ? map.accelDividerLow : map.gyroDivider
    train.start(
      at: max(now, awake),
      rate: ICM20948Chip.baseRate / Double(1 + Int(registers[divider.address])))
  }

  /// Starts the gyroscope if a register has just taken it out of sleep or standby. The start takes
  /// 35 ms (DS-000189, table 1; TDK's driver waits as long).
  private func startGyro() {
    let isOn = registers[map.power1]({ $0.sleep }) != true && !isAccelOnly
    defer { wasGyroOn = isOn }
    if isOn, !wasGyroOn { gyroStart = now + .milliseconds(35) }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    storeForce(reading.specificForce)
    if !isAccelOnly {
      // The gyroscope's output words keep their values until the gyroscope's start has ended.
      if time >= gyroStart { storeTurn(reading.rotationRate) }
      registers.put(
        counts(reading.temperature - 21, 333.87), at: map.temperature.address, .highFirst)
    }
    runMaster(at: time)
    if registers[map.userControl]({ $0.fifoEnable }) == true { fillQueue() }
    // The data-ready flag is set whether or not the interrupt is enabled: SparkFun's first example
    // polls the flag without enabling the interrupt.
    registers.change(map.interruptStatus1) { $0(true) }
    guard registers[map.interruptEnable1]({ $0 }) == true else { return }
    // A latched pin stays active until a register is read, and has no further edge until then.
    if registers[map.interruptPin]({ $0.latched }) == true {
      if isHeld { return }
      isHeld = true
    }
    interrupt.append(time)
  }

  private func storeForce(_ felt: Vector3) {
    var force =
      felt
      + UserOffsets.force {
        registers.count(
          at: FlatAddress(bank: 1, map.accelXOffset.first.register.address + 3 * UInt8($0)),
          .highFirst)
      }
    let tested = registers[map.accelConfig2]
    let codes = map.selfTestAccel.first
    if tested({ $0.selfTestX }) == true {
      force.x += InvenSenseTrim.g(code(codes, 0), of: .mpu6500)
    }
    if tested({ $0.selfTestY }) == true {
      force.y += InvenSenseTrim.g(code(codes, 1), of: .mpu6500)
    }
    if tested({ $0.selfTestZ }) == true {
      force.z += InvenSenseTrim.g(code(codes, 2), of: .mpu6500)
    }
    if registers[map.power2]({ $0.standbyAccel }) == 0b111 { force = .zero }
    let scale = (registers[map.accelConfig]({ $0.fullScale }) ?? .g2).countsPerG
    registers.put(force, scale, at: map.accel.address, .highFirst)
  }

  private func storeTurn(_ felt: Vector3) {
    var turn =
      felt
      + UserOffsets.turn {
        registers.count(
          at: FlatAddress(bank: 2, map.gyroOffset.first.register.address + 2 * UInt8($0)),
          .highFirst)
      }
    let tested = registers[map.gyroConfig2]
    if tested({ $0.selfTestX }) == true { turn.x += stimulus(0) }
    if tested({ $0.selfTestY }) == true { turn.y += stimulus(1) }
    if tested({ $0.selfTestZ }) == true { turn.z += stimulus(2) }
    let scale = registers[map.gyroConfig1]({ $0.fullScale }) ?? .dps250
    registers.put(
      turn, scale.countsPerDegreePerSecond * degrees(fromRadians: 1), at: map.gyro.address,
      .highFirst)
  }

  /// Returns the self-test's stimulus on an axis of the gyroscope, in rad/s, computed from the
  /// factory's code.
  private func stimulus(_ axis: UInt8) -> Double {
    radians(
      fromDegrees: InvenSenseTrim.degreesPerSecond(
        code(map.selfTestGyro.first, axis), axis: Int(axis), of: .mpu6500))
  }

  private func code(_ first: Banked<WholeByte, ReadWrite>, _ axis: UInt8) -> UInt8 {
    registers[FlatAddress(bank: first.bank, first.register.address + axis)]
  }

  /// Adds the words of the enabled sensors to the FIFO in register order.
  private func fillQueue() {
    let sources = registers[map.fifoEnable2]
    let stops = (registers[map.fifoMode]({ $0 }) ?? 0) & 1 != 0
    if sources({ $0.accel }) == true { push(map.accel.address, 6, stops) }
    if sources({ $0.gyroX }) == true { push(map.gyro.address, 2, stops) }
    if sources({ $0.gyroY }) == true { push(map.gyro[2].address, 2, stops) }
    if sources({ $0.gyroZ }) == true { push(map.gyro[4].address, 2, stops) }
    if sources({ $0.temperature }) == true { push(map.temperature.address, 2, stops) }
    if registers[map.fifoEnable1]({ $0.slave0 }) == true {
      push(map.externalData0.address, registers[map.slave0Control]({ $0.length }) ?? 0, stops)
    }
  }

  /// Runs the transfers of the auxiliary master, which take place at each sample.
  private func runMaster(at time: Timestamp) {
    guard registers[map.userControl]({ $0.auxiliaryMasterEnable }) == true else { return }
    var refused = master.run({ slave($0) }, at: time) { place, byte in
      registers[FlatAddress(map.externalData0.address + place)] = byte
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
    registers[FlatAddress(map.auxiliaryStatus.address)] |= refused
  }

  private func slave(_ index: UInt8) -> AuxiliaryMaster.Slave {
    func byte(_ place: UInt8) -> UInt8 {
      registers[FlatAddress(bank: 3, map.slave0Address.register.address + 4 * index + place)]
    }
    return AuxiliaryMaster.Slave(
      address: byte(0), register: byte(1), control: byte(2), out: byte(3))
  }

  private func push(_ first: UInt8, _ count: UInt8, _ stops: Bool) {
    for address in first..<(first + count) {
      if stops, queue.count == queue.capacity { return noteOverflow() }
      if !queue.append(registers[FlatAddress(address)]) { noteOverflow() }
    }
  }

  /// Sets FIFO_OVERFLOW_INT, which is bit 0 of INT_STATUS_2 for the only FIFO in use (DS-000189
  /// section 8.14; SparkFun's library has the register too).
  private func noteOverflow() {
    registers.change(map.interruptStatus2) { $0(1) }
  }
}
