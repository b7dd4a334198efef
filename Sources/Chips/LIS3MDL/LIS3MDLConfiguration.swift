// SPDX-License-Identifier: Apache-2.0
internal import Registers
internal import Sensors

/// Physical settings turned into register contents.
struct LIS3MDLConfiguration: Sendable {
  /// The settings that the chip really has.
  var settings: SensorSettings
  var performance: LIS3MDLMap.Performance
  /// `nil` where the performance gives a fast rate.
  var rate: LIS3MDLMap.Rate?
  var fullScale: LIS3MDLMap.FullScale
  /// Whether the die's temperature is measured and read too.
  var hasTemperature: Bool
  var isStimulated = false

  init(_ settings: SensorSettings) {
    self.settings = settings
    hasTemperature = settings.power == .normal
    // The slowest rate that is not slower than asked. Up to 80 Hz any performance goes with any rate: the best, or that
    // with the fewest conversions a sample. Above, the performance is what sets the rate.
    performance = settings.power == .low ? .lowPower : .ultraHigh
    rate = nil
    for candidate in LIS3MDLMap.Rate.allCases.reversed()
    where candidate.hertz >= settings.rate * 0.999 {
      rate = candidate
    }
    if rate == nil {
      performance = .lowPower
      for candidate in LIS3MDLMap.Performance.allCases
      where candidate.fastHertz >= settings.rate * 0.999 {
        performance = candidate
      }
    }
    self.settings.rate = rate?.hertz ?? performance.fastHertz
    self.settings.bandwidth = self.settings.rate / 2
    fullScale = .gauss16
    for candidate in LIS3MDLMap.FullScale.allCases.reversed()
    where candidate.microtesla >= settings.magneticFieldRange * 0.999 {
      fullScale = candidate
    }
    self.settings.magneticFieldRange = fullScale.microtesla
    // The data-ready pin has no settings: it is pin 1 and rises. Another kind of line carries no edges of it.
    let pin = InterruptPin()
    if settings.interruptPin != pin { self.settings.acquisition = .polling }
    self.settings.interruptPin = pin
    // There is no queue on this chip, no bus behind it, and nothing that it detects.
    if settings.acquisition == .fifo { self.settings.acquisition = .polling }
    self.settings.passesThrough = false
    self.settings.detection.kinds = []
  }

  /// `nil` where a rate or range is not positive and finite, or beyond the chip.
  init?(checking settings: SensorSettings) {
    guard settings.acquisition != .detections, settings.rate > 0, settings.rate <= 1001,
      settings.magneticFieldRange > 0, settings.magneticFieldRange <= 1601
    else { return nil }
    self.init(settings)
  }

  /// Line `index` of the configuration; `nil` past the last. The last one starts conversions. Lines whose value is
  /// never that after a reset come first, third and last, so that a patrol does not pass two others in a row.
  func line(_ index: Int) -> RegisterValue? {
    let map = LIS3MDLMap()
    switch index {
    case 0: return control1
    case 1: return RegisterValue(map.control2) { $0.fullScale(fullScale) }
    // Without block update the halves of a word may come from two samples.
    case 2: return RegisterValue(map.control5) { $0.blockUpdate(true) }
    case 3: return RegisterValue(map.control4) { $0.performance(performance) }
    case 4:
      // Low power has the rate 0.625 Hz, whatever the rate field says, and the fewest conversions (CTRL_REG3, bit 5).
      return RegisterValue(map.control3) {
        $0.lowPower(performance == .lowPower && rate == .hz0_625) | $0.mode(.continuous)
      }
    default: return nil
    }
  }

  var control1: RegisterValue {
    RegisterValue(LIS3MDLMap().control1) {
      $0.temperatureEnable(hasTemperature) | $0.performance(performance)
        | $0.rate(rate ?? .hz0_625) | $0.fastRate(rate == nil) | $0.selfTest(isStimulated)
    }
  }

  /// How many samples there are from one reading of the temperature to the next: a second's worth.
  var temperatureInterval: Int { max(1, Int(settings.rate)) }
}
