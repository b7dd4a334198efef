// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// How much is averaged, and how long the chip pauses: one line of the table of rates.
struct BMP280Step: Sendable {
  var temperature: BMP280Map.Oversampling
  var pressure: BMP280Map.Oversampling
  var standby: BMP280Map.Standby

  /// Samples per second in normal mode, typically.
  func rate(on part: BMP280Part) -> Scalar {
    1000 / (conversion(on: part).typical + standby.milliseconds(on: part))
  }

  func conversion(on part: BMP280Part) -> BMP280ConversionTime {
    BMP280ConversionTime(
      temperature: temperature.factor, pressure: pressure.factor,
      humidity: part.hasHumidity ? 1 : 0)
  }

  /// The steps of normal mode, fastest first: less averaging where there is no time for it (temperature x 2 belongs
  /// to pressure x 16, BMP280 sheet table 4), then longer pauses.
  static func normal(_ index: Int, of part: BMP280Part) -> BMP280Step? {
    switch index {
    case 0: return BMP280Step(temperature: .x1, pressure: .x1, standby: .ms0_5)
    case 1: return BMP280Step(temperature: .x1, pressure: .x2, standby: .ms0_5)
    case 2: return BMP280Step(temperature: .x1, pressure: .x4, standby: .ms0_5)
    case 3: return BMP280Step(temperature: .x1, pressure: .x8, standby: .ms0_5)
    default: break
    }
    guard index > 0, index < normalCount(of: part) else { return nil }
    let standby: BMP280Map.Standby?
    switch (part, index) {
    case (_, 4): standby = .ms0_5
    case (.bme280, 5): standby = .ms2000Or10
    case (.bme280, 6): standby = .ms4000Or20
    default: standby = BMP280Map.Standby(rawValue: UInt8(index - (part.hasHumidity ? 6 : 4)))
    }
    return standby.map { BMP280Step(temperature: .x2, pressure: .x16, standby: $0) }
  }

  static func normalCount(of part: BMP280Part) -> Int { part.hasHumidity ? 11 : 9 }
}

/// Physical settings turned into register contents.
struct BMP280Configuration: Sendable {
  let part: BMP280Part
  /// The settings that the chip really has.
  var settings: SensorSettings
  var step: BMP280Step
  var filter: BMP280Map.Filter
  /// The chip sleeps between conversions.
  var isForced: Bool

  init(_ settings: SensorSettings, on part: BMP280Part) {
    self.part = part
    self.settings = settings
    // Slow: as much averaging as there is. Its pause goes unused in forced mode.
    step = BMP280Step(temperature: .x2, pressure: .x16, standby: .ms0_5)
    if settings.power == .low {
      // The fewest conversions, and sleep between.
      step = BMP280Step(temperature: .x1, pressure: .x1, standby: .ms0_5)
      isForced = true
      self.settings.rate = min(max(settings.rate, BMP280Facts.slowest), BMP280Facts.fastestLow)
    } else if settings.rate <= BMP280Facts.fastestForced {
      isForced = true
      self.settings.rate = max(settings.rate, BMP280Facts.slowest)
    } else {
      isForced = false
      // The slowest rate that is not slower than asked. A part that turns out to be slower than its relative
      // runs as fast as it can.
      var index = 0
      while let next = BMP280Step.normal(index, of: part),
        index == 0 || next.rate(on: part) >= settings.rate * 0.999
      {
        step = next
        index += 1
      }
      self.settings.rate = step.rate(on: part)
    }
    // The widest filter within the bandwidth that is wanted.
    let bandwidth = settings.bandwidth ?? self.settings.rate / 2
    filter = .x16
    if BMP280Map.Filter.x8.relativeBandwidth * self.settings.rate <= bandwidth { filter = .x8 }
    if BMP280Map.Filter.x4.relativeBandwidth * self.settings.rate <= bandwidth { filter = .x4 }
    if BMP280Map.Filter.x2.relativeBandwidth * self.settings.rate <= bandwidth { filter = .x2 }
    if BMP280Map.Filter.off.relativeBandwidth * self.settings.rate <= bandwidth { filter = .off }
    self.settings.bandwidth = filter.relativeBandwidth * self.settings.rate
    // There is neither a queue nor a pin, no bus behind it, and nothing that it detects.
    self.settings.acquisition = .polling
    self.settings.interruptPin = InterruptPin()
    self.settings.passesThrough = false
    self.settings.detection.kinds = []
  }

  /// `nil` where a rate is not positive and finite, or beyond the chip.
  init?(checking settings: SensorSettings, on part: BMP280Part) {
    guard settings.acquisition != .detections, settings.rate > 0,
      let fastest = BMP280Facts.rate(at: 0, of: part),
      settings.rate <= fastest * 1.001
    else { return nil }
    self.init(settings, on: part)
  }

  var conversion: BMP280ConversionTime { step.conversion(on: part) }
  var standby: Scalar { step.standby.milliseconds(on: part) }

  /// Starts what is configured: one conversion, or the cycle.
  func control(_ mode: BMP280Map.Mode) -> RegisterValue {
    RegisterValue(BMP280Map().controlMeasurement) {
      $0.temperatureOversampling(step.temperature) | $0.pressureOversampling(step.pressure)
        | $0.mode(mode)
    }
  }

  /// Line `index` of the configuration; `nil` past the last. The chip sleeps while they are written; the last one
  /// makes it heed the humidity line and, in normal mode, starts it.
  func line(_ index: Int) -> RegisterValue? {
    let map = BMP280Map()
    switch (index, part.hasHumidity) {
    case (0, _):
      return RegisterValue(map.config) { $0.standby(step.standby) | $0.filter(filter) }
    case (1, true): return RegisterValue(map.controlHumidity) { $0.oversampling(.x1) }
    case (1, false), (2, true): return control(isForced ? .sleep : .normal)
    default: return nil
    }
  }
}
