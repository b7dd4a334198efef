// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// Physical settings turned into register contents: a table that is written at start and compared while running.
struct MPU6050Configuration: Sendable {
  /// The settings that the chip really has.
  var settings: SensorSettings
  var divider: UInt8
  var lowPassFilter: MPU6050Map.LowPassFilter
  var accelFullScale: MPU6050Map.AccelFullScale
  var gyroFullScale: MPU6050Map.GyroFullScale

  init(_ settings: SensorSettings) {
    self.settings = settings
    // The slowest rate that is not slower than asked.
    // A hair's breadth more, or 1000/49 Hz would be 48 steps and not 49.
    let steps = (MPU6050Facts.baseRate / settings.rate * 1.000_001).rounded(.down)
    divider = UInt8(min(max(steps, 1), 256) - 1)
    self.settings.rate = MPU6050Facts.baseRate / Double(UInt16(divider) + 1)
    if settings.acquisition == .fifo {
      // 48 of the 73 frames that the queue holds: room for a reader that comes late.
      let longest = TimeSpan(seconds: 48 / self.settings.rate)
      self.settings.batchInterval = min(max(settings.batchInterval, .zero), longest)
    }
    // The widest filter below half the rate, so that nothing folds into the samples. Filter 0 would raise the
    // base rate to 8 kHz and repeat accelerometer words; 188 Hz is as wide as 1 kHz can use.
    let wanted = settings.bandwidth ?? self.settings.rate / 2
    lowPassFilter = .hz5
    for filter in MPU6050Map.LowPassFilter.allCases.reversed()
    where filter != .hz256 && filter.bandwidth <= wanted {
      lowPassFilter = filter
    }
    self.settings.bandwidth = lowPassFilter.bandwidth
    // The smallest full scale that holds what was asked.
    accelFullScale = .g16
    for scale in MPU6050Map.AccelFullScale.allCases.reversed()
    where scale.g >= settings.accelerationRange * 0.999 {
      accelFullScale = scale
    }
    self.settings.accelerationRange = accelFullScale.g
    gyroFullScale = .dps2000
    for scale in MPU6050Map.GyroFullScale.allCases.reversed()
    where radians(fromDegrees: scale.degreesPerSecond) >= settings.rotationRateRange * 0.999 {
      gyroFullScale = scale
    }
    self.settings.rotationRateRange = radians(fromDegrees: gyroFullScale.degreesPerSecond)
  }

  /// `nil` where a rate or range is not positive and finite, or beyond the chip.
  init?(checking settings: SensorSettings) {
    guard settings.acquisition != .detections, settings.rate > 0,
      settings.rate <= MPU6050Facts.baseRate * 1.001,
      settings.accelerationRange > 0, settings.accelerationRange <= 16.02,
      settings.rotationRateRange > 0,
      settings.rotationRateRange <= radians(fromDegrees: 2002)
    else { return nil }
    self.init(settings)
  }

  /// Which sources fill the queue: all, in register order, so that a frame is laid out like a burst of registers.
  var queueSources: RegisterValue {
    RegisterValue(MPU6050Map().fifoEnable) {
      $0.temperature(true) | $0.gyroX(true) | $0.gyroY(true) | $0.gyroZ(true) | $0.accel(true)
    }
  }

  /// The queue runs.
  var queueSwitch: RegisterValue { RegisterValue(MPU6050Map().userControl) { $0.fifoEnable(true) } }

  /// Line `index` of what must hold while running: the configuration and, behind it, the queue's switches, which
  /// are written when it is emptied. `nil` past the last.
  func verifiedLine(_ index: Int) -> RegisterValue? {
    if let line = line(index) { return line }
    guard settings.acquisition == .fifo else { return nil }
    switch index {
    case 8: return queueSources
    case 9: return queueSwitch
    default: return nil
    }
  }

  /// Line `index` of the configuration; `nil` past the last.
  func line(_ index: Int) -> RegisterValue? {
    let map = MPU6050Map()
    switch index {
    case 0: return RegisterValue(map.power1) { $0.clockSource(.gyroX) }
    case 1: return RegisterValue(map.power2) { _ in .nothing }
    case 2: return RegisterValue(map.sampleRateDivider) { $0.value(divider) }
    case 3: return RegisterValue(map.config) { $0.lowPassFilter(lowPassFilter) }
    case 4: return RegisterValue(map.gyroConfig) { $0.fullScale(gyroFullScale) }
    case 5: return RegisterValue(map.accelConfig) { $0.fullScale(accelFullScale) }
    // Push-pull, active high, a 50 us pulse per sample: a level held until read would hide samples from edges.
    case 6: return RegisterValue(map.interruptPin) { _ in .nothing }
    case 7:
      // The status flag follows the enable bit; in polling the pulses go nowhere.
      let flag = settings.acquisition != .fifo
      return RegisterValue(map.interruptEnable) { $0.dataReady(flag) }
    default: return nil
    }
  }
}
