// SPDX-License-Identifier: Apache-2.0
public import Chips
public import Quantities
internal import Registers
internal import Sensors

/// The LSM6DS3 and the LSM6DS3TR-C from the outside: powered down after reset, both sensors on one oscillator, a queue
/// of words with pattern, watermark and overrun, block update, the page of embedded functions, and an interrupt pin.
///
/// Not modelled: filters, settling, the sensor hub, timestamps and steps in the queue, the embedded functions'
/// behaviour behind their registers, INT2, triggered queue modes (they wait for a trigger that never comes).
public final class LSM6DS3Model: ChipModel {
  let map = LSM6DS3Map()
  let family: LSM6DS3Family
  var registers: RegisterFile
  private var embedded: RegisterFile
  private let surroundings: any Surroundings
  private let clockError: Double
  var train: SampleTrain
  /// Samples of the faster sensor since rates were last set.
  private var taken = 0
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  var queue: WordQueue
  /// Samples that the queue was offered since it left bypass.
  private var queued = 0
  /// The newest outputs: temperature, gyroscope, accelerometer.
  private var outputs = InlineArray<7, Int16>(repeating: 0)
  /// Outputs whose low byte was read and whose high byte was not, bit by bit.
  private var held: UInt8 = 0
  private var interrupt = EdgeQueue()
  private var wasHigh = false

  /// A chip whose oscillator is off by `clockError` parts.
  public init(_ surroundings: any Surroundings, family: LSM6DS3Family, clockError: Double = 0) {
    self.surroundings = surroundings
    self.family = family
    self.clockError = clockError
    train = SampleTrain(clockError: clockError)
    queue = WordQueue(capacity: family.queueWords)
    switch family {
    case .lsm6ds3:
      registers = RegisterFile(LSM6DS3Map())
      embedded = RegisterFile(LSM6DS3EmbeddedMap())
    case .lsm6ds3trc:
      registers = RegisterFile(LSM6DS3TRCMap())
      embedded = RegisterFile(LSM6DS3TRCEmbeddedMap())
    }
  }

  /// Whether FUNC_CFG_ACCESS has the embedded page open.
  private var isEmbeddedPage: Bool {
    registers[map.funcCfgAccess.address] & (family == .lsm6ds3 ? 0x80 : 0xE0) != 0
  }

  public func successor(of register: UInt8) -> UInt8 {
    guard registers[map.ctrl3C]({ $0.ifInc }) == true else { return register }
    // The queue's two bytes turn round in a burst.
    if register == map.fifoDataOutH.address, !isEmbeddedPage { return map.fifoDataOutL.address }
    return (register &+ 1) & 0x7F
  }

  public private(set) var samplesTaken: UInt64 = 0

  public var isActiveLow: Bool { registers[map.ctrl3C]({ $0.hLactive }) == true }

  public func powerCycle() {
    train.stop()
    resetEnd = nil
    reset()
  }

  public func overrunQueue() {
    guard train.isRunning, wordsPerSample > 0 else { return }
    // Full, and the words before its oldest are gone: it now begins inside a set.
    let room = queue.capacity - queue.count
    for _ in 0..<(room + 5) { queue.append(UInt16(bitPattern: outputs[1])) }
    updatePin(at: now)
  }

  private func reset() {
    registers.reset()
    embedded.reset()
    queue.removeAll()
    queue.patternLength = 0
    held = 0
    wasHigh = false
  }

  public func nextEdge(of pin: UInt8) -> Timestamp? {
    guard pin == 1, !wasHigh || isPulsed, let next = train.next else { return nil }
    let enabled = registers[map.int1Ctrl]
    var soonest: Timestamp?
    if enabled({ $0.int1DrdyG }) == true { soonest = next + period * Int64(until(gyroEvery)) }
    if enabled({ $0.int1DrdyXl }) == true {
      let time = next + period * Int64(until(accelEvery))
      soonest = min(soonest ?? time, time)
    }
    if enabled({ $0.int1Fth }) == true, wordsPerSample > 0, watermark > queue.count {
      let samples = (watermark - queue.count + wordsPerSample - 1) / wordsPerSample
      let time = next + period * Int64((samples - 1) * queueEvery + until(queueEvery))
      soonest = min(soonest ?? time, time)
    }
    return soonest
  }

  public func takeEdges(of pin: UInt8) -> EdgeQueue {
    guard pin == 1 else { return EdgeQueue() }
    defer { interrupt.removeAll() }
    return interrupt
  }

  public func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time {
      resetEnd = nil
      if registers[map.ctrl3C]({ $0.swReset }) == true {
        reset()
      } else {
        registers.change(map.ctrl3C) { $0.boot(false) }
      }
    }
    while let next = train.next, next <= time {
      train.advance()
      take(at: next)
    }
    now = time
  }

  public func read(_ register: UInt8) -> UInt8 {
    guard !isEmbeddedPage || register == map.funcCfgAccess.address else {
      return embedded[register]
    }
    switch register {
    case map.outTempL.address...map.outzHXl.address: return readOutput(register)
    case map.fifoStatus1.address...map.fifoStatus4.address: return queueStatus(register)
    case map.fifoDataOutL.address: return UInt8(truncatingIfNeeded: queue.front)
    case map.fifoDataOutH.address:
      defer {
        queue.removeFirst()
        updatePin(at: now)
      }
      return UInt8(queue.front >> 8)
    default: return registers[register]
    }
  }

  public func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    guard !isEmbeddedPage || register == map.funcCfgAccess.address else {
      embedded.store(value, at: register)
      return
    }
    let before = registers[register]
    registers.store(value, at: register)
    switch register {
    case map.ctrl3C.address:
      let control = registers[map.ctrl3C]
      if control({ $0.swReset }) == true {
        train.stop()
        resetEnd = now + .microseconds(50)
      } else if control({ $0.boot }) == true {
        resetEnd = now + .milliseconds(15)
      }
    case map.ctrl1Xl.address, map.ctrl2G.address:
      // A new range leaves the rate alone.
      if (before ^ registers[register]) & 0xF0 != 0 { restartTrain() }
    case map.fifoCtrl3.address, map.fifoCtrl5.address:
      if registers[map.fifoCtrl5]({ $0.fifoMode }) == .bypass {
        queue.removeAll()
        queued = 0
      }
      queue.patternLength = patternLength
    default: break
    }
    updatePin(at: now)
  }

  private func restartTrain() {
    taken = 0
    queued = 0
    guard rate > 0 else {
      train.stop()
      return
    }
    train.start(at: now, rate: rate)
  }

  /// One sample of the faster sensor.
  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = surroundings.reading(at: time)
    let isAccel = taken % max(accelEvery, 1) == 0 && accelEvery > 0
    let isGyro = taken % max(gyroEvery, 1) == 0 && gyroEvery > 0
    outputs[0] = counts(reading.temperature - 25, family.countsPerDegree)
    if isGyro {
      let scale = registers[map.ctrl2G]({ $0.fsG }) ?? .dps2000
      let perCount = radians(fromDegrees: scale.degreesPerSecondPerCount)
      store(reading.rotationRate, 1 / perCount, at: 1, dead: deadAxes(map.ctrl10C.address))
    }
    if isAccel {
      let scale = registers[map.ctrl1Xl]({ $0.fsXl }) ?? .g2
      store(reading.specificForce, 1 / scale.gPerCount, at: 4, dead: deadAxes(map.ctrl9Xl.address))
    }
    showOutputs()
    registers.change(map.statusReg) { status in
      status.tda(true) | (isGyro ? status.gda(true) : .nothing)
        | (isAccel ? status.xlda(true) : .nothing)
    }
    if queueEvery > 0, taken % queueEvery == 0 { fillQueue() }
    taken += 1
    let enabled = registers[map.int1Ctrl]
    if isPulsed,
      isGyro && enabled({ $0.int1DrdyG }) == true || isAccel && enabled({ $0.int1DrdyXl }) == true
    {
      interrupt.append(time)
    }
    updatePin(at: time)
  }

  private func store(_ vector: Vector3, _ scale: Double, at first: Int, dead: UInt8) {
    outputs[first] = dead & 0x08 != 0 ? 0 : counts(vector.x, scale)
    outputs[first + 1] = dead & 0x10 != 0 ? 0 : counts(vector.y, scale)
    outputs[first + 2] = dead & 0x20 != 0 ? 0 : counts(vector.z, scale)
  }

  /// Bits 3 to 5 of the older map's CTRL9_XL and CTRL10_C switch axes on; the newer map has none.
  private func deadAxes(_ register: UInt8) -> UInt8 {
    family == .lsm6ds3 ? ~registers[register] & 0x38 : 0
  }

  /// Outputs into registers, but for those between their two reads.
  private func showOutputs() {
    let isBigEndian = registers[map.ctrl3C]({ $0.ble }) == true
    for index in 0..<7 where held & (1 << UInt8(index)) == 0 {
      let bits = UInt16(bitPattern: outputs[index])
      let low = map.outTempL.address + UInt8(index) * 2
      let (high, rest) = (UInt8(bits >> 8), UInt8(truncatingIfNeeded: bits))
      registers[low] = isBigEndian ? high : rest
      registers[low + 1] = isBigEndian ? rest : high
    }
  }

  private func readOutput(_ register: UInt8) -> UInt8 {
    let value = registers[register]
    let index = (register - map.outTempL.address) / 2
    if (register - map.outTempL.address) % 2 == 0 {
      if registers[map.ctrl3C]({ $0.bdu }) == true { held |= 1 << index }
      return value
    }
    held &= ~(1 << index)
    registers.change(map.statusReg) { status in
      switch index {
      case 0: status.tda(false)
      case 1...3: status.gda(false)
      default: status.xlda(false)
      }
    }
    showOutputs()
    updatePin(at: now)
    return value
  }

  private func fillQueue() {
    let mode = registers[map.fifoCtrl5]({ $0.fifoMode }) ?? .bypass
    guard mode == .continuous || mode == .untilFull || mode == .continuousUntilTrigger else {
      return
    }
    let control = registers[map.fifoCtrl3]
    let stops = mode == .untilFull || stopsOnWatermark
    func push(_ factor: Int, _ first: Int) {
      guard factor > 0, queued % factor == 0 else { return }
      for index in first..<(first + 3) where !stops || queue.count < queueLimit {
        queue.append(UInt16(bitPattern: outputs[index]))
      }
    }
    push(control({ $0.decFifoGyro })?.factor ?? 0, 1)
    push(control({ $0.decFifoXl })?.factor ?? 0, 4)
    queued += 1
  }

  /// The pin rises where a cause appears while there was none. A pulsed data-ready is not part of its level.
  func updatePin(at time: Timestamp) {
    let isHigh = level
    if isHigh, !wasHigh { interrupt.append(time) }
    wasHigh = isHigh
  }

  /// From one sample of the faster sensor to the next.
  private var period: TimeSpan { TimeSpan(seconds: 1 / rate / (1 + clockError)) }

  /// Samples of the faster sensor until one that comes every `every` of them, after the next.
  private func until(_ every: Int) -> Int { every > 0 ? (every - taken % every) % every : 0 }
}
