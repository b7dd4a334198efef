// SPDX-License-Identifier: Apache-2.0
internal import Chips
public import Quantities
internal import Registers
internal import Sensors

/// The MPU-6050 from the outside: asleep after power-up, reset, sample train, queue that loses its oldest bytes,
/// data-ready pulses. Its low-pass filter is not modelled.
public final class MPU6050Model: ChipModel {
  private let map = MPU6050Map()
  private var registers = RegisterFile(MPU6050Map())
  private let surroundings: any Surroundings
  private var train: SampleTrain
  private var now = Timestamp.zero
  /// While the chip is resetting, and when it is done.
  private var resetEnd: Timestamp?
  /// When the oscillator runs after sleep.
  private var awake = Timestamp.zero
  private var queue = ByteQueue(capacity: MPU6050Facts.fifoSize)
  /// FIFO_COUNT as latched by reading its high byte.
  private var latchedCountLow: UInt8 = 0
  private var interrupt = EdgeQueue()

  /// A chip whose oscillator is off by `clockError` parts.
  public init(_ surroundings: any Surroundings, clockError: Double = 0) {
    self.surroundings = surroundings
    train = SampleTrain(clockError: clockError)
  }

  public func successor(of register: UInt8) -> UInt8 {
    // The queue's port stays put in a burst.
    register == map.fifoData.address ? register : (register &+ 1) & 0x7F
  }

  public private(set) var samplesTaken: UInt64 = 0

  public var isActiveLow: Bool { registers[map.interruptPin]({ $0.activeLow }) == true }

  public var passesThrough: Bool {
    registers[map.interruptPin]({ $0.auxiliaryBypass }) == true
      && registers[map.userControl]({ $0.auxiliaryMasterEnable }) != true
  }

  public func powerCycle() {
    train.stop()
    queue.removeAll()
    registers.reset()
    resetEnd = nil
  }

  public func overrunQueue() {
    guard train.isRunning, registers[map.userControl]({ $0.fifoEnable }) == true else { return }
    // Full, and the oldest frame's first bytes are gone with all before them.
    while queue.append(registers[map.accelXLow.address]) {}
    for _ in 0..<4 { _ = queue.append(registers[map.accelXLow.address]) }
    registers.change(map.interruptStatus) { $0.fifoOverflow(true) }
  }

  public func nextEdge(of pin: UInt8) -> Timestamp? {
    pin == 1 && registers[map.interruptEnable]({ $0.dataReady }) == true ? train.next : nil
  }

  public func takeEdges(of pin: UInt8) -> EdgeQueue {
    guard pin == 1 else { return EdgeQueue() }
    defer { interrupt.removeAll() }
    return interrupt
  }

  public func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time {
      resetEnd = nil
      registers.reset()
    }
    while let next = train.next, next <= time {
      train.advance()
      take(at: next)
    }
    now = time
  }

  public func read(_ register: UInt8) -> UInt8 {
    switch register {
    case map.interruptStatus.address:
      defer { registers[register] = 0 }
      return registers[register]
    case map.fifoCountHigh.address:
      latchedCountLow = UInt8(truncatingIfNeeded: queue.count)
      return UInt8(queue.count >> 8)
    case map.fifoCountLow.address:
      return latchedCountLow
    case map.fifoData.address:
      return queue.removeFirst()
    case map.signalPathReset.address:
      return 0
    default:
      return registers[register]
    }
  }

  public func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    registers.store(value, at: register)
    switch register {
    case map.power1.address:
      if registers[map.power1]({ $0.deviceReset }) == true {
        train.stop()
        queue.removeAll()
        // The vendor asks for 100 ms before the next access; silicon is done earlier.
        resetEnd = now + .milliseconds(50)
        return
      }
      restartTrain(afterWaking: true)
    case map.sampleRateDivider.address, map.config.address:
      restartTrain(afterWaking: false)
    case map.userControl.address:
      if registers[map.userControl]({ $0.fifoReset }) == true {
        // FIFO_RST is heeded only while FIFO_EN is clear, and clears itself.
        if registers[map.userControl]({ $0.fifoEnable }) != true { queue.removeAll() }
        registers.change(map.userControl) { $0.fifoReset(false) }
      }
    default: break
    }
  }

  /// Samples per second that the registers ask for.
  private var rate: Double {
    let filter = registers[map.config]({ $0.lowPassFilter })
    // Code 7 is reserved and runs at 8 kHz as code 0 does.
    let base: Double = filter == nil || filter == .hz256 ? 8000 : 1000
    return base / Double(1 + Int(registers[map.sampleRateDivider.address]))
  }

  private func restartTrain(afterWaking: Bool) {
    let power = registers[map.power1]
    guard power({ $0.sleep }) != true, power({ $0.clockSource }) != .stopped else {
      train.stop()
      return
    }
    let wasRunning = train.isRunning
    if afterWaking, wasRunning { return }
    guard afterWaking || wasRunning else { return }
    // From sleep the first sample needs the oscillator: 10 ms.
    if afterWaking { awake = now + .milliseconds(10) }
    train.start(at: max(now, awake), rate: rate)
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = surroundings.reading(at: time)
    let standby = registers[map.power2]
    let accel = (registers[map.accelConfig]({ $0.fullScale }) ?? .g2).countsPerG
    let force = reading.specificForce
    store(standby({ $0.standbyAccelX }) == true ? 0 : counts(force.x, accel), at: map.accelXHigh)
    store(standby({ $0.standbyAccelY }) == true ? 0 : counts(force.y, accel), at: map.accelYHigh)
    store(standby({ $0.standbyAccelZ }) == true ? 0 : counts(force.z, accel), at: map.accelZHigh)
    store(counts(reading.temperature - 36.53, 340), at: map.temperatureHigh)
    let gyro =
      (registers[map.gyroConfig]({ $0.fullScale }) ?? .dps250).countsPerDegreePerSecond
      * degrees(fromRadians: 1)
    let turn = reading.rotationRate
    store(standby({ $0.standbyGyroX }) == true ? 0 : counts(turn.x, gyro), at: map.gyroXHigh)
    store(standby({ $0.standbyGyroY }) == true ? 0 : counts(turn.y, gyro), at: map.gyroYHigh)
    store(standby({ $0.standbyGyroZ }) == true ? 0 : counts(turn.z, gyro), at: map.gyroZHigh)
    if registers[map.userControl]({ $0.fifoEnable }) == true { fillQueue() }
    if registers[map.interruptEnable]({ $0.dataReady }) == true {
      registers.change(map.interruptStatus) { $0.dataReady(true) }
      interrupt.append(time)
    }
  }

  private func store(_ value: Int16, at high: Register<WholeByte, RO>) {
    let bits = UInt16(bitPattern: value)
    registers[high.address] = UInt8(bits >> 8)
    registers[high.address + 1] = UInt8(truncatingIfNeeded: bits)
  }

  /// Enabled sources in register order: accelerometer, temperature, gyroscope axis by axis.
  private func fillQueue() {
    let sources = registers[map.fifoEnable]
    var fits = true
    func push(_ first: UInt8, _ count: UInt8) {
      for address in first..<(first + count) where !queue.append(registers[address]) {
        fits = false
      }
    }
    if sources({ $0.accel }) == true { push(map.accelXHigh.address, 6) }
    if sources({ $0.temperature }) == true { push(map.temperatureHigh.address, 2) }
    if sources({ $0.gyroX }) == true { push(map.gyroXHigh.address, 2) }
    if sources({ $0.gyroY }) == true { push(map.gyroYHigh.address, 2) }
    if sources({ $0.gyroZ }) == true { push(map.gyroZHigh.address, 2) }
    if !fits { registers.change(map.interruptStatus) { $0.fifoOverflow(true) } }
  }
}
