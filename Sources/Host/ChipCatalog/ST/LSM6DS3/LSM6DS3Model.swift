// SPDX-License-Identifier: Apache-2.0
package import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the LSM6DS3 and LSM6DS3TR-C. The chip is powered down after a reset. The model covers
/// both sensors on one oscillator, a word-based FIFO with pattern, watermark and overrun, block
/// update, self-tests, pass-through, timestamps, the page of embedded functions and their
/// detections, and two interrupt pins.
///
/// Not modelled: filters, the accelerometer's settling, the slower rate while inactive, the sensor
/// hub's transfers, step deltas, wrist tilt, and triggered FIFO modes (their trigger never comes).
package final class LSM6DS3Model: ChipModel {
  let map = LSM6DS3Map()
  let family: LSM6DS3Family
  var registers: RegisterFile
  var embedded: RegisterFile
  private let input: any SensorInput
  let clockError: Double
  var train: SampleTrain
  /// The number of samples of the faster sensor since the rates were last set.
  var taken = 0
  var now = Timestamp.zero
  private var resetEnd: Timestamp?
  var queue: WordQueue
  /// The number of samples that were taken for the FIFO since the FIFO left bypass mode.
  private var queued = 0
  /// The time at which the timestamp counter was 0; `nil` while it is off.
  var timerOrigin: Timestamp?
  /// The chip's latest outputs: temperature, gyroscope, accelerometer.
  private var outputs = HeldOutputs()
  private var gyroStart = GyroscopeStart()
  private var accelStart = AccelerometerStart()
  var pins = PinPair()
  /// The model of the embedded functions, which process the accelerometer's samples.
  var functions = MotionFunctions()
  /// The response of each axis to the self-test's stimulus, in g and rad/s. The default is the
  /// response of an intact part.
  package var accelSelfTest = Vector3(0.5, 0.6, 0.4)
  package var gyroSelfTest = Vector3(
    radians(fromDegrees: 400), radians(fromDegrees: 350), radians(fromDegrees: 300))

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, family: LSM6DS3Family, clockError: Double = 0) {
    self.input = input
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
    fillEmbedded()
  }

  /// True if FUNC_CFG_ACCESS selects the page of embedded functions.
  private var isEmbeddedPage: Bool {
    registers[map.funcCfgAccess.address] & (family == .lsm6ds3 ? 0x80 : 0xE0) != 0
  }

  package func successor(of register: UInt8) -> UInt8 {
    guard registers[map.ctrl3C]({ $0.ifInc }) == true else { return register }
    // In a burst, the register address wraps between the two bytes of the FIFO's data.
    if register == map.fifoDataOut[1].address, !isEmbeddedPage { return map.fifoDataOut.address }
    return (register &+ 1) & 0x7F
  }

  package private(set) var samplesTaken: UInt64 = 0

  package var isActiveLow: Bool { registers[map.ctrl3C]({ $0.hLactive }) == true }

  package func powerCycle() {
    train.stop()
    resetEnd = nil
    reset()
  }

  package func overrunQueue() {
    guard train.isRunning, wordsPerSample > 0 else { return }
    // The full FIFO has lost its oldest words, so it begins in the middle of a sample set.
    let room = queue.capacity - queue.count
    for _ in 0..<(room + 5) { queue.append(UInt16(bitPattern: outputs[1])) }
    updatePins(at: now)
  }

  private func reset() {
    registers.reset()
    embedded.reset()
    fillEmbedded()
    functions = MotionFunctions()
    queue.removeAll()
    queue.patternLength = 0
    timerOrigin = nil
    outputs.release()
    pins.release()
  }

  /// Writes the pedometer's reset values: 6 steps for significant motion, and 13 times 80 ms and 6
  /// steps for debouncing (AN5130, pages 50 and 53).
  private func fillEmbedded() {
    embedded[0x13] = 0x06
    embedded[0x14] = 0x6E
  }

  package var passesThrough: Bool {
    let hub = registers[map.masterConfig]
    return hub({ $0.passThroughMode }) == true && hub({ $0.masterOn }) == false
  }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time {
      resetEnd = nil
      if registers[map.ctrl3C]({ $0.swReset }) == true {
        reset()
      } else {
        registers.change(map.ctrl3C) { $0.boot(false) }
      }
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    guard !isEmbeddedPage || register == map.funcCfgAccess.address else {
      return embedded[register]
    }
    switch register {
    case map.outTemp.address...map.outXl[5].address:
      defer { updatePins(at: now) }
      let holds = registers[map.ctrl3C]({ $0.bdu }) == true
      return outputs.read(register, of: &registers, holds: holds, byteOrder)
    case map.fifoStatus1.address...map.fifoStatus4.address: return queueStatus(register)
    case map.wakeUpSrc.address, map.tapSrc.address, map.d6dSrc.address, map.funcSrc.address,
      map.stepCounter.address, map.stepCounter[1].address:
      defer { updatePins(at: now) }
      return functions.read(register)
    case map.timestamp0Reg.address...map.timestamp2Reg.address: return timerByte(register)
    case map.fifoDataOut.address: return UInt8(truncatingIfNeeded: queue.front)
    case map.fifoDataOut[1].address:
      defer {
        queue.removeFirst()
        updatePins(at: now)
      }
      return UInt8(queue.front >> 8)
    default: return registers[register]
    }
  }

  package func write(_ value: UInt8, to register: UInt8) {
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
      // A change of a sensor's range alone does not restart sampling.
      guard (before ^ registers[register]) & 0xF0 != 0 else { break }
      restartTrain()
      if register == map.ctrl2G.address {
        gyroStart.begin(at: now, rate: gyroRate)
      } else {
        accelStart.begin(rate: accelRate)
      }
    case map.ctrl10C.address:
      if registers[map.ctrl10C]({ $0.pedoRstStep }) == true { functions.resetSteps() }
    case map.fifoCtrl2.address, map.fifoCtrl3.address, map.fifoCtrl4.address,
      map.fifoCtrl5.address:
      if registers[map.fifoCtrl5]({ $0.fifoMode }) == .bypass {
        queue.removeAll()
        queued = 0
      }
      queue.patternLength = patternLength
    default: break
    }
    updateTimer(written: value, to: register)
    updatePins(at: now)
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

  /// Takes one sample of the chip's faster sensor.
  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    let stimulus = registers[map.ctrl5C]
    let isAccel = taken % max(accelEvery, 1) == 0 && accelEvery > 0
    let isGyro = taken % max(gyroEvery, 1) == 0 && gyroEvery > 0
    outputs[0] = counts(reading.temperature - 25, family.countsPerDegree)
    if isGyro {
      let scale = registers[map.ctrl2G]({ $0.fsG }) ?? .dps2000
      let perCount = radians(fromDegrees: scale.degreesPerSecondPerCount)
      let turn = reading.rotationRate + gyroSelfTest * sign(stimulus({ $0.stG }))
      // The gyroscope's output words keep their values until the gyroscope has started.
      if gyroStart.isOver(at: time) {
        store(turn, 1 / perCount, at: 1, dead: deadAxes(map.ctrl10C.address))
      }
    }
    // The accelerometer's output words keep their values until the accelerometer has started.
    if isAccel, accelStart.isOver() {
      let scale = registers[map.ctrl1Xl]({ $0.fsXl }) ?? .g2
      let force = reading.specificForce + accelSelfTest * sign(stimulus({ $0.stXl })) - userOffset
      store(force, 1 / scale.gPerCount, at: 4, dead: deadAxes(map.ctrl9Xl.address))
      if mayDetect {
        functions.take(
          outputs.force * scale.gPerCount, functionSettings(fullScale: scale.g))
      }
    }
    outputs.show(in: &registers, byteOrder)
    registers.change(map.statusReg) { status in
      status.tda(true) | (isGyro ? status.gda(true) : .nothing)
        | (isAccel ? status.xlda(true) : .nothing)
    }
    if queueEvery > 0, taken % queueEvery == 0 { fillQueue(at: time) }
    taken += 1
    if isPulsed { pulse(isAccel: isAccel, isGyro: isGyro, at: time) }
    updatePins(at: time)
  }

  /// Returns the sign of the self-test's stimulus: positive for code 1, negative for the other
  /// valid code, which is 2 or 3.
  private func sign(_ stimulus: (some FieldValue)?) -> Double {
    let code = stimulus?.fieldBits ?? 0
    return code == 0 ? 0 : code == 1 ? 1 : -1
  }

  /// The user's offset in g, which only the newer register map has. It is always in effect.
  private var userOffset: Vector3 {
    guard family == .lsm6ds3trc else { return .zero }
    let newer = LSM6DS3TRCMap()
    return registers.accelerometerOffset(
      newer.ofsUsr.address,
      isCoarse: newer.ctrl6C.contents(registers[newer.ctrl6C.address])({ $0.usrOffW }) == true)
  }

  private func store(_ vector: Vector3, _ scale: Double, at first: Int, dead: UInt8) {
    outputs[first] = dead & 0x08 != 0 ? 0 : counts(vector.x, scale)
    outputs[first + 1] = dead & 0x10 != 0 ? 0 : counts(vector.y, scale)
    outputs[first + 2] = dead & 0x20 != 0 ? 0 : counts(vector.z, scale)
  }

  /// Returns the disabled axes of a sensor. On the older register map bits 3 to 5 of CTRL9_XL and
  /// CTRL10_C enable axes; the newer map has no such bits.
  private func deadAxes(_ register: UInt8) -> UInt8 {
    family == .lsm6ds3 ? ~registers[register] & 0x38 : 0
  }

  private var byteOrder: ByteOrder {
    registers[map.ctrl3C]({ $0.ble }) == true ? .highFirst : .lowFirst
  }

  private func fillQueue(at time: Timestamp) {
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
    if timerDecimation > 0, queued % timerDecimation == 0 {
      let words = timerWords(at: time)
      for index in words.indices where !stops || queue.count < queueLimit {
        queue.append(words[index])
      }
    }
    queued += 1
  }
}
