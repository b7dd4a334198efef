// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The settings in the chip's registers: codes, which `MPU6050.configure` finds for physical
/// settings, and firmware with fixed ones names by itself, so that the search is not in it.
/// Sections are those of the register map RM-MPU-6000A.
public struct MPU6050Configuration: ChipCodes {
  /// SMPLRT_DIV (section 4.2): 1000 / (1 + divider) samples per second.
  public var divider: UInt8
  /// DLPF_CFG (section 4.3), of both sensors: less than half the rate, or motion folds into the
  /// samples. Not `.hz256`, with which the chip would work 8 times as fast.
  public var lowPassFilter: MPU6050Map.LowPassFilter
  /// AFS_SEL (section 4.5).
  public var accelFullScale: MPU6050Map.AccelFullScale
  /// FS_SEL (section 4.4).
  public var gyroFullScale: MPU6050Map.GyroFullScale
  /// The way in which samples leave the chip. In cycle mode not `.fifo`; `.detections` takes
  /// `isAccelOnly` and a `motionThreshold`.
  public var acquisition: Acquisition
  /// The time for which samples may wait in the queue; at most as long as half of it takes to fill,
  /// and 0.48 s.
  public var batchInterval: TimeSpan
  /// True where the pin announces each frame of the queue, which is then read at once.
  public var announcesFrames = false
  /// The wiring of the pin, which is number 1.
  public var interruptPin: InterruptPin
  /// I2C_BYPASS_EN (section 4.17): on I2C, of parts that have an auxiliary bus.
  public var passesThrough = false
  /// The configuration of an MPU-9250's magnetometer, which the chip's own master reads; `nil`: it
  /// is not read.
  public internal(set) var magnetometer: AK8963Configuration?
  /// STBY_XG, STBY_YG, STBY_ZG (section 4.29): whether the gyroscope stands by.
  public var isAccelOnly = false
  /// CYCLE (section 4.28): whether the chip sleeps between samples, which takes `isAccelOnly`.
  public var cycles = false
  /// The cycle mode's rate: LP_WAKE_CTRL (section 4.29), on later parts LP_ACCEL_ODR; see
  /// `MPU6050Chip.cycleRate`.
  public var cycleCode: UInt8 = 0
  /// WOM_THR of later parts (RM-MPU-6500A section 4.10): steps of 4 mg; 0 where motion is not to be
  /// detected.
  public var motionThreshold: UInt8 = 0
  /// The identity to go by instead of the one that the chip gives; `nil`: its own.
  public var assumedIdentity: UInt8?
  /// The part that these codes are meant for.
  public internal(set) var part: MPU6050Part

  /// Codes for `part`. `batchInterval` is held to what its queue bears.
  @inline(__always)
  public init(
    divider: UInt8, lowPassFilter: MPU6050Map.LowPassFilter,
    accelFullScale: MPU6050Map.AccelFullScale, gyroFullScale: MPU6050Map.GyroFullScale,
    acquisition: Acquisition = .polling, batchInterval: TimeSpan = .milliseconds(10),
    interruptPin: InterruptPin = InterruptPin(), part: MPU6050Part = .mpu6050
  ) {
    self.part = part
    self.divider = divider
    self.lowPassFilter = lowPassFilter
    self.accelFullScale = accelFullScale
    self.gyroFullScale = gyroFullScale
    self.acquisition = acquisition
    self.batchInterval = batchInterval
    self.interruptPin = interruptPin
    if acquisition == .fifo { self.batchInterval = held(batchInterval) }
  }

  @inline(__always)
  public var abilities: DriverAbilities {
    var abilities = DriverAbilities(acquisition)
    if announcesFrames { abilities.insert(.dataReady) }
    if isAccelOnly, acquisition != .detections { abilities.insert(.lowPower) }
    if motionThreshold > 0 { abilities.insert(.detections) }
    if magnetometer != nil { abilities.insert(.magnetometer) }
    return abilities
  }

  @inline(__always)
  public func narrowed(to abilities: DriverAbilities) -> MPU6050Configuration {
    var narrowed = self
    if !abilities.contains(.detections) { narrowed.motionThreshold = 0 }
    if !abilities.contains(.magnetometer) { narrowed.magnetometer = nil }
    if !abilities.isSuperset(of: [.fifo, .dataReady]) { narrowed.announcesFrames = false }
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
      !passesThrough || part.hasAuxiliaryBus && !isSPI
    else { return false }
    // There is one pin and one enable bit for it and the flag.
    if motionThreshold > 0, part.generation != .mpu6500 || isOnPin { return false }
    if acquisition == .detections, motionThreshold == 0 || !isAccelOnly { return false }
    guard cycles else { return true }
    // No document says that the queue fills in cycle mode.
    return isAccelOnly && acquisition != .fifo && part.generation != .icm20600
      && cycleCode <= MPU6050Chip.fastestCycleCode(of: part.generation)
  }

  /// True where the pin announces samples.
  @inline(__always)
  var isOnPin: Bool { acquisition == .dataReady || announcesFrames }

  /// Bytes of a frame; the magnetometer's stand behind the chip's own.
  @inline(__always)
  var frameSize: Int {
    isAccelOnly
      ? MPU6050Chip.accelFrameSize
      : MPU6050Chip.frameSize + (magnetometer == nil ? 0 : MPU6050Chip.magnetometerBytes)
  }

  /// Bytes of a frame in the queue.
  @inline(__always)
  var queueFrameSize: Int {
    announcesFrames && !isAccelOnly ? MPU6050Chip.motionFrameSize : frameSize
  }

  /// Samples per second.
  @inline(__always)
  var rate: Scalar {
    if cycles {
      let index = MPU6050Chip.fastestCycleCode(of: part.generation) &- cycleCode
      if let rate = MPU6050Chip.cycleRate(at: Int(index), of: part.generation) {
        return rate.hertz
      }
    }
    return MPU6050Chip.baseRate / Scalar(Int(divider) + 1)
  }

  /// The cycle mode is timed by an oscillator that is trimmed less well.
  @inline(__always)
  public func makeClock() -> SampleClock { SampleClock(rate: rate, tolerance: cycles ? 0.1 : 0.05) }

  /// `interval`, held to what the queue bears: half of what it holds, as while 36 frames travel at
  /// 400 kHz another eleven come, and a reader may be late; a quarter with the magnetometer's
  /// words, as then half as many come as travel.
  @inline(__always)
  func held(_ interval: TimeSpan) -> TimeSpan {
    let bytes = magnetometer == nil ? part.fifoSize / 2 : part.fifoSize / 4
    let size = magnetometer == nil ? MPU6050Chip.frameSize : frameSize
    let frames = Int64(min(48, bytes / size))
    let longest = TimeSpan.milliseconds(frames * (Int64(divider) + 1))
    return min(max(interval, .zero), min(longest, MPU6050Timing.rest))
  }
}

// Codes of physical settings, and the settings that codes are.
extension MPU6050Configuration {
  public init(nearest settings: inout SensorSettings, of part: MPU6050Part, isSPI: Bool) {
    let wanted = settings
    self.init(
      divider: 0, lowPassFilter: .hz188, accelFullScale: .g16, gyroFullScale: .dps2000,
      acquisition: settings.acquisition, batchInterval: settings.batchInterval,
      interruptPin: settings.interruptPin, part: part)
    assumedIdentity = settings.assumedIdentity
    accelFullScale = .smallest(holding: wanted.accelerationRange, orElse: .g16) { $0.g }
    settings.accelerationRange = accelFullScale.g
    gyroFullScale = .smallest(holding: wanted.rotationRateRange, orElse: .dps2000) {
      $0.radiansPerSecond
    }
    settings.rotationRateRange = gyroFullScale.radiansPerSecond
    if !part.hasAuxiliaryBus || isSPI { settings.passesThrough = false }
    passesThrough = settings.passesThrough
    isAccelOnly = settings.power == .low || settings.acquisition == .detections
    settings.usesMagnetometer =
      settings.usesMagnetometer && part.hasMagnetometer && !isAccelOnly
    if settings.usesMagnetometer {
      settings.passesThrough = false
      passesThrough = false
    }
    cycles = isAccelOnly && part.generation != .icm20600
    chooseRate(&settings, part.generation)
    if settings.usesMagnetometer {
      magnetometer = AK8963Configuration(of: .ak8963, behind: settings.rate)
    }
    // In cycle mode there is no queue.
    settings.keepsLateSamples =
      settings.keepsLateSamples && acquisition == .dataReady && !cycles && magnetometer == nil
    announcesFrames = settings.keepsLateSamples
    chooseDetection(&settings, part.generation)
    if announcesFrames {
      acquisition = .fifo
      batchInterval = .zero
    } else if acquisition == .fifo {
      batchInterval = held(wanted.batchInterval)
      settings.batchInterval = batchInterval
    }
  }

  /// Creates the codes; `nil` where a rate or range is not positive and finite, or beyond the chip,
  /// or where it can detect nothing of what it alone is asked for.
  public init?(checking settings: inout SensorSettings, of part: MPU6050Part, isSPI: Bool) {
    guard
      settings.isWithin(rate: MPU6050Chip.baseRate, g: 16, degreesPerSecond: 2000, pins: 1)
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
    if acquisition == .detections, motionThreshold == 0 { return nil }
  }

  public var settings: SensorSettings? {
    var settings = SensorSettings(
      rate: rate, accelerationRange: accelFullScale.g,
      rotationRateRange: gyroFullScale.radiansPerSecond,
      bandwidth: cycles ? nil : lowPassFilter.bandwidth(of: part.generation),
      acquisition: announcesFrames ? .dataReady : acquisition, batchInterval: batchInterval)
    settings.keepsLateSamples = announcesFrames
    settings.power = isAccelOnly ? .low : .normal
    settings.interruptPin = interruptPin
    settings.passesThrough = passesThrough
    settings.usesMagnetometer = magnetometer != nil
    settings.assumedIdentity = assumedIdentity
    if motionThreshold > 0 {
      settings.detection.kinds = .motion
      settings.detection.motionThreshold = Scalar(motionThreshold) * MPU6050Chip.gPerMotionStep
    }
    return settings
  }

  /// The slowest rate that is not slower than asked, and the filter below half of it.
  private mutating func chooseRate(
    _ settings: inout SensorSettings, _ generation: MPU6050Part.Generation
  ) {
    if cycles {
      // No document says that the queue fills in cycle mode, and the vendor's Motion Driver
      // switches it off there.
      if acquisition == .fifo { acquisition = .polling }
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
      // It samples too shortly for a filter to settle.
      settings.bandwidth = nil
      return
    }
    // A hair's breadth more, or 1000/49 Hz would be 48 steps and not 49.
    let steps = (MPU6050Chip.baseRate / settings.rate * 1.000_001).rounded(.down)
    divider = UInt8(min(max(steps, 1), 256) - 1)
    settings.rate = MPU6050Chip.baseRate / Scalar(UInt16(divider) + 1)
    // The widest filter below half the rate, so that nothing folds into the samples. Filter 0 would
    // raise the base rate to 8 kHz and repeat accelerometer words; the next is as wide as 1 kHz can
    // use.
    let wanted = settings.bandwidth ?? settings.rate / 2
    lowPassFilter = .hz5
    for filter in MPU6050Map.LowPassFilter.allCases.reversed()
    where filter != .hz256 && filter.bandwidth(of: generation) <= wanted {
      lowPassFilter = filter
    }
    settings.bandwidth = lowPassFilter.bandwidth(of: generation)
  }

  /// There is one pin and one enable bit for it and the flag: beside data-ready edges motion cannot
  /// be detected.
  private mutating func chooseDetection(
    _ settings: inout SensorSettings, _ generation: MPU6050Part.Generation
  ) {
    settings.detection.kinds.formIntersection(MPU6050Chip.detections(of: generation))
    if acquisition == .dataReady { settings.detection.kinds = [] }
    guard settings.detection.kinds.contains(.motion) else { return }
    let steps = (settings.detection.motionThreshold / MPU6050Chip.gPerMotionStep).rounded()
    motionThreshold = steps >= 1 ? UInt8(min(steps, 255)) : 1
    settings.detection.motionThreshold = Scalar(motionThreshold) * MPU6050Chip.gPerMotionStep
    // It compares neighbouring samples: one difference is enough.
    settings.detection.motionDuration = .zero
  }
}
