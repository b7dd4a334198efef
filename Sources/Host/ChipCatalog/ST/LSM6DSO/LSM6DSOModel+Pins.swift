// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers

// The chip's register settings, as numbers for the model.
extension LSM6DSOModel {
  /// The accelerometer's rate code; `nil` while it is powered down. The code of 1.6 Hz is -2, so
  /// that each code is half the rate of the next: 12.5, 6.25, 3.125, 1.6 Hz.
  private var accelCode: Int? {
    let code = registers[map.ctrl1Xl.address] >> 4
    // The rate code 0x0B means 1.6 Hz in low power, and 12.5 Hz otherwise.
    if code == 0x0B { return registers[map.ctrl6C]({ $0.xlHmMode }) == true ? -2 : 1 }
    return (1...10).contains(code) ? Int(code) : nil
  }

  private var gyroCode: Int? {
    let code = registers[map.ctrl2G.address] >> 4
    return (1...10).contains(code) ? Int(code) : nil
  }

  private var fastest: Int? {
    guard let accel = accelCode, let gyro = gyroCode else { return accelCode ?? gyroCode }
    return max(accel, gyro)
  }

  private func hertz(_ code: Int) -> Double {
    code < 0 ? 1.6 : LSM6DSOMap.OutputRate(rawValue: UInt8(code))?.hertz ?? 0
  }

  /// The chip's output rate, that of the faster sensor in Hz; 0 if both are powered down.
  var rate: Double { fastest.map(hertz) ?? 0 }

  var gyroRate: Double { gyroCode.map(hertz) ?? 0 }

  /// Returns how many samples the faster sensor takes per sample of the sensor with `code`; 0 if
  /// that sensor is off. Each rate is half of the next.
  private func every(_ code: Int?) -> Int {
    guard let code, let fastest else { return 0 }
    return 1 << (fastest - code)
  }

  var accelEvery: Int { every(accelCode) }
  var gyroEvery: Int { every(gyroCode) }

  /// The number of samples of the faster sensor per accelerometer word in the FIFO. The FIFO's rate
  /// is at most that of the sensor.
  var accelBatch: Int { batch(registers[map.fifoCtrl3.address] & 0x0F, accelCode) }
  var gyroBatch: Int { batch(registers[map.fifoCtrl3.address] >> 4, gyroCode) }

  private func batch(_ wanted: UInt8, _ sensor: Int?) -> Int {
    guard let sensor, (1...10).contains(wanted) else { return 0 }
    return every(min(Int(wanted), sensor))
  }

  /// The number of time slots per timestamp in the FIFO: 1, 8 or 32.
  var stampEvery: Int {
    let codes: InlineArray<4, Int> = [0, 1, 8, 32]
    let code = registers[map.fifoCtrl4]({ $0.odrTsBatch }) ?? 0
    return codes[Int(code)] * min(max(accelBatch, 1), max(gyroBatch, 1))
  }

  /// The number of FIFO words per sample of the chip.
  var wordsPerSample: Int {
    let mode = registers[map.fifoCtrl4]({ $0.fifoMode }) ?? .bypass
    guard mode != .bypass else { return 0 }
    return (gyroBatch > 0 ? 1 : 0) + (accelBatch > 0 ? 1 : 0) + (stampEvery > 0 ? 1 : 0)
  }

  var watermark: Int {
    Int(registers[map.fifoCtrl2.address] & 0x01) << 8 | Int(registers[map.fifoCtrl1.address])
  }

  var stopsOnWatermark: Bool { registers[map.fifoCtrl2]({ $0.stopOnWtm }) == true }
  var isAtWatermark: Bool { watermark > 0 && queue.count >= watermark }
  var isNearlyFull: Bool { queue.count + max(wordsPerSample, 1) > queue.capacity }
  var isPulsed: Bool { registers[map.counterBdrReg1]({ $0.dataReadyPulsed }) == true }

  func functionSettings(fullScale: Double) -> FunctionSettings {
    let taps = registers[map.tapCfg0.address]
    var settings = FunctionSettings()
    settings.detectsBasics = true
    // A detection source is latched if it is routed to a pin.
    if taps & 0x01 != 0 {
      settings.latchedBasics = registers[map.md1Cfg.address] | registers[map.md2Cfg.address]
    }
    let isFine = registers[map.wakeUpDur]({ $0.wakeThsW }) == true
    settings.takeBasics(
      registers, tapAxes: taps, tapThreshold: registers[map.tapCfg1.address],
      wakeUnit: fullScale / (isFine ? 256 : 64), tapUnit: fullScale / 32)
    settings.freeFallThreshold *= part.g(.g2) / 2
    settings.takeSleep(registers, isWatched: registers[map.tapCfg2]({ $0.inactEn }) != .off)
    return settings
  }
}

// The levels and edges of INT1 and INT2, and the prediction of their next edges.
extension LSM6DSOModel {
  private func routed(_ pin: UInt8) -> UInt8 {
    registers[pin == 1 ? map.int1Ctrl.address : map.int2Ctrl.address]
  }

  private func routedFunctions(_ pin: UInt8) -> UInt8 {
    registers[pin == 1 ? map.md1Cfg.address : map.md2Cfg.address]
  }

  /// Returns true if the pin is active. Data-ready pulses do not change its level.
  private func level(_ pin: UInt8) -> Bool {
    let routed = routed(pin)
    // The data-ready flags have the same bits in STATUS_REG as in the routing registers.
    if !isPulsed, routed & registers[shared.statusReg.address] & 0x03 != 0 { return true }
    if routed & 0x08 != 0, isAtWatermark { return true }
    if routed & 0x10 != 0, hasOverrun { return true }
    if routed & 0x20 != 0, isNearlyFull { return true }
    return routedFunctions(pin) & functions.basicCauses & 0xFC != 0
  }

  func updatePins(at time: Timestamp) { pins.update(at: time) { level($0) } }

  /// Signals data-ready with a pulse on the interrupt pins to which data-ready is routed.
  func pulse(isAccel: Bool, isGyro: Bool, at time: Timestamp) {
    let ready: UInt8 = (isAccel ? 0x01 : 0) | (isGyro ? 0x02 : 0)
    for pin in UInt8(1)...2 where routed(pin) & ready != 0 { pins.pulse(pin, at: time) }
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { pins.take(pin) }

  /// Predicts the next interrupt edge. Sample times are predictable but detections are not, so if
  /// detections are routed to the pin, every next sample may cause an edge.
  package func nextEdge(of pin: UInt8) -> Timestamp? {
    guard (1...2).contains(pin), let next = train.next else { return nil }
    guard !pins.isActive(pin) || isPulsed else { return nil }
    let routed = routed(pin)
    var soonest: Timestamp?
    // The parameter is inout, because a captured variable would allocate a box at each call.
    func note(_ every: Int, after samples: Int = 0, _ soonest: inout Timestamp?) {
      guard every > 0 else { return }
      let time = next + period * Int64(samples * every + (every - taken % every) % every)
      soonest = min(soonest ?? time, time)
    }
    if routed & 0x02 != 0 { note(gyroEvery, &soonest) }
    if routed & 0x01 != 0 || routedFunctions(pin) & 0xFC != 0 { note(accelEvery, &soonest) }
    if routed & 0x08 != 0, wordsPerSample > 0, watermark > queue.count {
      let samples = (watermark - queue.count + wordsPerSample - 1) / wordsPerSample
      note(max(gyroBatch, accelBatch), after: samples - 1, &soonest)
    }
    return soonest
  }

  /// The sample period of the chip's faster sensor.
  private var period: TimeSpan { TimeSpan(seconds: 1 / rate / (1 + clockError)) }
}
