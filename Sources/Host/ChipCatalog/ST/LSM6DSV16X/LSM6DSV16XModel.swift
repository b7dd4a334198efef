// SPDX-License-Identifier: Apache-2.0
package import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the LSM6DSV16X and LSM6DSV32X. The chip is powered down after a reset. The model
/// covers both sensors on one oscillator, the gyroscope's wake-up time, the accelerometer's first
/// samples, a FIFO of tagged words with watermark and overrun, block update, self-tests,
/// timestamps, detections of the basic functions, and two interrupt pins.
///
/// Not modelled: filters, the slower rate while inactive, triggered rates, compression and batched
/// temperatures, triggered FIFO modes, and separate tap thresholds per axis (the threshold of x
/// applies to all axes). The embedded functions, which include the sensor fusion, and the sensor
/// hub have only the memory of their pages.
package final class LSM6DSV16XModel: ChipModel, TaggedModel {
  let map = LSM6DSV16XMap()
  /// The registers that have the same addresses as in the LSM6DSO, and as in the LSM6DS3.
  let tagged = LSM6DSOMap()
  let shared = LSM6DS3Map()
  var registers = RegisterFile(LSM6DSV16XMap())
  /// The registers of the embedded functions and of the sensor hub.
  private var pages = [UInt8](repeating: 0, count: 256)
  private let input: any SensorInput
  private let part: LSM6DSV16XPart
  let clockError: Double
  var train: SampleTrain
  /// The number of samples of the faster sensor since the rates were last set.
  var taken = 0
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  /// The time from which the gyroscope has samples after it was powered down.
  private var gyroReady = Timestamp.zero
  private var accelStart = AccelerometerStart()
  var queue = TaggedQueue(capacity: LSM6DSV16XChip.queueWords, hasParity: false)
  /// The time at which the timestamp counter was 0; `nil` while it is off.
  private var timerOrigin: Timestamp?
  /// The chip's latest outputs: temperature, gyroscope, accelerometer.
  var outputs = HeldOutputs()
  var pins = PinPair()
  /// The model of the embedded functions, which process the accelerometer's samples.
  var functions = MotionFunctions()
  /// The response of each axis to the self-test's stimulus, in g and rad/s. The default is the
  /// response of an intact part.
  package var accelSelfTest = Vector3(0.5, 0.6, 0.4)
  package var gyroSelfTest = Vector3(
    radians(fromDegrees: 400), radians(fromDegrees: 350), radians(fromDegrees: 300))

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(
    _ input: any SensorInput, part: LSM6DSV16XPart = .lsm6dsv16x, clockError: Double = 0
  ) {
    self.input = input
    self.part = part
    self.clockError = clockError
    train = SampleTrain(clockError: clockError)
    reset(isPowerUp: true)
  }

  /// The register page that FUNC_CFG_ACCESS selects; `nil` for the main registers.
  private var page: Int? {
    let access = registers[map.funcCfgAccess]
    if access({ $0.embFuncRegAccess }) == true { return 0 }
    return access { $0.shubRegAccess } == true ? 128 : nil
  }

  package func successor(of register: UInt8) -> UInt8 {
    guard registers[map.ctrl3]({ $0.ifInc }) == true else { return register }
    // In a burst, the register address wraps within the seven bytes of a FIFO word.
    if register == tagged.fifoDataOut[5].address, page == nil { return map.fifoDataOutTag.address }
    return (register &+ 1) & 0x7F
  }

  package private(set) var samplesTaken: UInt64 = 0

  package var isActiveLow: Bool { registers[map.ifCfg]({ $0.hLactive }) == true }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { pins.take(pin) }

  package func nextEdge(of pin: UInt8) -> Timestamp? { predictEdge(of: pin) }

  package func powerCycle() {
    train.stop()
    resetEnd = nil
    reset(isPowerUp: true)
  }

  package func overrunQueue() { overrun(at: now) }

  /// Resets the chip. SW_RESET leaves the registers of the pins and of the interface as they are.
  private func reset(isPowerUp: Bool) {
    let (pinCtrl, ifCfg) = (registers[map.pinCtrl.address], registers[map.ifCfg.address])
    registers.reset()
    registers.change(map.ctrl8) { $0.isWide(part == .lsm6dsv32x) }
    if !isPowerUp {
      (registers[map.pinCtrl.address], registers[map.ifCfg.address]) = (pinCtrl, ifCfg)
    }
    // A step is 0.13 percent of the typical rate (AN5763).
    let steps = Int64(saturating: (clockError / 0.0013).rounded())
    registers[map.internalFreqFine.address] = UInt8(bitPattern: Int8(clamping: steps))
    for index in pages.indices { pages[index] = 0 }
    functions = MotionFunctions()
    queue.removeAll()
    timerOrigin = nil
    outputs.release()
    pins.release()
  }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time {
      resetEnd = nil
      let isPowerUp = registers[map.funcCfgAccess]({ $0.swPor }) == true
      if isPowerUp || registers[map.ctrl3]({ $0.swReset }) == true {
        reset(isPowerUp: isPowerUp)
      } else {
        registers.change(map.ctrl3) { $0.boot(false) }
      }
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    if let page, register != map.funcCfgAccess.address { return pages[page + Int(register & 0x7F)] }
    switch register {
    case shared.outTemp.address...shared.outXl[5].address:
      defer { updatePins(at: now) }
      let holds = registers[map.ctrl3]({ $0.bdu }) == true
      return outputs.read(register, of: &registers, holds: holds)
    case map.wakeUpSrc.address...map.d6dSrc.address:
      defer { updatePins(at: now) }
      return functions.read(shared.wakeUpSrc.address + register - map.wakeUpSrc.address)
    case map.uiStatusRegOis.address: return gyroEvery > 0 && now < gyroReady ? 0x04 : 0
    case map.fifoStatus1.address: return UInt8(truncatingIfNeeded: queue.count)
    case map.fifoStatus2.address:
      return queue.readStatus(isAtWatermark: isAtWatermark, isNearlyFull: isNearlyFull)
    case shared.timestamp0Reg.address...tagged.timestamp3.address:
      let count = timerCount(at: now)
      return UInt8(truncatingIfNeeded: count >> (8 * UInt32(register & 0x03)))
    case map.fifoDataOutTag.address...tagged.fifoDataOut[5].address:
      defer { if register == tagged.fifoDataOut[5].address { updatePins(at: now) } }
      return queue.read(register - map.fifoDataOutTag.address)
    default: return registers[register]
    }
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    if let page, register != map.funcCfgAccess.address {
      pages[page + Int(register & 0x7F)] = value
      return
    }
    let before = registers[register]
    registers.store(value, at: register)
    switch register {
    case map.funcCfgAccess.address:
      if registers[map.funcCfgAccess]({ $0.swPor }) == true { stop(for: .milliseconds(30)) }
    case map.ctrl3.address:
      if registers[map.ctrl3]({ $0.swReset }) == true {
        stop(for: .microseconds(50))
      } else if registers[map.ctrl3]({ $0.boot }) == true {
        resetEnd = now + .milliseconds(10)
      }
    case map.ctrl1.address, map.ctrl2.address, map.haodrCfg.address:
      guard before != registers[register] else { break }
      if register == map.ctrl2.address, before & 0x0F == 0 { gyroReady = now + Self.gyroWakeUp }
      if register == map.ctrl1.address {
        accelStart.begin(rate: rate / Double(max(accelEvery, 1)))
      }
      taken = 0
      if rate > 0 { train.start(at: now, rate: rate) } else { train.stop() }
    case map.fifoCtrl4.address:
      if registers[map.fifoCtrl4]({ $0.fifoMode }) == .bypass { queue.removeAll() }
    case map.functionsEnable.address:
      let isOn = registers[map.functionsEnable]({ $0.timestampEn }) == true
      timerOrigin = isOn ? timerOrigin ?? now : nil
    case shared.timestamp2Reg.address: if value == 0xAA, timerOrigin != nil { timerOrigin = now }
    default: break
    }
    updatePins(at: now)
  }

  /// The time from power-down to the gyroscope's first sample (OpenMower's driver).
  private static let gyroWakeUp = TimeSpan.milliseconds(50)

  /// Stops both sensors for a reset, and ignores writes until the reset ends.
  private func stop(for time: TimeSpan) {
    train.stop()
    resetEnd = now + time
  }

  /// Returns the chip's timestamp counter, which has 46080 counts per second on the chip's
  /// oscillator (AN5763; ST's driver rounds a count to 21.75 us).
  private func timerCount(at time: Timestamp) -> UInt32 {
    guard let timerOrigin else { return 0 }
    let count = (time - timerOrigin).seconds * (1 + clockError) * 46080
    return UInt32(truncatingIfNeeded: Int64(saturating: count))
  }

  /// Takes one sample of the chip's faster sensor.
  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    let stimulus = registers[map.ctrl10]
    let isAccel = accelEvery > 0 && taken % accelEvery == 0
    let isGyro = gyroEvery > 0 && taken % gyroEvery == 0 && time >= gyroReady
    outputs[0] = counts(reading.temperature - 25, 256)
    if isGyro {
      let scale = registers[map.ctrl6]({ $0.fsG }) ?? .dps125
      // The gyroscope has 4.375 mdps per count at 125 degrees per second.
      let perDegree = 1000 / 4.375 * 125 / scale.degreesPerSecond
      let turn = reading.rotationRate + gyroSelfTest * sign(stimulus({ $0.stG }))
      outputs.store(turn, perDegree / radians(fromDegrees: 1), at: 1)
    }
    // The accelerometer's output words keep their values until the accelerometer has started.
    if isAccel, accelStart.isOver() {
      let g = part.g(registers[map.ctrl8]({ $0.fsXl }) ?? .g2)
      let force = reading.specificForce + accelSelfTest * sign(stimulus({ $0.stXl }))
      // The accelerometer has 61 micro-g per count at 2 g.
      outputs.store(force, 1 / (g * 0.0000305), at: 4)
      if registers[map.functionsEnable]({ $0.interruptsEnable }) == true {
        functions.take(outputs.force * (g * 0.0000305), functionSettings(fullScale: g))
      }
    }
    let stamp = timerOrigin == nil ? nil : timerCount(at: time)
    endSample(isAccel: isAccel, isGyro: isGyro, stamp: stamp, at: time)
  }

  private func sign(_ stimulus: LSM6DSV16XMap.Stimulus?) -> Double {
    stimulus == .positive ? 1 : stimulus == .negative ? -1 : 0
  }
}
