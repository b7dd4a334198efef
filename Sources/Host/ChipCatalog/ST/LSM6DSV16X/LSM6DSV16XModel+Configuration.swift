// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers

// The chip's register settings, as numbers for the model.
extension LSM6DSV16XModel {
  /// Returns how many times a rate's code doubles 1.875 Hz: code 1 is 1.875 Hz, code 2 is 7.5 Hz,
  /// and each further code doubles the rate. `nil` while the sensor is powered down.
  private func doublings(_ code: UInt8) -> Int? {
    switch code & 0x0F {
    case 1: 0
    case 2...12: Int(code & 0x0F)
    default: nil
    }
  }

  private var accel: Int? { doublings(registers[map.ctrl1.address]) }
  private var gyro: Int? { doublings(registers[map.ctrl2.address]) }

  private var fastest: Int? {
    guard let accel, let gyro else { return accel ?? gyro }
    return max(accel, gyro)
  }

  /// The chip's output rate in Hz, which is the rate of the faster sensor; 0 if both sensors are
  /// powered down. The high-accuracy mode has two further sets of rates: 15.625 and 12.5 Hz instead
  /// of 15, and so on.
  var rate: Double {
    guard let fastest else { return 0 }
    let isAccurate =
      registers[map.ctrl1]({ $0.opModeXl }) == .highAccuracy
      || registers[map.ctrl2]({ $0.opModeG }) == .highAccuracy
    let set = isAccurate ? registers[map.haodrCfg.address] & 0x03 : 0
    let factor = set == 1 ? 25.0 / 24 : set == 2 ? 5.0 / 6 : 1
    return 1.875 * Double(1 << fastest) * factor
  }

  /// Returns how many samples the faster sensor takes per sample of the sensor with this rate; 0 if
  /// that sensor is off.
  private func every(_ doublings: Int?) -> Int {
    guard let doublings, let fastest else { return 0 }
    return 1 << (fastest - doublings)
  }

  var accelEvery: Int { every(accel) }
  var gyroEvery: Int { every(gyro) }

  /// The number of samples of the faster sensor per accelerometer word in the FIFO. The FIFO's rate
  /// is at most the rate of the sensor.
  var accelBatch: Int { batch(registers[map.fifoCtrl3.address] & 0x0F, accel) }
  var gyroBatch: Int { batch(registers[map.fifoCtrl3.address] >> 4, gyro) }

  private func batch(_ wanted: UInt8, _ sensor: Int?) -> Int {
    guard let sensor, let wanted = doublings(wanted) else { return 0 }
    return every(min(wanted, sensor))
  }

  var stampCode: UInt8 { registers[map.fifoCtrl4]({ $0.decTsBatch }) ?? 0 }

  var isQueueing: Bool {
    switch registers[map.fifoCtrl4]({ $0.fifoMode }) {
    case .continuous, .untilFull, .continuousUntilTrigger: true
    default: false
    }
  }

  var watermark: Int { Int(registers[tagged.fifoCtrl1.address]) }
  var stopsOnWatermark: Bool { registers[map.fifoCtrl2]({ $0.stopOnWtm }) == true }
  var stopsWhenFull: Bool { registers[map.fifoCtrl4]({ $0.fifoMode }) == .untilFull }
  var isPulsed: Bool { registers[map.ctrl4]({ $0.drdyPulsed }) == true }

  func functionSettings(fullScale: Double) -> FunctionSettings {
    let taps = registers[map.tapCfg0.address]
    let weight = (registers[map.inactivityDur]({ $0.wuInactThsW }) ?? .mg250).g
    var settings = FunctionSettings()
    settings.detectsBasics = true
    // A detection source is latched if it is routed to a pin.
    if taps & 0x01 != 0 {
      settings.latchedBasics = registers[tagged.md1Cfg.address] | registers[tagged.md2Cfg.address]
    }
    settings.takeBasics(
      registers, tapAxes: taps, tapThreshold: registers[tagged.tapCfg1.address], wakeUnit: weight,
      tapUnit: fullScale / 32)
    settings.stillThreshold = Double(registers[map.inactivityThs.address]) * weight
    settings.takeSleep(registers, isWatched: true)
    return settings
  }
}
