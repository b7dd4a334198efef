// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

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
