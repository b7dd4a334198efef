// SPDX-License-Identifier: Apache-2.0

/// Chips that are known by name and identity and not driven: for honest words in place of "unknown".
///
/// To read an identity register, its number is written first. A device without registers takes that byte for data, so
/// only addresses are asked at which none of those is: never 0x20...0x27 and 0x38...0x3F, where port expanders (PCF8574)
/// would put the byte on their pins, and never 0x70...0x75, where multiplexers (TCA9548A) would switch their channels.
/// Identities are those of the makers' data sheets.
public enum KnownChips {
  public static let all: [KnownChip] = [
    KnownChip(
      "st,lsm9ds1", "LSM9DS1", "accelerometer, gyroscope and magnetometer",
      [
        KnownIdentity([0x6A, 0x6B], 0x0F, [0x68]),
        // The LIS3MDL's identity: `Detector` goes by the other half.
        KnownIdentity([0x1C, 0x1E], 0x0F, [0x3D]),
      ], instead: "an LSM6DS3TR-C with a LIS3MDL measures the same"),
    KnownChip(
      "st,lsm6dsox", "LSM6DSOX (also LSM6DSO)", "accelerometer and gyroscope",
      [KnownIdentity([0x6A, 0x6B], 0x0F, [0x6C])],
      instead: "an LSM6DS3TR-C has the same pins and addresses"),
    KnownChip(
      "st,lsm6dsv16x", "LSM6DSV16X (also LSM6DSV)", "accelerometer and gyroscope",
      [KnownIdentity([0x6A, 0x6B], 0x0F, [0x70])],
      instead: "an LSM6DS3TR-C has the same pins and addresses"),
    KnownChip(
      "st,l3gd20h", "L3GD20H (also L3GD20)", "gyroscope",
      [KnownIdentity([0x6A, 0x6B], 0x0F, [0xD4, 0xD7])], instead: oneOfOurs),
    KnownChip(
      "st,l3g4200d", "L3G4200D", "gyroscope", [KnownIdentity([0x68, 0x69], 0x0F, [0xD3])],
      instead: oneOfOurs),
    KnownChip(
      "st,lsm303d", "LSM303D", "accelerometer and magnetometer",
      [KnownIdentity([0x1D, 0x1E], 0x0F, [0x49])], instead: oneOfOurs),
    KnownChip(
      "st,lis3dh", "LIS3DH", "accelerometer", [KnownIdentity([0x18, 0x19], 0x0F, [0x33])],
      instead: oneOfOurs),
    KnownChip(
      "st,lis2mdl", "LIS2MDL", "magnetometer", [KnownIdentity([0x1E], 0x4F, [0x40])],
      instead: aCompass),
    KnownChip(
      "st,lps25h", "LPS25H (also LPS25HB)", "barometer",
      [KnownIdentity([0x5C, 0x5D], 0x0F, [0xBD])], instead: aBarometer),
    KnownChip(
      "st,hts221", "HTS221", "hygrometer and thermometer", [KnownIdentity([0x5F], 0x0F, [0xBC])],
      instead: "a BME280 measures humidity"),
    KnownChip(
      "adi,adxl345", "ADXL345", "accelerometer", [KnownIdentity([0x53, 0x1D], 0x00, [0xE5])],
      instead: oneOfOurs),
    KnownChip(
      "invensense,itg3205", "ITG-3205 (also ITG-3200)", "gyroscope",
      // Its identity is its address.
      [KnownIdentity([0x68, 0x69], 0x00, [0x68, 0x69])], instead: oneOfOurs),
    KnownChip(
      "invensense,icm20948", "ICM-20948", "accelerometer, gyroscope and magnetometer",
      [KnownIdentity([0x68, 0x69], 0x00, [0xEA])],
      instead: "an MPU-6050 or an MPU-9250 has the same addresses"),
    KnownChip(
      "invensense,icm42688", "ICM-42688-P", "accelerometer and gyroscope",
      [KnownIdentity([0x68, 0x69], 0x75, [0x47])],
      instead: "an MPU-6050 or an MPU-6500 has the same addresses"),
    KnownChip(
      "bosch,bmi270", "BMI270", "accelerometer and gyroscope",
      [KnownIdentity([0x68, 0x69], 0x00, [0x24])],
      instead: "a BMI160 has the same pins and addresses"),
    KnownChip(
      "bosch,bno055", "BNO055", "accelerometer, gyroscope, magnetometer and a processor",
      [KnownIdentity([0x28, 0x29], 0x00, [0xA0])],
      instead: "otolith does the fusion itself: " + oneOfOurs),
    KnownChip(
      "honeywell,hmc5883l", "HMC5883L (also the magnetometer of an LSM303DLHC)", "magnetometer",
      [KnownIdentity([0x1E], 0x0A, [0x48])], instead: aCompass),
    KnownChip(
      "qst,qmc5883l", "QMC5883L", "magnetometer", [KnownIdentity([0x0D], nil, [])],
      instead: aCompass),
    KnownChip(
      "qst,qmc5883p", "QMC5883P", "magnetometer", [KnownIdentity([0x2C], 0x00, [0x80])],
      instead: aCompass),
    KnownChip(
      "asahi-kasei,ak8963", "AK8963 (inside an MPU-9250)", "magnetometer",
      [KnownIdentity([0x0C], 0x00, [0x48])], instead: aCompass),
    KnownChip(
      "bosch,bmp180", "BMP180", "barometer", [KnownIdentity([0x77], 0xD0, [0x55])],
      instead: aBarometer),
    KnownChip(
      "bosch,bme680", "BME680", "barometer, hygrometer and gas sensor",
      [KnownIdentity([0x76, 0x77], 0xD0, [0x61])], instead: aBarometer),
    KnownChip(
      "bosch,bmp388", "BMP388 (also BMP390)", "barometer",
      [KnownIdentity([0x76, 0x77], 0x00, [0x50, 0x60])], instead: aBarometer),
  ]

  private static let oneOfOurs = "an MPU-6050, a BMI160 or an LSM6DS3 does the same"
  private static let aCompass = "a LIS3MDL does the same"
  private static let aBarometer = "a BMP280 or a BME280 does the same"

  /// The chip of that name in board files; the kernel's names of its parts (`st,lsm9ds1-imu`) are its own.
  public static func chip(named name: String) -> KnownChip? {
    all.first { $0.name == name || name.hasPrefix($0.name + "-") }
  }

  /// The identities that a device at `address` may have.
  public static func identities(at address: UInt8) -> [(chip: KnownChip, identity: KnownIdentity)] {
    all.flatMap { chip in
      chip.identities.filter { $0.addresses.contains(address) }.map { (chip, $0) }
    }
  }

  /// The chip whose `register` holds `value` at `address`.
  public static func chip(at address: UInt8, register: UInt8, value: UInt8) -> KnownChip? {
    identities(at: address).first {
      $0.identity.register == register && $0.identity.values.contains(value)
    }?.chip
  }
}
