// SPDX-License-Identifier: Apache-2.0

/// The simulated boards that the bench serves.
enum Boards {
  /// One chip of every model.
  static let all = """
    otolith-board: 1
    name: Every chip
    buses:
      i2c: { simulated: i2c }
      spi0: { simulated: spi, select: 0 }
      spi1: { simulated: spi, select: 1 }
      spi2: { simulated: spi, select: 2 }
      spi3: { simulated: spi, select: 3 }
      spi4: { simulated: spi, select: 4 }
    chips:
      mpu6050: { chip: "invensense,mpu6050", on: i2c, address: 0x68 }
      bmi160: { chip: "bosch,bmi160", on: i2c, address: 0x69 }
      lsm6ds3tr-c: { chip: "st,lsm6ds3tr-c", on: i2c, address: 0x6A }
      lsm6ds3: { chip: "st,lsm6ds3", on: i2c, address: 0x6B }
      lis3mdl: { chip: "st,lis3mdl", on: i2c, address: 0x1C }
      bmp280: { chip: "bosch,bmp280", on: i2c, address: 0x76 }
      bme280: { chip: "bosch,bme280", on: i2c, address: 0x77 }
      mpu6500-spi: { chip: "invensense,mpu6500", on: spi0 }
      lsm6ds3-spi: { chip: "st,lsm6ds3", on: spi1 }
      bmi160-spi: { chip: "bosch,bmi160", on: spi2 }
      lis3mdl-spi: { chip: "st,lis3mdl", on: spi3 }
      bmp280-spi: { chip: "bosch,bmp280", on: spi4 }
      vcnl4040: { chip: "vishay,vcnl4040", on: i2c, address: 0x60 }
      lps25h: { chip: "st,lps25h", on: i2c, address: 0x5C }
      lps22hb: { chip: "st,lps22hb", on: i2c, address: 0x5D }
      hts221: { chip: "st,hts221", on: i2c, address: 0x5F }
      ak8963: { chip: "asahi-kasei,ak8963", on: i2c, address: 0x0D }
      ak09916: { chip: "asahi-kasei,ak09916", on: i2c, address: 0x0C }
      hmc5883l: { chip: "honeywell,hmc5883l", on: i2c, address: 0x1E }
    simulation: { motion: still, noise: false }

    """

  /// Relatives of those chips, with other identities at the same addresses.
  static let relatives = """
    otolith-board: 1
    name: Relatives
    buses:
      i2c: { simulated: i2c }
      spi0: { simulated: spi, select: 0 }
      spi1: { simulated: spi, select: 1 }
      spi2: { simulated: spi, select: 2 }
    chips:
      lsm6dso: { chip: "st,lsm6dso", on: i2c, address: 0x6A }
      lsm9ds1: { chip: "st,lsm9ds1-imu", on: i2c, address: 0x6B }
      magnetometer: { chip: "st,lsm9ds1-magn", on: i2c, address: 0x1E }
      lsm6dsox: { chip: "st,lsm6dsox", on: spi0 }
      ism330dhcx: { chip: "st,ism330dhcx", on: spi1 }
      bmp388-spi: { chip: "bosch,bmp388", on: spi2 }
      icm42688p: { chip: "invensense,icm42688p", on: i2c, address: 0x68 }
      bmp388: { chip: "bosch,bmp388", on: i2c, address: 0x76 }
      bmp390: { chip: "bosch,bmp390", on: i2c, address: 0x77 }
    simulation: { motion: still, noise: false }

    """

  /// Chips that were new in 2020 and later.
  static let newer = """
    otolith-board: 1
    name: Newer chips
    buses:
      i2c: { simulated: i2c }
      spi0: { simulated: spi, select: 0 }
      spi1: { simulated: spi, select: 1 }
      spi2: { simulated: spi, select: 2 }
    chips:
      icm45686: { chip: "invensense,icm45686", on: i2c, address: 0x68 }
      bmi270: { chip: "bosch,bmi270", on: i2c, address: 0x69 }
      lsm6dsv16x: { chip: "st,lsm6dsv16x", on: i2c, address: 0x6A }
      bmp581: { chip: "bosch,bmp581", on: i2c, address: 0x47 }
      icm45686-spi: { chip: "invensense,icm45686", on: spi0 }
      bmi270-spi: { chip: "bosch,bmi270", on: spi1 }
      lsm6dsv16x-spi: { chip: "st,lsm6dsv16x", on: spi2 }
    simulation: { motion: still, noise: false }

    """

  /// A compass whose only address is that of the HMC5883L and of the LSM9DS1's magnetometer.
  static let compass = """
    otolith-board: 1
    name: Compass
    buses: { i2c: { simulated: i2c } }
    chips:
      lis2mdl: { chip: "st,lis2mdl", on: i2c, address: 0x1E }
    simulation: { motion: still, noise: false }

    """
}
