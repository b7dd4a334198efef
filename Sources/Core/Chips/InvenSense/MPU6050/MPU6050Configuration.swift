// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The register codes of the driver's settings. `MPU6050.configure` finds the codes for physical
/// settings. Firmware with fixed settings specifies the codes directly, so that the search is not
/// linked into it. Section numbers refer to the register map RM-MPU-6000A.
public struct MPU6050Configuration: InertialCodes {
  /// The divider of the rate: the chip takes 1000 / (1 + divider) samples per second. The register
  /// is SMPLRT_DIV (section 4.2).
  public var divider: UInt8 = 0
  /// The low-pass filter of both sensors, whose bandwidth is below half of the rate to avoid
  /// aliasing: DLPF_CFG (section 4.3). `.hz256` is not allowed, because this filter code makes the
  /// base rate 8 times as high.
  public var lowPassFilter = MPU6050Map.LowPassFilter.hz188
  /// The full scales of accelerometer and gyroscope: AFS_SEL (section 4.5) and FS_SEL (section
  /// 4.4).
  public var accelFullScale = MPU6050Map.AccelFullScale.g16
  public var gyroFullScale = MPU6050Map.GyroFullScale.dps2000
  /// The readout mode. There is one interrupt pin. `.fifo` is not available in cycle mode;
  /// `.detections` needs `isAccelOnly` and a `motionThreshold`. A FIFO is read at intervals of at
  /// most 0.48 s, and before more than half of the FIFO is full. `passesThrough` is I2C_BYPASS_EN
  /// (section 4.17), for parts with an auxiliary bus on I2C.
  public var readout = ReadoutMode.polling
  /// The rate of an MPU-9250's magnetometer, which the chip's auxiliary master reads; `nil` if the
  /// magnetometer is not sampled.
  public var magnetometerRate: AK8963Rate?
  /// True if the gyroscope is in standby: STBY_XG, STBY_YG, STBY_ZG (section 4.29).
  public var isAccelOnly = false
  /// True if the chip sleeps between samples: CYCLE (section 4.28), which needs `isAccelOnly`.
  public var cycles = false
  /// The code of the cycle mode's rate: LP_WAKE_CTRL (section 4.29), on later parts LP_ACCEL_ODR;
  /// see `MPU6050Chip.cycleRate`.
  public var cycleCode: UInt8 = 0
  /// The motion threshold of later parts in steps of 4 mg; 0 disables the detection: WOM_THR
  /// (RM-MPU-6500A section 4.10).
  public var motionThreshold: UInt8 = 0
  /// The part of the chip family to which the register codes belong.
  public var part = MPU6050Part.mpu6050

  public init() {}

  @inline(__always)
  public var abilities: DriverAbilities {
    var abilities = readout.abilities
    if isAccelOnly, acquisition != .detections { abilities.insert(.lowPower) }
    if motionThreshold > 0 { abilities.insert(.detections) }
    if magnetometerRate != nil { abilities.insert(.magnetometer) }
    return abilities
  }

  @inline(__always)
  public func narrowed(to abilities: DriverAbilities) -> MPU6050Configuration {
    var narrowed = self
    narrowed.readout = readout.narrowed(to: abilities)
    if !abilities.contains(.detections) { narrowed.motionThreshold = 0 }
    if !abilities.contains(.magnetometer) { narrowed.magnetometerRate = nil }
    if abilities.isDisjoint(with: [.detections, .lowPower]) {
      narrowed.isAccelOnly = false
      narrowed.cycles = false
      narrowed.cycleCode = 0
    }
    return narrowed
  }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    guard lowPassFilter != .hz256, interruptPin.number == 1,
      !readout.passesThrough || part.hasAuxiliaryBus && !isSPI
    else { return false }
    // The chip has one interrupt pin, and that pin and the status flag share one enable bit.
    if motionThreshold > 0, part.generation != .mpu6500 || isOnPin { return false }
    if acquisition == .detections, motionThreshold == 0 || !isAccelOnly { return false }
    guard cycles else { return true }
    // Data-ready works in cycle mode, but no document states that the FIFO fills in cycle mode.
    return isAccelOnly && acquisition != .fifo && part.generation != .icm20600
      && cycleCode <= MPU6050Chip.fastestCycleCode(of: part.generation)
  }

  @inline(__always)
  var isOnPin: Bool { acquisition == .dataReady || readout.announcesSamples }

  /// The size of a frame in bytes. The magnetometer's bytes follow the bytes of the chip's own
  /// sensors.
  @inline(__always)
  var frameSize: Int {
    isAccelOnly
      ? MPU6050Chip.accelFrameSize
      : MPU6050Chip.frameSize + (magnetometerRate == nil ? 0 : MPU6050Chip.magnetometerBytes)
  }

  /// The size of a FIFO frame in bytes.
  @inline(__always)
  var queueFrameSize: Int {
    if part.isICM20602 {
      return isAccelOnly ? MPU6050Chip.warmAccelFrameSize : MPU6050Chip.frameSize
    }
    return readsTemperature ? MPU6050Chip.motionFrameSize : frameSize
  }

  /// True if the temperature is read separately from the FIFO's frames.
  @inline(__always) @usableFromInline
  var readsTemperature: Bool {
    readout.announcesSamples && !isAccelOnly && !part.isICM20602
  }

  @inline(__always)
  var rate: Scalar {
    if cycles {
      let index = MPU6050Chip.fastestCycleCode(of: part.generation) &- cycleCode
      if let rate = MPU6050Chip.cycleRate(at: Int(index), of: part.generation) { return rate.hertz }
    }
    return MPU6050Chip.baseRate / Scalar(Int(divider) + 1)
  }

  /// In cycle mode the chip uses a less accurate oscillator than in normal mode.
  @inline(__always)
  public func makeClock() -> SampleClock { SampleClock(rate: rate, tolerance: cycles ? 0.1 : 0.05) }

  /// The longest interval between reads. In this interval half of the FIFO fills, because a reader
  /// may be late and eleven frames arrive while 36 frames are transferred at 400 kHz. With the
  /// magnetometer the limit is a quarter of the FIFO, because one new frame arrives while two
  /// frames are transferred.
  @inline(__always)
  public mutating func finalize() {
    let bytes = magnetometerRate == nil ? part.fifoSize / 2 : part.fifoSize / 4
    let size = magnetometerRate == nil ? MPU6050Chip.frameSize : frameSize
    let frames = bytes / size < 48 ? Int64(bytes / size) : 48
    let longest = TimeSpan(nanoseconds: frames &* (Int64(divider) &+ 1) &* 1_000_000)
    if longest < readout.batchInterval { readout.batchInterval = longest }
    if MPU6050Timing.rest < readout.batchInterval { readout.batchInterval = MPU6050Timing.rest }
  }
}

// Translation of physical settings to register codes, and of codes to settings.
extension MPU6050Configuration {
  public static func limits(of part: MPU6050Part, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: MPU6050Chip.baseRate, g: 16, degreesPerSecond: 2000, pins: 1,
      ways: [.dataReady, .fifo, .polling, .detections],
      detections: MPU6050Chip.detections(of: part.generation), passesThrough: part.hasAuxiliaryBus)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    fitScales(&settings)
    isAccelOnly = power == .low || acquisition == .detections
    settings.usesMagnetometer = settings.usesMagnetometer && part.hasMagnetometer && !isAccelOnly
    if isSPI || settings.usesMagnetometer { settings.passesThrough = false }
    readout.passesThrough = settings.passesThrough
    cycles = isAccelOnly && part.generation != .icm20600
    chooseRate(&settings, part.generation)
    if settings.usesMagnetometer {
      magnetometerRate = AK8963Rate(of: .ak8963, behind: settings.rate)
    }
    // The FIFO is not used in cycle mode.
    let isAnnounced = readout.keepLateSamples(&settings, where: !cycles && magnetometerRate == nil)
    chooseDetection(&settings)
    if acquisition == .fifo, !isAnnounced {
      finalize()
      settings.batchInterval = readout.batchInterval
    }
  }

  public var settings: SensorSettings? {
    var settings = settings(rate: rate)
    settings.bandwidth = cycles ? nil : lowPassFilter.bandwidth(of: part.generation)
    settings.power = isAccelOnly ? .low : .normal
    settings.usesMagnetometer = magnetometerRate != nil
    if motionThreshold > 0 {
      settings.detection.kinds = .motion
      settings.detection.motionThreshold = Scalar(motionThreshold) * MPU6050Chip.gPerMotionStep
    }
    return settings
  }

  /// Chooses the slowest rate that is not below the requested rate, and a low-pass filter below
  /// half of the chosen rate.
  private mutating func chooseRate(
    _ settings: inout SensorSettings, _ generation: MPU6050Part.Generation
  ) {
    if cycles {
      // No document states that the FIFO fills in cycle mode, and the manufacturer's Motion Driver
      // disables the FIFO in this mode.
      if acquisition == .fifo { readout.acquisition = .polling }
      settings.acquisition = acquisition
      var index = 0
      var rate = settings.rate
      while let offered = MPU6050Chip.cycleRate(at: index, of: generation),
        index == 0 || offered.hertz >= settings.rate * 0.999
      {
        (cycleCode, rate) = (offered.code, offered.hertz)
        index += 1
      }
      settings.rate = rate
      // In cycle mode the chip is awake for too short a time for a filter to settle.
      settings.bandwidth = nil
      return
    }
    // The small excess over a whole number of steps corrects for rounding: without it 1000/49 Hz
    // would give 48 steps instead of 49.
    let steps = (MPU6050Chip.baseRate / settings.rate * 1.000_001).rounded(.down)
    divider = UInt8(min(max(steps, 1), 256) - 1)
    settings.rate = MPU6050Chip.baseRate / Scalar(UInt16(divider) + 1)
    // Choose the widest low-pass filter below half of the rate, to avoid aliasing. Filter 0 is
    // excluded, because it would raise the base rate to 8 kHz and repeat accelerometer words.
    // Filter 1 already has the widest bandwidth that is useful at 1 kHz.
    let wanted = settings.bandwidth ?? settings.rate / 2
    lowPassFilter = .widest(within: wanted, orElse: .hz5) {
      $0 == .hz256 ? .nan : $0.bandwidth(of: generation)
    }
    settings.bandwidth = lowPassFilter.bandwidth(of: generation)
  }

  /// Chooses the motion threshold. The interrupt pin and the status flag share one enable bit, so
  /// motion cannot be detected if the pin carries data-ready pulses.
  private mutating func chooseDetection(_ settings: inout SensorSettings) {
    if isOnPin { settings.detection.kinds = [] }
    guard settings.detection.kinds.contains(.motion) else { return }
    let steps = (settings.detection.motionThreshold / MPU6050Chip.gPerMotionStep).rounded()
    motionThreshold = steps >= 1 ? UInt8(min(steps, 255)) : 1
    settings.detection.motionThreshold = Scalar(motionThreshold) * MPU6050Chip.gPerMotionStep
    // The chip compares consecutive samples, so one difference above the threshold is enough.
    settings.detection.motionDuration = .zero
  }
}
