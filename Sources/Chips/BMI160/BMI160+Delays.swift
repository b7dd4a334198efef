// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

extension BMI160Chip {
  /// Returns the delays of the filters as the chip runs with `settings`: estimates from the widths
  /// of its filters (data sheet, sections 2.4.1 and 2.4.2), as Bosch publishes no delays.
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = BMI160Configuration(nearest: &settings, of: .bmi160, isSPI: false)
    if configuration.isUndersampled {
      // A mean of n samples at 1600 Hz is as old as half of the time that they take.
      let samples = configuration.filter.averagedSamples
      return StreamDelays(acceleration: (samples - 1) / 2 / 1600)
    }
    let divisor = configuration.filter.divisor
    let rate = configuration.rate
    return StreamDelays(
      rotationRate: configuration.hasGyro
        ? StreamDelays.lowPass(bandwidth: rate.gyroCutoff / divisor) : 0,
      acceleration: StreamDelays.lowPass(bandwidth: rate.accelCutoff / divisor))
  }
}
