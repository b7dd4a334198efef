// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers

// The chip's register settings, as numbers for the model.
extension LSM6DSOModel {
  /// The accelerometer's rate code; `nil` while it is powered down. The code for 1.6 Hz is -2, so
  /// that each code stands for half the rate of the next code: 12.5, 6.25, 3.125, 1.6 Hz.
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

  /// The chip's output rate in Hz, which is the rate of the faster sensor; 0 if both sensors are
  /// powered down.
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

  /// The number of samples of the faster sensor per accelerometer word in the FIFO. The FIFO is
  /// never faster than the sensor.
  var accelBatch: Int { batch(registers[map.fifoCtrl3.address] & 0x0F, accelCode) }
  var gyroBatch: Int { batch(registers[map.fifoCtrl3.address] >> 4, gyroCode) }

  private func batch(_ wanted: UInt8, _ sensor: Int?) -> Int {
    guard let sensor, (1...10).contains(wanted) else { return 0 }
    return every(min(Int(wanted), sensor))
  }

  var stampCode: UInt8 { registers[map.fifoCtrl4]({ $0.odrTsBatch }) ?? 0 }

  var isQueueing: Bool {
    switch registers[map.fifoCtrl4]({ $0.fifoMode }) {
    case .continuous, .untilFull, .continuousUntilTrigger: true
    default: false
    }
  }

  var watermark: Int {
    Int(registers[map.fifoCtrl2.address] & 0x01) << 8 | Int(registers[map.fifoCtrl1.address])
  }

  var stopsOnWatermark: Bool { registers[map.fifoCtrl2]({ $0.stopOnWtm }) == true }
  var stopsWhenFull: Bool { registers[map.fifoCtrl4]({ $0.fifoMode }) == .untilFull }
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
