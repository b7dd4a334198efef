// SPDX-License-Identifier: Apache-2.0
package import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the LSM6DSO and related parts. The chip is powered down after a reset. The model
/// covers both sensors on one oscillator, a FIFO of tagged words with watermark and overrun, block
/// update, self-tests, timestamps, detections of the basic functions, and two interrupt pins.
///
/// Not modelled: filters, the accelerometer's settling, the slower rate while inactive, compression
/// and batched temperatures, triggered FIFO modes, and separate tap thresholds per axis (the
/// threshold of x applies to all axes). The embedded functions and the sensor hub have only the
/// memory of their pages.
package final class LSM6DSOModel: ChipModel, TaggedModel {
  let map = LSM6DSOMap()
  /// The registers that have the same addresses as in the LSM6DS3.
  let shared = LSM6DS3Map()
  let part: LSM6DSOPart
  var registers: RegisterFile
  /// The registers of the embedded functions and of the sensor hub.
  private var pages = [UInt8](repeating: 0, count: 256)
  private let input: any SensorInput
  let clockError: Double
  var train: SampleTrain
  /// The number of samples of the faster sensor since the rates were last set.
  var taken = 0
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  var queue = TaggedQueue(capacity: LSM6DSOChip.queueWords, hasParity: true)
  /// The time at which the timestamp counter was 0; `nil` while it is off.
  private var timerOrigin: Timestamp?
  /// The chip's latest outputs: temperature, gyroscope, accelerometer.
  var outputs = HeldOutputs()
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
  package init(_ input: any SensorInput, part: LSM6DSOPart, clockError: Double = 0) {
    self.input = input
    self.part = part
    self.clockError = clockError
    train = SampleTrain(clockError: clockError)
    registers =
      part == .ism330dhcx ? RegisterFile(ISM330DHCXMap()) : RegisterFile(LSM6DSOMap())
  }

  /// The register page that FUNC_CFG_ACCESS selects; `nil` for the main registers.
  private var page: Int? {
    let access = registers[map.funcCfgAccess]
    if access({ $0.funcCfgEn }) == true { return 0 }
    return access { $0.shubRegAccess } == true ? 128 : nil
  }

  package func successor(of register: UInt8) -> UInt8 {
    guard registers[map.ctrl3C]({ $0.ifInc }) == true else { return register }
    // In a burst, the register address wraps within the seven bytes of a FIFO word.
    if register == map.fifoDataOut[5].address, page == nil { return map.fifoDataOutTag.address }
    return (register &+ 1) & 0x7F
  }

  package private(set) var samplesTaken: UInt64 = 0

  package var isActiveLow: Bool { registers[map.ctrl3C]({ $0.hLactive }) == true }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { pins.take(pin) }

  package func nextEdge(of pin: UInt8) -> Timestamp? { predictEdge(of: pin) }

  package func powerCycle() {
    train.stop()
    resetEnd = nil
    reset()
  }

  package func overrunQueue() { overrun(at: now) }

  private func reset() {
    registers.reset()
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
    if let page, register != map.funcCfgAccess.address { return pages[page + Int(register & 0x7F)] }
    switch register {
    case shared.outTemp.address...shared.outXl[5].address:
      defer { updatePins(at: now) }
      let holds = registers[map.ctrl3C]({ $0.bdu }) == true
      return outputs.read(register, of: &registers, holds: holds)
    case map.wakeUpSrc.address, shared.tapSrc.address, shared.d6dSrc.address:
      defer { updatePins(at: now) }
      return functions.read(register)
    case shared.fifoStatus1.address: return UInt8(truncatingIfNeeded: queue.count)
    case map.fifoStatus2.address:
      return queue.readStatus(isAtWatermark: isAtWatermark, isNearlyFull: isNearlyFull)
    case shared.timestamp0Reg.address...map.timestamp3.address:
      return UInt8(truncatingIfNeeded: timerCount >> (8 * UInt32(register - 0x40)))
    case map.fifoDataOutTag.address...map.fifoDataOut[5].address:
      defer { if register == map.fifoDataOut[5].address { updatePins(at: now) } }
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
    case map.ctrl3C.address:
      let control = registers[map.ctrl3C]
      if control({ $0.swReset }) == true {
        train.stop()
        resetEnd = now + .microseconds(50)
      } else if control({ $0.boot }) == true {
        resetEnd = now + .milliseconds(10)
      }
    case map.ctrl1Xl.address, map.ctrl2G.address:
      // A change of a sensor's range alone does not restart sampling.
      guard (before ^ registers[register]) & 0xF0 != 0 else { break }
      restartTrain()
      if register == map.ctrl2G.address {
        gyroStart.begin(at: now, rate: gyroRate)
      } else {
        accelStart.begin(rate: rate / Double(max(accelEvery, 1)))
      }
    case map.fifoCtrl4.address:
      if registers[map.fifoCtrl4]({ $0.fifoMode }) == .bypass { queue.removeAll() }
    case map.ctrl10C.address:
      let isOn = registers[map.ctrl10C]({ $0 }) == true
      timerOrigin = isOn ? timerOrigin ?? now : nil
    case shared.timestamp2Reg.address: if value == 0xAA, timerOrigin != nil { timerOrigin = now }
    default: break
    }
    updatePins(at: now)
  }

  private func restartTrain() {
    taken = 0
    if rate > 0 { train.start(at: now, rate: rate) } else { train.stop() }
  }

  /// The chip's timestamp counter, in units of 25 us on the chip's oscillator.
  private var timerCount: UInt32 { timerCount(at: now) }

  private func timerCount(at time: Timestamp) -> UInt32 {
    guard let timerOrigin else { return 0 }
    let count = Double((time - timerOrigin).nanoseconds) * (1 + clockError) / 25_000
    return UInt32(truncatingIfNeeded: Int64(count))
  }

  /// Takes one sample of the chip's faster sensor.
  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    let stimulus = registers[map.ctrl5C]
    let isAccel = accelEvery > 0 && taken % accelEvery == 0
    let isGyro = gyroEvery > 0 && taken % gyroEvery == 0
    outputs[0] = counts(reading.temperature - 25, 256)
    if isGyro {
      let scale = registers[map.ctrl2G]({ $0.fsG }) ?? .dps250
      // The gyroscope has 8.75 mdps per count at 250 degrees per second.
      let perDegree = 1000 / 8.75 * 250 / scale.degreesPerSecond
      let turn = reading.rotationRate + gyroSelfTest * sign(stimulus({ $0.stG }))
      // The gyroscope's output words keep their values until the gyroscope has started.
      if gyroStart.isOver(at: time) {
        outputs.store(turn, perDegree / radians(fromDegrees: 1), at: 1)
      }
    }
    // The accelerometer's output words keep their values until the accelerometer has started.
    if isAccel, accelStart.isOver() {
      let g = part.g(registers[map.ctrl1Xl]({ $0.fsXl }) ?? .g2)
      let force = reading.specificForce + accelSelfTest * sign(stimulus({ $0.stXl })) - userOffset
      // The accelerometer has 61 micro-g per count at 2 g.
      outputs.store(force, 1 / (g * 0.0000305), at: 4)
      if registers[map.tapCfg2]({ $0.interruptsEnable }) == true {
        functions.take(
          outputs.force * (g * 0.0000305), functionSettings(fullScale: g))
      }
    }
    let stamp = timerOrigin == nil ? nil : timerCount(at: time)
    endSample(isAccel: isAccel, isGyro: isGyro, stamp: stamp, at: time)
  }

  /// Returns the sign of the self-test's stimulus: positive for code 1, negative for the other
  /// valid code, which is 2 or 3.
  private func sign(_ stimulus: (some FieldValue)?) -> Double {
    let code = stimulus?.fieldBits ?? 0
    return code == 0 ? 0 : code == 1 ? 1 : -1
  }

  /// The user's offset in g, which USR_OFF_ON_OUT switches on (DS12140, CTRL7_G; also AN5444, about
  /// a part with the same block).
  private var userOffset: Vector3 {
    guard registers[map.ctrl7G]({ $0.usrOffOnOut }) == true else { return .zero }
    return registers.accelerometerOffset(
      LSM6DS3TRCMap().ofsUsr.address, isCoarse: registers[map.ctrl6C]({ $0.usrOffW }) == true)
  }
}
