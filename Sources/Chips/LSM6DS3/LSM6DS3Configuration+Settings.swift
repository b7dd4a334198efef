// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

// Codes of physical settings, and the settings that codes are.
extension LSM6DS3Configuration {
  public init(nearest settings: inout SensorSettings, of family: LSM6DS3Family, isSPI: Bool) {
    let wanted = settings
    let isLowPower = wanted.power == .low
    // The accelerometer's low-power and normal modes end at 208 Hz (LSM6DS3TR-C data sheet, revision 3, table 52);
    // embedded functions begin at 26 Hz (AN4650 and AN5130, section 5).
    let fastest = isLowPower ? 208.0 : 1660
    let isDetecting = !wanted.detection.kinds.isDisjoint(with: LSM6DS3Functions.all)
    let slowest = isDetecting ? 26.0 : 0
    // The slowest rate that is not slower than asked.
    var rate = isLowPower ? LSM6DS3Map.OutputRate.hz208 : .hz1660
    for code in LSM6DS3Map.OutputRate.allCases.reversed()
    where code != .off && code.hertz <= fastest && code.hertz >= wanted.rate * 0.999
      && code.hertz >= slowest
    {
      rate = code
    }
    settings.rate = rate.hertz
    let filters = LSM6DS3Filters(
      wanted.bandwidth ?? rate.hertz / 2, rate: rate, isLowPower: isLowPower, family: family)
    settings.bandwidth = filters.bandwidth(rate: rate, isLowPower: isLowPower, family: family)
    // The smallest full scale that holds what was asked. The codes are not in the order of size.
    var accelFullScale = LSM6DS3Map.AccelFullScale.g16
    for scale in LSM6DS3Map.AccelFullScale.allCases
    where scale.g >= wanted.accelerationRange * 0.999 && scale.g < accelFullScale.g {
      accelFullScale = scale
    }
    settings.accelerationRange = accelFullScale.g
    var gyroFullScale = LSM6DS3Map.GyroFullScale.dps2000
    for scale in LSM6DS3Map.GyroFullScale.allCases
    where radians(fromDegrees: scale.degreesPerSecond) >= wanted.rotationRateRange * 0.999
      && scale.degreesPerSecond < gyroFullScale.degreesPerSecond
    {
      gyroFullScale = scale
    }
    settings.rotationRateRange = radians(fromDegrees: gyroFullScale.degreesPerSecond)
    self.init(
      rate: rate, accelFullScale: accelFullScale, gyroFullScale: gyroFullScale, filters: filters,
      acquisition: wanted.acquisition, batchInterval: wanted.batchInterval,
      interruptPin: wanted.interruptPin)
    part = family
    power = wanted.power
    passesThrough = wanted.passesThrough
    assumedIdentity = wanted.assumedIdentity
    functions = LSM6DS3Functions(
      &settings.detection, range: accelFullScale.g, rate: rate.hertz,
      allowsInactivity: acquisition == .detections,
      allowsSignificantMotion: acquisition == .detections || acquisition == .polling
        || interruptPin.number == 2)
    settings.keepsLateSamples = wanted.keepsLateSamples && acquisition == .dataReady
    if settings.keepsLateSamples {
      // The queue's line, and not that of the outputs: it says that the set can be read where it waits.
      announcesSets = true
      acquisition = .fifo
      batchInterval = .zero
      return
    }
    let sets = (wanted.batchInterval.seconds * rate.hertz).rounded(.down)
    if sets >= 1 {
      watermark = Int(min(sets, Scalar(Self.highestWatermark(isAccelAlone: isAccelAlone))))
    }
  }

  /// `nil` where a rate or range is not positive and finite, or beyond the chip, or nothing is asked of it.
  public init?(checking settings: inout SensorSettings, of family: LSM6DS3Family, isSPI: Bool) {
    guard settings.rate > 0, settings.rate <= 1660 * 1.001,
      settings.accelerationRange > 0, settings.accelerationRange <= 16.02,
      settings.rotationRateRange > 0,
      settings.rotationRateRange <= radians(fromDegrees: 2002),
      (settings.bandwidth ?? 1) > 0, (1...2).contains(settings.interruptPin.number)
    else { return nil }
    self.init(nearest: &settings, of: family, isSPI: isSPI)
    if acquisition == .detections, functions.kinds.isEmpty { return nil }
  }

  public var settings: SensorSettings? {
    var settings = SensorSettings(
      rate: rate.hertz, accelerationRange: accelFullScale.g,
      rotationRateRange: radians(fromDegrees: gyroFullScale.degreesPerSecond),
      bandwidth: filters.bandwidth(rate: rate, isLowPower: power == .low, family: family),
      acquisition: announcesSets ? .dataReady : acquisition, batchInterval: batchInterval)
    settings.keepsLateSamples = announcesSets
    settings.power = power
    settings.interruptPin = interruptPin
    settings.passesThrough = passesThrough
    settings.assumedIdentity = assumedIdentity
    return settings
  }
}
