// SPDX-License-Identifier: Apache-2.0
public import Sensors

// Physical settings turned into what the chip has.
extension BMP280Configuration {
  /// Creates the codes of `part` nearest to `settings`, which become what the chip really has.
  public init(nearest settings: inout SensorSettings, of part: BMP280Part, isSPI: Bool) {
    // Slow: as much averaging as there is. Its pause goes unused in forced mode.
    var step = BMP280Step(temperature: .x2, pressure: .x16, standby: .ms0_5)
    let isForced: Bool
    if settings.power == .low {
      // The fewest conversions, and sleep between.
      step = BMP280Step(temperature: .x1, pressure: .x1, standby: .ms0_5)
      isForced = true
      settings.rate = min(max(settings.rate, BMP280Chip.slowest), BMP280Chip.fastestLow)
    } else if settings.rate <= BMP280Chip.fastestForced {
      isForced = true
      settings.rate = max(settings.rate, BMP280Chip.slowest)
    } else {
      isForced = false
      // The slowest rate that is not slower than asked. A part that turns out to be slower than its
      // relative runs as fast as it can.
      var index = 0
      while let next = BMP280Step.normal(index, of: part),
        index == 0 || next.rate(on: part) >= settings.rate * 0.999
      {
        step = next
        index += 1
      }
      settings.rate = step.rate(on: part)
    }
    // The widest filter within the bandwidth that is wanted.
    let bandwidth = settings.bandwidth ?? settings.rate / 2
    var filter = BMP280Map.Filter.x16
    if BMP280Map.Filter.x8.relativeBandwidth * settings.rate <= bandwidth { filter = .x8 }
    if BMP280Map.Filter.x4.relativeBandwidth * settings.rate <= bandwidth { filter = .x4 }
    if BMP280Map.Filter.x2.relativeBandwidth * settings.rate <= bandwidth { filter = .x2 }
    if BMP280Map.Filter.off.relativeBandwidth * settings.rate <= bandwidth { filter = .off }
    settings.bandwidth = filter.relativeBandwidth * settings.rate
    // There is neither a queue nor a pin, no bus behind it, and nothing that it detects.
    settings.acquisition = .polling
    settings.interruptPin = InterruptPin()
    settings.passesThrough = false
    settings.detection.kinds = []
    self.init(
      part: part, temperature: step.temperature, pressure: step.pressure, standby: step.standby,
      filter: filter, forcedRate: isForced ? settings.rate : nil,
      assumedIdentity: settings.assumedIdentity)
  }

  /// Creates the codes; `nil` where a rate is not positive and finite, or beyond the chip.
  public init?(checking settings: inout SensorSettings, of part: BMP280Part, isSPI: Bool) {
    guard settings.acquisition != .detections, settings.rate > 0,
      let fastest = BMP280Chip.rate(at: 0, of: part),
      settings.rate <= fastest * 1.001
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }
}
