// SPDX-License-Identifier: Apache-2.0
public import Sensors

// Physical settings turned into what the chip has.
extension LIS3MDLConfiguration {
  /// Creates the codes nearest to `settings`, which become what the chip really has.
  public init(nearest settings: inout SensorSettings, of part: LIS3MDLPart, isSPI: Bool) {
    // The slowest rate that is not slower than asked. Up to 80 Hz any performance goes with any
    // rate: the best, or that with the fewest conversions a sample. Above, the performance is what
    // sets the rate.
    var performance: LIS3MDLMap.Performance = settings.power == .low ? .lowPower : .ultraHigh
    var rate: LIS3MDLMap.Rate? = .smallest(holding: settings.rate, orElse: .hz80) { $0.hertz }
    if settings.rate * 0.999 > 80 {
      rate = nil
      performance = .smallest(holding: settings.rate, orElse: .lowPower) { $0.fastHertz }
    }
    let fullScale = LIS3MDLMap.FullScale.smallest(
      holding: settings.magneticFieldRange, orElse: .gauss16
    ) { $0.microtesla }
    settings.magneticFieldRange = fullScale.microtesla
    // The data-ready pin has no settings: it is pin 1 and rises. Another kind of line carries no
    // edges of it.
    let pin = InterruptPin()
    if settings.interruptPin != pin { settings.acquisition = .polling }
    settings.interruptPin = pin
    // There is no queue on this chip, no bus behind it, and nothing that it detects.
    if settings.acquisition == .fifo { settings.acquisition = .polling }
    settings.passesThrough = false
    settings.detection.kinds = []
    self.init(
      rate: rate, performance: performance, fullScale: fullScale,
      acquisition: settings.acquisition, power: settings.power,
      assumedIdentity: settings.assumedIdentity)
    self.part = part
    settings.rate = hertz
    settings.bandwidth = hertz / 2
  }

  /// Creates the codes; `nil` where a rate or range is not positive and finite, or beyond the chip.
  public init?(checking settings: inout SensorSettings, of part: LIS3MDLPart, isSPI: Bool) {
    guard settings.acquisition != .detections, settings.rate > 0, settings.rate <= 1001,
      settings.magneticFieldRange > 0, settings.magneticFieldRange <= 1601
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }
}
