// SPDX-License-Identifier: Apache-2.0

/// All chips that otolith supports. A new chip has a folder in `Chips`, in `ChipCatalog` and in
/// `Tests/ChipsTests`, and an entry in this list for each name in board files.
public enum ChipCatalog {
  // The order matters: if two entries share an identity, a scan reports the first.
  public static let entries: [CatalogEntry] = [
    .mpu6050,
    .mpu6000,
    .mpu6500,
    .mpu9250,
    .icm20948,
    .bmi160,
    .bmi270,
    .lsm6ds3,
    .lsm6ds3trc,
    .lsm6dso,
    .lsm6dsox,
    .lsm6dso32,
    .ism330dhcx,
    .lsm6dsv16x,
    .lsm9ds1,
    .icm42688p,
    .icm45686,
    .qmi8658,
    .lis3mdl,
    .lsm9ds1Magnetometer,
    .lis2mdl,
    .hmc5883l,
    .qmc5883l,
    .qmc5883p,
    .ak09916,
    .ak8963,
    .bmp280,
    .bme280,
    .lps25h,
    .lps22hb,
    .hts221,
    .vcnl4040,
    .bmp388,
    .bmp390,
    .bmp581,
  ]

  public static var descriptions: [ChipDescription] { entries.map(\.description) }

  /// Returns the entry with this name in board files; `nil` if there is no such entry.
  public static func entry(named name: String) -> CatalogEntry? {
    entries.first { $0.description.name == name }
  }
}
