// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A quantity of the kernel's sensors that is one of otolith's channels, with the kernel's unit
/// (Linux, Documentation/ABI/testing/sysfs-bus-iio).
package struct KernelQuantity: Sendable {
  /// The beginning of the names of the quantity's files.
  package let file: String
  package let channel: Channel
  /// The factor from the kernel's unit to the channel's unit.
  package let factor: Double
  /// The kernel's unit.
  package let unit: String

  /// All quantities, each kind of sensor once.
  package static let all = [
    KernelQuantity("in_accel", .acceleration, 1 / 9.80665, "m/s^2"),
    KernelQuantity("in_anglvel", .rotationRate, 1, "rad/s"),
    // 1 gauss is 100 microtesla.
    KernelQuantity("in_magn", .magneticField, 100, "gauss"),
    KernelQuantity("in_pressure", .pressure, 1, "kPa"),
    KernelQuantity("in_temp", .temperature, 0.001, "millidegrees"),
    KernelQuantity("in_humidityrelative", .humidity, 0.001, "thousandths of a percent"),
    KernelQuantity("in_illuminance", .illuminance, 1, "lux"),
    KernelQuantity("in_proximity", .proximity, 1, "counts"),
  ]

  private init(_ file: String, _ channel: Channel, _ factor: Double, _ unit: String) {
    self.file = file
    self.channel = channel
    self.factor = factor
    self.unit = unit
  }

  /// The names of the quantity's values: with `_x`, `_y` and `_z` for a vector.
  package var names: [String] {
    channel.isVector ? ["x", "y", "z"].map { "\(file)_\($0)" } : [file]
  }
}
