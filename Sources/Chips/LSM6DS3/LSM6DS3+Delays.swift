// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

extension LSM6DS3Chip {
  /// Returns the delays of the filters of `family` as it runs with `settings`: estimates from the
  /// widths of its filters, as ST publishes no delays for the accelerometer, and none of the
  /// gyroscope without its first low-pass.
  public static func delays(of settings: SensorSettings, family: LSM6DS3Family) -> StreamDelays {
    var granted = settings
    let configuration = LSM6DS3Configuration(nearest: &granted, of: family, isSPI: false)
    // Low power works without filters.
    let isLowPower = settings.power == .low
    let filters = configuration.filters
    let gyro = filters.gyroLowPass?.hertz(at: configuration.rate)
    return StreamDelays(
      rotationRate: configuration.isAccelAlone
        ? 0 : StreamDelays.lowPass(bandwidth: gyro ?? configuration.rate.hertz / 3),
      acceleration: isLowPower ? 0 : StreamDelays.lowPass(bandwidth: granted.bandwidth ?? 0))
  }
}
