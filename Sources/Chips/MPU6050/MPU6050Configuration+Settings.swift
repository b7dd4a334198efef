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
    // The smallest full scale that holds what was asked.
    for scale in MPU6050Map.AccelFullScale.allCases.reversed()
    where scale.g >= wanted.accelerationRange * 0.999 {
      accelFullScale = scale
    }
    settings.accelerationRange = accelFullScale.g
    for scale in MPU6050Map.GyroFullScale.allCases.reversed()
    where radians(fromDegrees: scale.degreesPerSecond) >= wanted.rotationRateRange * 0.999 {
      gyroFullScale = scale
    }
    settings.rotationRateRange = radians(fromDegrees: gyroFullScale.degreesPerSecond)
    if !part.hasAuxiliaryBus || isSPI { settings.passesThrough = false }
    passesThrough = settings.passesThrough
    isAccelOnly = settings.power == .low || settings.acquisition == .detections
    cycles = isAccelOnly && part.generation != .icm20600
    chooseRate(&settings, part.generation)
    // In cycle mode there is no queue.
    settings.keepsLateSamples =
      settings.keepsLateSamples && acquisition == .dataReady && !cycles
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

  /// `nil` where a rate or range is not positive and finite, or beyond the chip, or where it can detect nothing of what
  /// it alone is asked for.
  public init?(checking settings: inout SensorSettings, of part: MPU6050Part, isSPI: Bool) {
    guard settings.rate > 0, settings.rate <= MPU6050Facts.baseRate * 1.001,
      settings.accelerationRange > 0, settings.accelerationRange <= 16.02,
      settings.rotationRateRange > 0,
      settings.rotationRateRange <= radians(fromDegrees: 2002),
      settings.interruptPin.number == 1
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
    if acquisition == .detections, motionThreshold == 0 { return nil }
  }

  public var settings: SensorSettings? {
    var settings = SensorSettings(
      rate: rate, accelerationRange: accelFullScale.g,
      rotationRateRange: radians(fromDegrees: gyroFullScale.degreesPerSecond),
      bandwidth: cycles ? nil : lowPassFilter.bandwidth(of: part.generation),
      acquisition: announcesFrames ? .dataReady : acquisition, batchInterval: batchInterval)
    settings.keepsLateSamples = announcesFrames
    settings.power = isAccelOnly ? .low : .normal
    settings.interruptPin = interruptPin
    settings.passesThrough = passesThrough
    settings.assumedIdentity = assumedIdentity
    if motionThreshold > 0 {
      settings.detection.kinds = .motion
      settings.detection.motionThreshold = Scalar(motionThreshold) * MPU6050Facts.gPerMotionStep
    }
    return settings
  }

  /// The slowest rate that is not slower than asked, and the filter below half of it.
  private mutating func chooseRate(
    _ settings: inout SensorSettings, _ generation: MPU6050Part.Generation
  ) {
    if cycles {
      // No document says that the queue fills in cycle mode, and the vendor's Motion Driver switches it off there.
      if acquisition == .fifo { acquisition = .polling }
      settings.acquisition = acquisition
      var index = 0
      var rate = settings.rate
      while let offered = MPU6050Facts.cycleRate(at: index, of: generation),
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
    where filter != .hz256 && filter.bandwidth(of: generation) <= wanted {
      lowPassFilter = filter
    }
    settings.bandwidth = lowPassFilter.bandwidth(of: generation)
  }

  /// There is one pin and one enable bit for it and the flag: beside data-ready edges motion cannot be detected.
  private mutating func chooseDetection(
    _ settings: inout SensorSettings, _ generation: MPU6050Part.Generation
  ) {
    settings.detection.kinds.formIntersection(MPU6050Facts.detections(of: generation))
    if acquisition == .dataReady { settings.detection.kinds = [] }
    guard settings.detection.kinds.contains(.motion) else { return }
    let steps = (settings.detection.motionThreshold / MPU6050Facts.gPerMotionStep).rounded()
    motionThreshold = steps >= 1 ? UInt8(min(steps, 255)) : 1
    settings.detection.motionThreshold = Scalar(motionThreshold) * MPU6050Facts.gPerMotionStep
    // It compares neighbouring samples: one difference is enough.
    settings.detection.motionDuration = .zero
  }
}
