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

  init(_ settings: SensorSettings) {
    self.settings = settings
    // The slowest rate that is not slower than asked; up to 80 Hz at the best performance.
    performance = .ultraHigh
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
    // There is no queue on this chip.
    if settings.acquisition == .fifo { self.settings.acquisition = .polling }
  }

  /// `nil` where a rate or range is not positive and finite, or beyond the chip.
  init?(checking settings: SensorSettings) {
    guard settings.acquisition != .detections, settings.rate > 0, settings.rate <= 1001,
      settings.magneticFieldRange > 0, settings.magneticFieldRange <= 1601
    else { return nil }
    self.init(settings)
  }

  /// Line `index` of the configuration; `nil` past the last. The last one starts conversions.
  func line(_ index: Int) -> RegisterValue? {
    let map = LIS3MDLMap()
    switch index {
    case 0:
      return RegisterValue(map.control1) {
        $0.performance(performance) | $0.rate(rate ?? .hz0_625) | $0.fastRate(rate == nil)
      }
    case 1: return RegisterValue(map.control2) { $0.fullScale(fullScale) }
    case 2: return RegisterValue(map.control4) { $0.performance(performance) }
    // Without block update the halves of a word may come from two samples.
    case 3: return RegisterValue(map.control5) { $0.blockUpdate(true) }
    case 4: return RegisterValue(map.control3) { $0.mode(.continuous) }
    default: return nil
    }
  }
}
