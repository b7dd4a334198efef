// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A kernel driver whose values are not in the unit or the axes of the kernel's ABI. Each row was
/// found by comparison with the part's data sheet on the virtual bench (Linux 6.12).
struct KernelQuirk {
  /// The names that the driver gives its devices.
  let names: [String]
  let channels: [Channel]
  /// The largest scale, in the kernel's unit, to which the row applies, so that a mended kernel is
  /// left alone.
  let scales: Double
  /// The factors of x, y and z.
  let factors: [Double]
  /// The number of bits of a count, if the driver claims more; otherwise `nil`.
  var bits: Int?

  static let all = [
    // Hundredths of a gauss: 1370 to 230 counts a gauss (Honeywell 900405 rev. E, table 9).
    KernelQuirk(
      names: ["hmc5843", "hmc5883", "hmc5883l", "hmc5983"], channels: [.magneticField],
      scales: 1e-4, factors: [100, 100, 100], bits: 12),
    // Half: the part has no sensitivity adjustment, which the driver reads as 0. A count is 0.15
    // microtesla (AK09916 sheet 015007392-E, section 9.3).
    KernelQuirk(
      names: ["ak09916"], channels: [.magneticField], scales: 1e-3, factors: [2, 2, 2]),
    // Left-handed axes (LSM9DS1 sheet DocID025715, figure 1).
    KernelQuirk(
      names: ["lsm9ds1-imu_accel", "lsm9ds1-imu_gyro"], channels: [.acceleration, .rotationRate],
      scales: .infinity, factors: [-1, 1, 1]),
  ]

  /// Returns the factor for a value of the device called `name`, whose scale is `scale` in the
  /// kernel's unit; usually 1.
  static func factor(_ name: String?, _ channel: Channel, axis: Int, scale: Double) -> Double {
    guard let name, axis < 3 else { return 1 }
    let row = all.first {
      $0.names.contains(name) && $0.channels.contains(channel) && scale.magnitude <= $0.scales
    }
    return row?.factors[axis] ?? 1
  }

  /// Returns the number of bits of a count of the device called `name`; `nil` if it is that of the
  /// scan.
  static func bits(_ name: String?, _ channel: Channel) -> Int? {
    all.first { $0.names.contains(name ?? "") && $0.channels.contains(channel) }?.bits
  }
}
