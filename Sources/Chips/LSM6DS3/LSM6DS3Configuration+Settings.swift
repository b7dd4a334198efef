// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

// Codes of physical settings, and the settings that codes are.
extension LSM6DS3Configuration {
  public init(nearest settings: inout SensorSettings, of family: LSM6DS3Family, isSPI: Bool) {
    let wanted = settings
    let isLowPower = wanted.power == .low
    // The accelerometer's low-power and normal modes end at 208 Hz (LSM6DS3TR-C data sheet,
    // revision 3, table 52); embedded functions begin at 26 Hz (AN4650 and AN5130, section 5).
    let isDetecting = !wanted.detection.kinds.isDisjoint(with: LSM6DS3Functions.all)
    let rate = LSM6DS3Map.OutputRate.smallest(
      holding: max(wanted.rate, isDetecting ? 26 : 12.5), orElse: isLowPower ? .hz208 : .hz1660
    ) { $0.hertz }
    settings.rate = rate.hertz
    let filters = LSM6DS3Filters(
      wanted.bandwidth ?? rate.hertz / 2, rate: rate, isLowPower: isLowPower, family: family)
    settings.bandwidth = filters.bandwidth(rate: rate, isLowPower: isLowPower, family: family)
    let accelFullScale = LSM6DS3Map.AccelFullScale.smallest(
      holding: wanted.accelerationRange, orElse: .g16
    ) { $0.g }
    settings.accelerationRange = accelFullScale.g
    let gyroFullScale = LSM6DS3Map.GyroFullScale.smallest(
      holding: wanted.rotationRateRange, orElse: .dps2000
    ) { $0.radiansPerSecond }
    settings.rotationRateRange = gyroFullScale.radiansPerSecond
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
      // The queue's line, and not that of the outputs: it says that the set can be read where it
      // waits.
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

  /// Creates the codes; `nil` where a rate or range is not positive and finite, or beyond the chip,
  /// or nothing is asked of it.
  public init?(checking settings: inout SensorSettings, of family: LSM6DS3Family, isSPI: Bool) {
    guard settings.isWithin(rate: 1660, g: 16, degreesPerSecond: 2000, pins: 2),
      (settings.bandwidth ?? 1) > 0
    else { return nil }
    self.init(nearest: &settings, of: family, isSPI: isSPI)
    if acquisition == .detections, functions.kinds.isEmpty { return nil }
  }

  public var settings: SensorSettings? {
    var settings = SensorSettings(
      rate: rate.hertz, accelerationRange: accelFullScale.g,
      rotationRateRange: gyroFullScale.radiansPerSecond,
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
