// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the ICM-42688-P. Both sensors are off after a reset. The model covers five banks,
/// samples, a FIFO that holds packets of 8, 16 and 20 bytes and drops its oldest packets, two
/// pulsed interrupt pins and the self-test. Filters are not modelled.
package final class ICM42688PModel: ChipModel {
  private let map = ICM42688PMap()
  private var registers = RegisterFile(ICM42688PMap())
  private let input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  private var queue = Ring<UInt8>(capacity: ICM42688PChip.fifoSize, filledWith: 0xFF)
  private var lostPackets: UInt16 = 0
  /// The low byte of FIFO_COUNT, which a read of the high byte latches.
  private var latchedCountLow: UInt8 = 0
  private var pins = (EdgeQueue(), EdgeQueue())
  /// The factory codes: gyroscope x, y, z, accelerometer x, y, z. A test changes the codes to model
  /// a broken chip.
  package var selfTestCodes: [UInt8] = [0x95, 0x8C, 0x99, 0x7A, 0x80, 0x76]
  /// The self-test response of this chip, as a fraction of the factory's response.
  package var selfTestResponse = 1.0
  package private(set) var samplesTaken: UInt64 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    train = SampleTrain(clockError: clockError)
    resetRegisters()
  }

  /// Returns the next address of a burst, which does not advance at the FIFO's data register.
  package func successor(of register: UInt8) -> UInt8 {
    register == map.fifoData.address && bank == 0 ? register : (register &+ 1) & 0x7F
  }

  package var bank: UInt8 { registers[map.bankSelect]({ $0 }) ?? 0 }

  package var isActiveLow: Bool {
    let sources = registers[map.intSource3]
    let isSecond = sources({ $0.dataReady }) == true || sources({ $0.watermark }) == true
    let config = registers[map.intConfig]
    return (isSecond ? config({ $0.int2ActiveHigh }) : config({ $0.int1ActiveHigh })) != true
  }

  package var listensToSPI: Bool { registers[map.interfaceConfig0]({ $0.disabled }) != .spi }

  package func powerCycle() {
    stop()
    resetRegisters()
  }

  package func overrunQueue() {
    guard train.isRunning, registers[map.fifoConfig]({ $0 }) != .bypass else { return }
    let packet = self.packet(of: reading(at: now), at: now)
    while registers[map.intStatus]({ $0.full }) != true { push(packet) }
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    let sources = registers[pin == 2 ? map.intSource3 : map.intSource0]
    return sources({ $0.dataReady }) == true || sources({ $0.watermark }) == true ? train.next : nil
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { pin == 2 ? pins.1.take() : pins.0.take() }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time {
      resetEnd = nil
      resetRegisters()
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    guard bank == 0 else { return registers[register] }
    switch register {
    case map.intStatus.address:
      defer { registers[register] = 0 }
      return registers[register]
    case map.fifoCount.address:
      latchedCountLow = UInt8(truncatingIfNeeded: queue.count)
      return UInt8(queue.count >> 8)
    case map.fifoCount[1].address: return latchedCountLow
    case map.fifoData.address: return queue.count > 0 ? queue.removeFirst() : 0xFF
    case map.lostPackets.address: return UInt8(truncatingIfNeeded: lostPackets)
    case map.lostPackets[1].address: return UInt8(lostPackets >> 8)
    default: return registers[register]
    }
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    let isFirstBank = bank == 0
    registers.store(value, at: register)
    guard isFirstBank else { return }
    switch register {
    case map.deviceConfig.address where registers[map.deviceConfig]({ $0.softReset }) == true:
      stop()
      registers[map.intStatus.address] = 0
      resetEnd = now + .microseconds(900)
    case map.signalPathReset.address:
      if registers[map.signalPathReset]({ $0.fifoFlush }) == true { queue.removeAll() }
      registers[map.signalPathReset.address] = 0
    case map.power.address, map.gyroConfig0.address, map.accelConfig0.address: restartTrain()
    case map.fifoConfig.address where registers[map.fifoConfig]({ $0 }) == .bypass:
      queue.removeAll()
      lostPackets = 0
    default: break
    }
  }

  private func stop() {
    train.stop()
    queue.removeAll()
    lostPackets = 0
  }

  private func resetRegisters() {
    registers.reset()
    // The factory's self-test codes are in banks 1 and 2, which are selected before the codes are
    // written.
    registers.store(UInt8(1), at: map.bankSelect.address)
    for axis in 0..<3 {
      registers[map.gyroSelfTestData.first.register.address + UInt8(axis)] = selfTestCodes[axis]
    }
    registers.store(UInt8(2), at: map.bankSelect.address)
    for axis in 0..<3 {
      registers[map.accelSelfTestData.first.register.address + UInt8(axis)] =
        selfTestCodes[axis + 3]
    }
    registers.store(UInt8(0), at: map.bankSelect.address)
  }

  // MARK: Samples

  private var hasGyro: Bool { registers[map.power]({ $0.gyro }) == .lowNoise }

  private var hasAccel: Bool {
    let mode = registers[map.power]({ $0.accel })
    return mode == .lowNoise || mode == .lowPower
  }

  /// Restarts sampling. Both sensors run at the gyroscope's rate if the gyroscope is on. If both
  /// sensors were off, the first sample takes 30 ms, or 10 ms for the accelerometer alone. These
  /// times are the same at any rate: Linux reads a sample after 20 ms at 50 Hz.
  private func restartTrain() {
    guard hasGyro || hasAccel else {
      train.stop()
      return
    }
    let rate: ICM42688PMap.Rate? =
      hasGyro ? registers[map.gyroConfig0]({ $0.rate }) : registers[map.accelConfig0]({ $0.rate })
    let hertz = (rate ?? .hz1000).hertz
    if train.isRunning {
      train.start(at: now, rate: hertz)
    } else {
      train.start(first: now + .milliseconds(hasGyro ? 30 : 10), rate: hertz)
    }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = reading(at: time)
    registers.put(
      counts(reading.temperature - 25, 132.48), at: map.temperature.address, .highFirst)
    if hasAccel {
      registers.put(reading.specificForce, accelScale, at: map.accel.address, .highFirst)
    }
    if hasGyro {
      registers.put(reading.rotationRate, gyroScale, at: map.gyro.address, .highFirst)
    }
    registers.change(map.intStatus) { $0.dataReady(true) }
    let isQueued = registers[map.fifoConfig]({ $0 }) != .bypass
    let crossed = isQueued ? push(packet(of: reading, at: time)) : false
    signal(registers[map.intSource0], crossed, at: time, by: &pins.0)
    signal(registers[map.intSource3], crossed, at: time, by: &pins.1)
  }

  private func signal(
    _ sources: Contents<ICM42688PMap.IntSources>, _ crossed: Bool, at time: Timestamp,
    by pin: inout EdgeQueue
  ) {
    if sources({ $0.dataReady }) == true || crossed && sources({ $0.watermark }) == true {
      pin.append(time)
    }
  }

  /// Returns the measurements of the sensors, with the stimulus of a self-test.
  private func reading(at time: Timestamp) -> ChipReading {
    var reading = input.reading(at: time)
    addStimulus(to: &reading)
    addOffsets(to: &reading)
    hold(&reading.specificForce, accelScale)
    hold(&reading.rotationRate, gyroScale)
    return reading
  }

  /// Raises the components of `vector` to at least the lowest count of a measurement, -32766
  /// (section 14.34).
  private func hold(_ vector: inout Vector3, _ scale: Double) {
    let lowest = -32766 / scale
    // A component that is not a number stays unchanged here, and later becomes 0 counts.
    if vector.x < lowest { vector.x = lowest }
    if vector.y < lowest { vector.y = lowest }
    if vector.z < lowest { vector.z = lowest }
  }

  /// The accelerometer's counts per g, and the gyroscope's counts per radian per second.
  private var accelScale: Double {
    32768 / (registers[map.accelConfig0]({ $0.range }) ?? .g16).g
  }

  private var gyroScale: Double {
    (registers[map.gyroConfig0]({ $0.range }) ?? .dps2000).countsPerDegreePerSecond
      * degrees(fromRadians: 1)
  }

  private func addStimulus(to reading: inout ChipReading) {
    let selfTest = registers[map.selfTest]
    func turn(_ axis: Int) -> Double {
      radians(
        fromDegrees: InvenSenseTrim.degreesPerSecond(selfTestCodes[axis], axis: axis, of: .mpu6500))
        * selfTestResponse
    }
    func force(_ axis: Int) -> Double {
      InvenSenseTrim.g(selfTestCodes[axis + 3], of: .mpu6500) * selfTestResponse
    }
    if selfTest({ $0.gyroX }) == true { reading.rotationRate.x += turn(0) }
    if selfTest({ $0.gyroY }) == true { reading.rotationRate.y += turn(1) }
    if selfTest({ $0.gyroZ }) == true { reading.rotationRate.z += turn(2) }
    guard selfTest({ $0.accelPower }) == true else { return }
    if selfTest({ $0.accelX }) == true { reading.specificForce.x += force(0) }
    if selfTest({ $0.accelY }) == true { reading.specificForce.y += force(1) }
    if selfTest({ $0.accelZ }) == true { reading.specificForce.z += force(2) }
  }

  /// Adds the offsets in OFFSET_USER0 to 8, which have 12 bits with steps of 1/32 degree per second
  /// and 0.5 mg (section 18; Linux's inv_icm42600 driver has the same positions and steps).
  private func addOffsets(to reading: inout ChipReading) {
    func byte(_ index: UInt8) -> Int {
      Int(registers[FlatAddress(bank: 4, map.offset.first.register.address + index)])
    }
    func number(_ low: UInt8, _ high: UInt8, _ shift: Int) -> Double {
      let bits = (byte(high) >> shift & 0x0F) << 8 | byte(low)
      return Double(bits < 2048 ? bits : bits - 4096)
    }
    let step = radians(fromDegrees: 1.0 / 32)
    reading.rotationRate +=
      Vector3(number(0, 1, 0), number(2, 1, 4), number(3, 4, 0)) * step
    reading.specificForce +=
      Vector3(number(5, 4, 4), number(6, 7, 0), number(8, 7, 4)) * 0.000_5
  }

  // MARK: FIFO

  /// Returns the packet for a sample: packet 1 or 2 for one sensor, 3 for both sensors, and 4 for
  /// both sensors with 20 bits (section 6.1).
  private func packet(of reading: ChipReading, at time: Timestamp) -> InvenSensePacket {
    let config = registers[map.fifoConfig1]
    let (accel, gyro) = (config({ $0.accel }) == true, config({ $0.gyro }) == true)
    let isFine = config({ $0.highResolution }) == true && accel && gyro
    // In packets of 20 bits, the accelerometer has 18 bits with 8192 counts per g, and the
    // gyroscope 19 bits with 131 counts per degree per second.
    let force = InvenSensePacket.axes(
      reading.specificForce, accelScale, fine: isFine ? 8192 : nil, bits: 18)
    let turn = InvenSensePacket.axes(
      reading.rotationRate, gyroScale, fine: isFine ? 131 * degrees(fromRadians: 1) : nil, bits: 19)
    let warmth = reading.temperature - 25
    return InvenSensePacket(
      force: !accel ? nil : hasAccel ? force : InvenSensePacket.noData,
      turn: !gyro ? nil : hasGyro ? turn : InvenSensePacket.noData,
      isFine: isFine, marksTime: config({ $0.time }) == true,
      temperature: counts(warmth, 132.48), shortTemperature: Int8(saturating: warmth * 2.07),
      // The time in a packet has steps of 16 us, but the chip counts only 30 steps in the time of
      // 32 (section 12.7).
      time: UInt16(truncatingIfNeeded: time.nanoseconds / 16_000 * 30 / 32), .highFirst)
  }

  /// Adds a packet to the FIFO. Returns true if this packet brings the FIFO to its watermark. If
  /// the chip is configured to signal each packet, the result is also true for every packet above
  /// the watermark.
  @discardableResult
  private func push(_ packet: InvenSensePacket) -> Bool {
    let stops = registers[map.fifoConfig]({ $0 }) != .stream
    if queue.capacity - queue.count < packet.count {
      registers.change(map.intStatus) { $0.full(true) }
      lostPackets &+= 1
      if stops { return false }
      for _ in 0..<packet.count { _ = queue.removeFirst() }
    }
    let before = queue.count
    for index in 0..<packet.count { _ = queue.append(packet.bytes[index]) }
    let level =
      Int(registers[map.watermarkHigh.address]) << 8 | Int(registers[map.watermarkLow.address])
    guard level > 0, queue.count >= level else { return false }
    registers.change(map.intStatus) { $0.watermark(true) }
    return before < level || registers[map.fifoConfig1]({ $0.repeatsWatermark }) == true
  }
}
