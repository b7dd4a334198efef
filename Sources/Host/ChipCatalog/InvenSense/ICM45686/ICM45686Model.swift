// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the ICM-45686. Both sensors are off after a reset. The model covers the inner
/// registers with their access times, both byte orders, samples, a FIFO that holds packets of 8, 16
/// and 20 bytes, and two pulsed or latched interrupt pins. Filters, the motion processor and the
/// second interface are not modelled.
package final class ICM45686Model: ChipModel {
  private let map = ICM45686Map()
  private var registers = RegisterFile(ICM45686Map())
  private let input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  private var queue = Ring<UInt8>(capacity: 8192, filledWith: 0xFF)
  private var pins = PinPair()
  /// The watermark in packets. It takes effect when its high byte is written.
  private var watermark = 0
  /// The time at which a flush of the FIFO ends. Until then samples are lost, and the flush bit
  /// stays set.
  private var flushEnd: Timestamp?
  /// True if samples go into the FIFO. A driver must enable the FIFO before this flow of samples
  /// (section 16.32; TDK's driver, Linux, PX4 and Zephyr do so). If the flow is enabled first, the
  /// setting has no effect.
  private var isFlowing = false
  /// The time from which the gyroscope has data.
  private var gyroStart = Timestamp.zero
  /// The time at which the last request for an inner register ends, a flag that is true while the
  /// register's contents still have to be fetched, and the contents that were fetched last.
  private var innerEnd = Timestamp.zero
  private var isFetching = false
  private var fetched: UInt8 = 0x02
  /// True if the last written byte completed an inner address.
  private var isInnerAddressed = false
  /// The FIFO's count that the register shows, the number of reads of the count that did not follow
  /// another read of the count, and a flag that is true if the last read was a read of the count.
  private var shownCount: UInt16 = 0
  private var countReads = 0
  private var isCountRepeated = false
  package private(set) var samplesTaken: UInt64 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    train = SampleTrain(clockError: clockError)
    resetRegisters()
  }

  /// Returns the next address of a burst, which does not advance at the FIFO's data register.
  package func successor(of register: UInt8) -> UInt8 {
    register == map.fifoData.address ? register : (register &+ 1) & 0x7F
  }

  package var isActiveLow: Bool {
    let isSecond = registers[map.int2Config0].raw & 0x07 != 0
    return registers[isSecond ? map.int2Config2 : map.int1Config2]({ $0.activeHigh }) != true
  }

  package func powerCycle() {
    stop()
    resetRegisters()
  }

  package func overrunQueue() {
    guard train.isRunning, isFlowing else { return }
    let packet = packet(of: reading(at: now), at: now)
    while hasRoom(for: packet) { push(packet) }
    push(packet)
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    let sources = sources(of: pin)
    return sources({ $0.dataReady }) == true || sources({ $0.watermark }) == true ? train.next : nil
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { pins.take(pin) }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time {
      resetEnd = nil
      resetRegisters()
    }
    while let next = train.takeNext(until: time) {
      endFlush(by: next)
      take(at: next)
    }
    endFlush(by: time)
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    isInnerAddressed = false
    if register != map.fifoCount[1].address, register != map.fifoCount.address {
      isCountRepeated = false
    }
    switch register {
    case map.fifoCount.address:
      showCount()
      return order.bytes(shownCount)[0]
    case map.fifoCount[1].address: return order.bytes(shownCount)[1]
    case map.fifoData.address: return queue.count > 0 ? queue.removeFirst() : 0xFF
    case map.int1Status0.address, map.int2Status0.address:
      defer {
        registers[register] = 0
        pins.update(at: now) { isLatched($0) && status(of: $0) != 0 }
      }
      return registers[register]
    case map.innerData.address:
      guard now >= innerEnd else { return fetched }
      if isFetching { fetched = registers[inner] }
      // A read requests the next inner register.
      defer { request(advances: true) }
      return fetched
    case map.control.address:
      registers.change(map.control) { $0.innerReady(now >= innerEnd) }
      return registers[register]
    default: return registers[register]
    }
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    let completesAddress = isInnerAddressed
    isInnerAddressed = register == map.innerLow.address
    switch register {
    case map.innerData.address:
      // A write during another request is lost, unless it is in the same transaction as its
      // address.
      guard completesAddress || now >= innerEnd else { return }
      writeInner(value)
    case map.innerLow.address:
      registers.store(value, at: register)
      request(advances: false)
    default:
      registers.store(value, at: register)
      react(to: register)
    }
  }

  private func react(to register: UInt8) {
    switch register {
    case map.control.address where registers[map.control]({ $0.softReset }) == true:
      stop()
      registers[map.int1Status0.address] = 0
      resetEnd = now + .microseconds(900)
    case map.power.address, map.gyroConfig0.address, map.accelConfig0.address: restartTrain()
    case map.watermarkHigh.address:
      watermark =
        Int(registers[map.watermarkHigh.address]) << 8 | Int(registers[map.watermarkLow.address])
    case map.fifoConfig2.address where registers[map.fifoConfig2]({ $0.flush }) == true:
      flushEnd = now + .microseconds(100)
    case map.fifoConfig0.address:
      if registers[map.fifoConfig0]({ $0.mode }) == .bypass { isFlowing = false }
      if !isFlowing { queue.removeAll() }
    case map.fifoConfig3.address:
      isFlowing =
        registers[map.fifoConfig3]({ $0.isWritten }) == true
        && registers[map.fifoConfig0]({ $0.mode }) != .bypass
    default: break
    }
  }

  /// Empties the FIFO when a flush ends. No document gives the duration of a flush; TDK's driver
  /// reads the flush bit every 100 us.
  private func endFlush(by time: Timestamp) {
    guard let end = flushEnd, end <= time else { return }
    flushEnd = nil
    queue.removeAll()
    registers.change(map.fifoConfig2) { $0.flush(false) }
  }

  private func stop() {
    train.stop()
    queue.removeAll()
    pins.release()
  }

  private func resetRegisters() {
    registers.reset()
    (watermark, shownCount) = (0, 0)
    (flushEnd, isFlowing) = (nil, false)
    (fetched, isFetching, innerEnd) = (0x02, false, now)
    registers.change(map.int1Status0) { $0.resetDone(true) }
    registers.change(map.int2Status0) { $0.resetDone(true) }
  }

  // MARK: Inner registers

  /// The selected inner register. An unknown bank is replaced by bank 1 or 5, so that the address
  /// stays within the register file.
  private var inner: FlatAddress {
    let bank = ICM45686Map.indirect.bank(of: registers[map.innerHigh.address]) ?? 1
    return FlatAddress(bank: min(bank, 5), registers[map.innerLow.address])
  }

  /// Starts a request, which takes 4 us (section 13.3).
  private func request(advances: Bool) {
    if advances { registers[map.innerLow.address] &+= 1 }
    isFetching = true
    innerEnd = now + .microseconds(4)
  }

  private func writeInner(_ value: UInt8) {
    registers.store(value, at: inner)
    request(advances: true)
  }

  /// The byte order of measured values and of the FIFO's count.
  private var order: ByteOrder {
    registers[map.sensorControl]({ $0 }) == true ? .highFirst : .lowFirst
  }

  // MARK: Samples

  private var hasGyro: Bool { registers[map.power]({ $0.gyro }).map { $0.rawValue >= 2 } == true }

  private var hasAccel: Bool { registers[map.power]({ $0.accel }).map { $0.rawValue >= 2 } == true }

  /// Restarts sampling at the rate of the faster sensor. If both sensors were off, the
  /// accelerometer's first sample takes 10 ms (table 2) and the gyroscope's first sample takes 35
  /// ms (table 1).
  private func restartTrain() {
    guard hasGyro || hasAccel else {
      train.stop()
      gyroStart = .zero
      return
    }
    if !hasGyro {
      gyroStart = .zero
    } else if gyroStart == .zero {
      gyroStart = now + .milliseconds(35)
    }
    let rates = (
      hasGyro ? registers[map.gyroConfig0]({ $0.rate })?.hertz ?? 0 : 0,
      hasAccel ? registers[map.accelConfig0]({ $0.rate })?.hertz ?? 0 : 0
    )
    let hertz = max(rates.0, rates.1)
    guard hertz > 0 else { return train.stop() }
    if train.isRunning {
      train.start(at: now, rate: hertz)
    } else {
      train.start(first: now + .milliseconds(hasAccel ? 10 : 35), rate: hertz)
    }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = reading(at: time)
    let order = order
    registers.put(counts(reading.temperature - 25, 128), at: map.temperature.address, order)
    if hasAccel {
      registers.put(reading.specificForce, accelScale, at: map.accel.address, order)
    }
    if hasGyro, time >= gyroStart {
      registers.put(reading.rotationRate, gyroScale, at: map.gyro.address, order)
    }
    let crossed = isFlowing ? push(packet(of: reading, at: time)) : false
    signal(dataReady: true, watermark: crossed, full: false, at: time)
  }

  /// Sets the enabled status bits of both pins, and activates the pins.
  private func signal(dataReady: Bool, watermark: Bool, full: Bool, at time: Timestamp) {
    for pin in UInt8(1)...2 {
      let sources = sources(of: pin)
      let raised =
        (dataReady && sources({ $0.dataReady }) == true ? 0x04 : 0)
        | (watermark && sources({ $0.watermark }) == true ? 0x02 : 0)
        | (full && sources({ $0.full }) == true ? 0x01 : 0) as UInt8
      guard raised != 0 else { continue }
      registers[pin == 2 ? map.int2Status0.address : map.int1Status0.address] |= raised
      if !isLatched(pin) { pins.pulse(pin, at: time) }
    }
    pins.update(at: time) { isLatched($0) && status(of: $0) != 0 }
  }

  private func sources(of pin: UInt8) -> Contents<ICM45686Map.IntSources> {
    registers[pin == 2 ? map.int2Config0 : map.int1Config0]
  }

  private func status(of pin: UInt8) -> UInt8 {
    registers[pin == 2 ? map.int2Status0.address : map.int1Status0.address]
  }

  private func isLatched(_ pin: UInt8) -> Bool {
    registers[pin == 2 ? map.int2Config2 : map.int1Config2]({ $0.latched }) == true
  }

  /// Returns the measurements of the sensors. They are limited to at least -32767 counts, because
  /// -32768 means "no data".
  private func reading(at time: Timestamp) -> ChipReading {
    var reading = input.reading(at: time)
    hold(&reading.specificForce, isFine ? 1024 : accelScale)
    hold(&reading.rotationRate, isFine ? 32768 / radians(fromDegrees: 4000) : gyroScale)
    return reading
  }

  private func hold(_ vector: inout Vector3, _ scale: Double) {
    let lowest = -32767 / scale
    // A component that is not a number stays unchanged here, and later becomes 0 counts.
    if vector.x < lowest { vector.x = lowest }
    if vector.y < lowest { vector.y = lowest }
    if vector.z < lowest { vector.z = lowest }
  }

  /// The accelerometer's counts per g, and the gyroscope's counts per radian per second.
  private var accelScale: Double {
    1 / (registers[map.accelConfig0]({ $0.range }) ?? .g32).gPerCount
  }

  private var gyroScale: Double {
    1 / (registers[map.gyroConfig0]({ $0.range }) ?? .dps4000).radiansPerCount
  }

  // MARK: FIFO

  private var isFine: Bool { registers[map.fifoConfig3]({ $0.highResolution }) == true }

  /// Returns the packet for a sample: 8 bytes for one sensor, 16 for both sensors, and 20 for both
  /// sensors with 20 bits (section 5.1). A packet with 20 bits has the scales of the widest ranges.
  private func packet(of reading: ChipReading, at time: Timestamp) -> InvenSensePacket {
    let config = registers[map.fifoConfig3]
    let isFine = isFine
    let force = InvenSensePacket.axes(
      reading.specificForce, accelScale, fine: isFine ? 16384 : nil)
    let turn = InvenSensePacket.axes(
      reading.rotationRate, gyroScale, fine: isFine ? 524288 / radians(fromDegrees: 4000) : nil)
    let warmth = reading.temperature - 25
    let isTimed =
      registers[map.systemControl]({ $0.time }) == true
      && registers[map.fifoConfig4]({ $0.time }) == true
    let step: Int64 = registers[map.timeConfig]({ $0.coarse }) == true ? 16_000 : 1000
    return InvenSensePacket(
      force: !isFine && config({ $0.accel }) != true
        ? nil : hasAccel ? force : InvenSensePacket.noData,
      turn: !isFine && config({ $0.gyro }) != true
        ? nil : hasGyro && time >= gyroStart ? turn : InvenSensePacket.noData,
      isFine: isFine, marksTime: true, temperature: counts(warmth, 128),
      shortTemperature: Int8(saturating: warmth * 2),
      time: isTimed ? UInt16(truncatingIfNeeded: time.nanoseconds / step) : 0, order)
  }

  /// The size of a packet with the current settings.
  private var packetSize: Int {
    if isFine { return 20 }
    let config = registers[map.fifoConfig3]
    return (config({ $0.accel }) == true ? 8 : 0) + (config({ $0.gyro }) == true ? 8 : 0)
  }

  private func hasRoom(for packet: InvenSensePacket) -> Bool {
    // The chip has 8 kB; higher codes are reserved (section 16.28).
    let depth = min((Int(registers[map.fifoConfig0.address] & 0x3F) + 1) * 256, 8192)
    return depth - queue.count >= packet.count
  }

  /// Adds a packet to the FIFO. Returns true if this packet brings the FIFO to its watermark. If
  /// the chip is configured to signal each packet, the result is also true for every packet above
  /// the watermark.
  @discardableResult
  private func push(_ packet: InvenSensePacket) -> Bool {
    guard packet.count > 1 else { return false }
    if !hasRoom(for: packet) {
      signal(dataReady: false, watermark: false, full: true, at: now)
      guard registers[map.fifoConfig0]({ $0.mode }) == .stream else { return false }
      for _ in 0..<packet.count { _ = queue.removeFirst() }
    }
    for index in 0..<packet.count { _ = queue.append(packet.bytes[index]) }
    let waiting = queue.count / packet.count
    guard watermark > 0 else { return false }
    return waiting == watermark
      || waiting > watermark && registers[map.fifoConfig2]({ $0.repeatsWatermark }) == true
  }

  /// Updates the register with the FIFO's count. Every fifth read of the count that does not follow
  /// another read of the count returns the previous count (AN-000364, section 2.2).
  private func showCount() {
    let count = UInt16(truncatingIfNeeded: packetSize > 0 ? queue.count / packetSize : 0)
    if !isCountRepeated {
      countReads += 1
      isCountRepeated = true
      if countReads % 5 == 0 { return }
    }
    shownCount = count
  }
}
