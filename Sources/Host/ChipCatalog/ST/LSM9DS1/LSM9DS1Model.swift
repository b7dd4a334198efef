// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the LSM9DS1's accelerometer and gyroscope. The chip is powered down after a reset.
/// The model covers both sensors at the gyroscope's rate, a FIFO of 32 samples with threshold and
/// overrun, bursts that continue from one sensor to the other, block update, the self-test, and two
/// interrupt pins that stay active until their cause is read.
///
/// Not modelled: filters, settling, decimation, interrupt generators, activity, temperatures in the
/// FIFO, and triggered FIFO modes.
package final class LSM9DS1Model: ChipModel {
  typealias Sample = InlineArray<6, Int16>

  private let map = LSM9DS1Map()
  private var registers = RegisterFile(LSM9DS1Map())
  private let input: any SensorInput
  private let clockError: Double
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  /// The FIFO. A sample is the gyroscope and then the accelerometer, in register order.
  private var queue = Ring<Sample>(
    capacity: LSM9DS1Chip.queueSamples, filledWith: Sample(repeating: 0))
  private var hasOverrun = false
  /// The latest sample, and one bit for each of the sample's words, set while the word's low byte
  /// has been read but not its high byte.
  private var newest = Sample(repeating: 0)
  private var held: UInt8 = 0
  /// The levels and edges of both interrupt pins.
  private var pins = PinPair()
  /// The response of each axis to the self-test's stimulus, in g and rad/s. The default is the
  /// response of an intact part.
  package var accelSelfTest = Vector3(0.5, 0.6, 0.4)
  package var gyroSelfTest = Vector3(
    radians(fromDegrees: 400), radians(fromDegrees: 350), radians(fromDegrees: 300))

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    self.clockError = clockError
    train = SampleTrain(clockError: clockError)
  }

  // MARK: - Register settings

  private var hasGyro: Bool { registers[map.ctrlReg1G]({ $0.odrG }) ?? .off != .off }

  /// The output rate in Hz. While the gyroscope is on, the accelerometer runs at the gyroscope's
  /// rate.
  private var rate: Double {
    if hasGyro {
      let rates: InlineArray<7, Double> = [0, 14.9, 59.5, 119, 238, 476, 952]
      return rates[Int(registers[map.ctrlReg1G.address] >> 5) % 7]
    }
    let rates: InlineArray<7, Double> = [0, 10, 50, 119, 238, 476, 952]
    return rates[Int(registers[map.ctrlReg6Xl.address] >> 5) % 7]
  }

  private var queues: Bool {
    let mode = registers[map.fifoCtrl]({ $0.fmode }) ?? .bypass
    return registers[map.ctrlReg9]({ $0.fifoEn }) == true && mode != .bypass
      && mode != .bypassUntilTrigger
  }

  private var threshold: Int { Int(registers[map.fifoCtrl]({ $0.fth }) ?? 0) }
  private var isAtThreshold: Bool { threshold > 0 && queue.count >= threshold }

  // MARK: - The chip

  package func successor(of register: UInt8) -> UInt8 {
    guard registers[map.ctrlReg8]({ $0.ifAddInc }) == true else { return register }
    switch register {
    case map.outG[5].address where hasGyro: return map.outXl.address
    case map.outXl[5].address: return hasGyro ? map.outG.address : map.outXl.address
    default: return (register &+ 1) & 0x7F
    }
  }

  package private(set) var samplesTaken: UInt64 = 0

  package var isActiveLow: Bool { registers[map.ctrlReg8]({ $0.hLactive }) == true }

  package func powerCycle() {
    train.stop()
    resetEnd = nil
    reset()
  }

  package func overrunQueue() {
    guard train.isRunning, queues else { return }
    for _ in queue.count...queue.capacity { push() }
    updatePins(at: now)
  }

  private func reset() {
    registers.reset()
    emptyQueue()
    held = 0
    pins.release()
  }

  private func emptyQueue() {
    queue.removeAll()
    hasOverrun = false
  }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time {
      resetEnd = nil
      if registers[map.ctrlReg8]({ $0.swReset }) == true {
        reset()
      } else {
        registers.change(map.ctrlReg8) { $0.boot(false) }
      }
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    // The bit above the register address is ignored. Only the magnetometer needs this bit for
    // bursts.
    let register = register & 0x7F
    switch register {
    case map.outG.address...map.outG[5].address:
      return readOutput(register, first: map.outG.address, word: 0)
    case map.outXl.address...map.outXl[5].address:
      return readOutput(register, first: map.outXl.address, word: 3)
    case map.statusRegXl.address: return registers[map.statusReg.address]
    case map.fifoSrc.address:
      return UInt8(queue.count) | (isAtThreshold ? 0x80 : 0) | (hasOverrun ? 0x40 : 0)
    case map.outTemp[1].address:
      registers.change(map.statusReg) { $0.tda(false) }
      return registers[register]
    default: return registers[register]
    }
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    let register = register & 0x7F
    let before = registers[register]
    registers.store(value, at: register)
    switch register {
    case map.ctrlReg8.address:
      let control = registers[map.ctrlReg8]
      guard control({ $0.swReset }) == true || control({ $0.boot }) == true else { break }
      if control({ $0.swReset }) == true { train.stop() }
      resetEnd = now + (control({ $0.swReset }) == true ? .microseconds(50) : .milliseconds(10))
    case map.ctrlReg1G.address, map.ctrlReg6Xl.address:
      // A change of a sensor's range alone does not restart sampling.
      guard (before ^ registers[register]) & 0xE0 != 0 else { break }
      if rate > 0 { train.start(at: now, rate: rate) } else { train.stop() }
    case map.ctrlReg9.address, map.fifoCtrl.address: if !queues { emptyQueue() }
    default: break
    }
    updatePins(at: now)
  }

  /// Takes one sample of the chip's active sensors.
  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    let stimulus = registers[map.ctrlReg10]
    let isTurning = hasGyro
    if isTurning {
      let turn =
        reading.rotationRate + (stimulus({ $0.stG }) == true ? gyroSelfTest : .zero)
      // The gyroscope has 8.75, 17.5 and 70 mdps per count.
      let scales: InlineArray<4, Double> = [0.00875, 0.0175, 0.07, 0.07]
      let scale = scales[Int(registers[map.ctrlReg1G.address] >> 3 & 3)]
      store(turn, 1 / radians(fromDegrees: scale), at: 0)
    }
    let force = reading.specificForce + (stimulus({ $0.stXl }) == true ? accelSelfTest : .zero)
    // The accelerometer has the listed micro-g per count at 2, 16, 4 and 8 g.
    let scales: InlineArray<4, Double> = [61e-6, 732e-6, 122e-6, 244e-6]
    store(force, 1 / scales[Int(registers[map.ctrlReg6Xl.address] >> 3 & 3)], at: 3)
    registers.put(counts(reading.temperature - 25, 16), at: map.outTemp.address, .lowFirst)
    registers.change(map.statusReg) { $0.tda(true) | $0.gda(isTurning) | $0.xlda(true) }
    showOutputs()
    if queues { push() }
    updatePins(at: time)
  }

  /// Stores a vector in the axes of these sensors. Their x axis points opposite to the x axis of
  /// the surroundings.
  private func store(_ vector: Vector3, _ scale: Double, at first: Int) {
    newest[first] = counts(-vector.x, scale)
    newest[first + 1] = counts(vector.y, scale)
    newest[first + 2] = counts(vector.z, scale)
  }

  private func push() {
    let mode = registers[map.fifoCtrl]({ $0.fmode }) ?? .bypass
    let stops = registers[map.ctrlReg9]({ $0.stopOnFth }) == true
    let limit = stops ? threshold + 1 : queue.capacity
    guard queue.count < limit || !stops && mode != .untilFull else { return }
    if !queue.append(newest) { hasOverrun = true }
  }

  /// Copies the chip's outputs to the output registers, except words that are held.
  private func showOutputs() {
    for index in 0..<6 where held & (1 << UInt8(index)) == 0 {
      let first = index < 3 ? map.outG.address : map.outXl.address - 6
      registers.put(newest[index], at: first + UInt8(index) * 2, .lowFirst)
    }
  }

  private func readOutput(_ register: UInt8, first: UInt8, word: Int) -> UInt8 {
    let index = word + Int(register - first) / 2
    let isHigh = (register - first) % 2 == 1
    if queues {
      let counts = UInt16(bitPattern: queue.front[index])
      // The read of a sample's last byte removes the sample from the FIFO.
      if isHigh, index == 5 {
        _ = queue.removeFirst()
        hasOverrun = false
        updatePins(at: now)
      }
      return UInt8(truncatingIfNeeded: isHigh ? counts >> 8 : counts)
    }
    let value = registers[register]
    guard isHigh else {
      if registers[map.ctrlReg8]({ $0.bdu }) == true { held |= 1 << UInt8(index) }
      return value
    }
    held &= ~(1 << UInt8(index))
    registers.change(map.statusReg) { index < 3 ? $0.gda(false) : $0.xlda(false) }
    showOutputs()
    updatePins(at: now)
    return value
  }

  // MARK: - Pins

  private func routed(_ pin: UInt8) -> UInt8 {
    registers[pin == 1 ? map.int1Ctrl.address : map.int2Ctrl.address]
  }

  private func isActive(_ pin: UInt8) -> Bool {
    let routed = routed(pin)
    // The data-ready flags have the same bits in the status register as in the routing registers.
    return routed & registers[map.statusReg.address] & 0x03 != 0
      || routed & 0x08 != 0 && isAtThreshold || routed & 0x10 != 0 && hasOverrun
      || routed & 0x20 != 0 && queue.count == queue.capacity
  }

  private func updatePins(at time: Timestamp) { pins.update(at: time) { isActive($0) } }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { pins.take(pin) }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    guard (1...2).contains(pin), let next = train.next, !pins.isActive(pin) else { return nil }
    let routed = routed(pin)
    if routed & 0x01 != 0 || routed & 0x02 != 0 && hasGyro { return next }
    guard routed & 0x08 != 0, queues, threshold > queue.count else { return nil }
    let period = TimeSpan(seconds: 1 / rate / (1 + clockError))
    return next + period * Int64(threshold - queue.count - 1)
  }
}
