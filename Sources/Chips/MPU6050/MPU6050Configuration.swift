// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// Physical settings turned into register contents: a table that is written at start and compared while running.
struct MPU6050Configuration: Sendable {
  /// The settings that the chip really has.
  var settings: SensorSettings
  let part: MPU6050Part
  let isSPI: Bool
  var divider: UInt8 = 0
  var lowPassFilter = MPU6050Map.LowPassFilter.hz188
  var accelFullScale: MPU6050Map.AccelFullScale
  var gyroFullScale: MPU6050Map.GyroFullScale
  /// The cycle mode's rate.
  var cycleCode: UInt8 = 0
  /// Steps of 4 mg; 0 where motion is not to be detected.
  var motionThreshold: UInt8 = 0
  /// Stored, as it is asked for with each sample.
  private(set) var frameSize = MPU6050Facts.frameSize

  init(_ settings: SensorSettings, part: MPU6050Part, isSPI: Bool) {
    self.settings = settings
    self.part = part
    self.isSPI = isSPI
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
    if !part.hasAuxiliaryBus || isSPI { self.settings.passesThrough = false }
    chooseRate()
    chooseDetection()
    if isAccelOnly { frameSize = MPU6050Facts.accelFrameSize }
    guard self.settings.acquisition == .fifo else { return }
    // Half of what the queue holds: while 36 frames travel at 400 kHz another eleven come, and a reader may be late.
    let frames = min(48, part.fifoSize / 2 / MPU6050Facts.frameSize)
    let longest = min(TimeSpan(seconds: Scalar(frames) / self.settings.rate), MPU6050Timing.rest)
    self.settings.batchInterval = min(max(settings.batchInterval, .zero), longest)
  }

  /// `nil` where a rate or range is not positive and finite, or beyond the chip, or where it can detect nothing of what
  /// it alone is asked for.
  init?(checking settings: SensorSettings, part: MPU6050Part, isSPI: Bool) {
    guard settings.rate > 0, settings.rate <= MPU6050Facts.baseRate * 1.001,
      settings.accelerationRange > 0, settings.accelerationRange <= 16.02,
      settings.rotationRateRange > 0,
      settings.rotationRateRange <= radians(fromDegrees: 2002),
      settings.interruptPin.number == 1
    else { return nil }
    self.init(settings, part: part, isSPI: isSPI)
    if settings.acquisition == .detections, motionThreshold == 0 { return nil }
  }

  /// Whether the gyroscope stands by.
  var isAccelOnly: Bool { settings.power == .low || settings.acquisition == .detections }

  /// Whether the chip sleeps between samples.
  var cycles: Bool { isAccelOnly && part.generation != .icm20600 }

  private var isQueued: Bool { settings.acquisition == .fifo }

  /// The slowest rate that is not slower than asked, and the filter below half of it.
  private mutating func chooseRate() {
    if cycles {
      // No document says that the queue fills in cycle mode, and the vendor's Motion Driver switches it off there.
      if settings.acquisition == .fifo { settings.acquisition = .polling }
      var index = 0
      var rate = settings.rate
      while let offered = MPU6050Facts.cycleRate(at: index, of: part.generation),
        index == 0 || offered.hertz >= settings.rate * 0.999
      {
        (cycleCode, rate) = (offered.code, offered.hertz)
        index += 1
      }
      settings.rate = rate
      // It samples too shortly for a filter to settle.
      settings.bandwidth = nil
      return
    }
    // A hair's breadth more, or 1000/49 Hz would be 48 steps and not 49.
    let steps = (MPU6050Facts.baseRate / settings.rate * 1.000_001).rounded(.down)
    divider = UInt8(min(max(steps, 1), 256) - 1)
    settings.rate = MPU6050Facts.baseRate / Scalar(UInt16(divider) + 1)
    // The widest filter below half the rate, so that nothing folds into the samples. Filter 0 would raise the
    // base rate to 8 kHz and repeat accelerometer words; the next is as wide as 1 kHz can use.
    let wanted = settings.bandwidth ?? settings.rate / 2
    lowPassFilter = .hz5
    for filter in MPU6050Map.LowPassFilter.allCases.reversed()
    where filter != .hz256 && filter.bandwidth(of: part.generation) <= wanted {
      lowPassFilter = filter
    }
    settings.bandwidth = lowPassFilter.bandwidth(of: part.generation)
  }

  /// There is one pin and one enable bit for it and the flag: beside data-ready edges motion cannot be detected.
  private mutating func chooseDetection() {
    settings.detection.kinds.formIntersection(MPU6050Facts.detections(of: part.generation))
    if settings.acquisition == .dataReady { settings.detection.kinds = [] }
    guard settings.detection.kinds.contains(.motion) else { return }
    let steps = (settings.detection.motionThreshold / MPU6050Facts.gPerMotionStep).rounded()
    motionThreshold = steps >= 1 ? UInt8(min(steps, 255)) : 1
    settings.detection.motionThreshold = Scalar(motionThreshold) * MPU6050Facts.gPerMotionStep
    // It compares neighbouring samples: one difference is enough.
    settings.detection.motionDuration = .zero
  }

  /// Which sources fill the queue: all, in register order, so that a frame is laid out like a burst of registers.
  var queueSources: RegisterValue {
    RegisterValue(MPU6050Map().fifoEnable) {
      isAccelOnly
        ? $0.accel(true)
        : $0.temperature(true) | $0.gyroX(true) | $0.gyroY(true) | $0.gyroZ(true) | $0.accel(true)
    }
  }

  /// USER_CTRL while running: the queue as it is used; the auxiliary bus' master always off, so that pass-through works.
  var userControl: RegisterValue { userControl(queue: isQueued) }

  /// USER_CTRL: I2C stays off on SPI, whatever else is written.
  func userControl(queue: Bool, reset: Bool = false) -> RegisterValue {
    RegisterValue(MPU6050Map().userControl) {
      $0.fifoEnable(queue) | $0.fifoReset(reset) | $0.i2cDisable(isSPI && !part.hasOwnI2CSwitch)
    }
  }

  /// Awake. The gyroscope's oscillator is steadier than the internal one, but stands by with it.
  private var awake: RegisterValue {
    RegisterValue(MPU6050Map().power1) {
      $0.clockSource(isAccelOnly ? .internalOscillator : .gyroX)
    }
  }

  /// PWR_MGMT_1 while running: what a chip that browned out lacks first.
  var powerRunning: RegisterValue {
    guard cycles else { return awake }
    // Register map 4.28: CYCLE with SLEEP clear, thermometer off, gyroscope standing by.
    return RegisterValue(MPU6050Map().power1) { $0.cycle(true) | $0.temperatureDisable(true) }
  }

  /// Lines of the configuration that belong to the part.
  private var lineCount: Int {
    switch part.generation {
    case .mpu6050: 8
    case .icm20600: 9
    case .mpu6500: 12
    }
  }

  /// Line `index` of what must hold while running: the configuration and, behind it, the queue's switches, which
  /// are written when it is emptied. `nil` past the last.
  func verifiedLine(_ index: Int) -> RegisterValue? {
    if index == 0 { return powerRunning }
    if let line = line(index) { return line }
    switch index - lineCount {
    case 0: return userControl
    case 1 where isQueued: return queueSources
    default: return nil
    }
  }

  /// Line `index` of the configuration; `nil` past the last.
  func line(_ index: Int) -> RegisterValue? {
    let map = MPU6050Map()
    let later = MPU6500Map()
    switch index {
    case 0: return awake
    case 1:
      return RegisterValue(map.power2) {
        $0.standbyGyroX(isAccelOnly) | $0.standbyGyroY(isAccelOnly) | $0.standbyGyroZ(isAccelOnly)
          | $0.wakeRate(part.generation == .mpu6050 ? cycleCode : 0)
      }
    case 2: return RegisterValue(map.sampleRateDivider) { $0.value(divider) }
    case 3: return RegisterValue(map.config) { $0.lowPassFilter(lowPassFilter) }
    case 4: return RegisterValue(map.gyroConfig) { $0.fullScale(gyroFullScale) }
    case 5: return RegisterValue(map.accelConfig) { $0.fullScale(accelFullScale) }
    // A 50 us pulse per sample: a level held until read would hide samples from edges.
    case 6:
      return RegisterValue(map.interruptPin) {
        $0.activeLow(settings.interruptPin.isActiveLow)
          | $0.openDrain(settings.interruptPin.isOpenDrain)
          | $0.auxiliaryBypass(settings.passesThrough)
      }
    case 7:
      // The status flag follows the enable bit; in polling the pulses go nowhere.
      let flag = settings.acquisition == .dataReady || settings.acquisition == .polling
      return RegisterValue(map.interruptEnable) {
        $0.dataReady(flag) | $0.motion(motionThreshold > 0)
      }
    case 8 where lineCount > 8:
      return RegisterValue(later.accelConfig2) { $0.lowPassFilter(lowPassFilter) }
    case 9 where lineCount > 9:
      return RegisterValue(later.lowPowerRate) { $0.code(cycleCode) }
    case 10 where lineCount > 9:
      return RegisterValue(later.wakeOnMotionThreshold) { $0.value(motionThreshold) }
    case 11 where lineCount > 9:
      return RegisterValue(later.motionControl) {
        $0.enable(motionThreshold > 0) | $0.comparesWithPrevious(motionThreshold > 0)
      }
    default: return nil
    }
  }
}
