// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/simulated-all.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let simulatedAll = ShippedBoard(
    "simulated-all.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # A chip of every model, for drivers of your own: docs/simulation.md tells how to reach them.
    #
    #   otolith simulate --board boards/simulated-all.yaml --listen /tmp/otolith.sock
    #
    # `otolith run` works on it too; of chips that sample the same it uses the first.
    otolith-board: 1
    name: Simulated board with every chip
    description: Ten chips on one I2C bus, five on chip selects of SPI

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
      lis3mdl: { chip: "st,lis3mdl", on: i2c, address: 0x1C, rate-hz: 80 }
      bmp280: { chip: "bosch,bmp280", on: i2c, address: 0x76, rate-hz: 25 }
      bme280: { chip: "bosch,bme280", on: i2c, address: 0x77, rate-hz: 25 }
      mpu6500-spi: { chip: "invensense,mpu6500", on: spi0 }
      lsm6ds3-spi: { chip: "st,lsm6ds3", on: spi1 }
      bmi160-spi: { chip: "bosch,bmi160", on: spi2 }
      lis3mdl-spi: { chip: "st,lis3mdl", on: spi3, rate-hz: 80 }
      bmp280-spi: { chip: "bosch,bmp280", on: spi4, rate-hz: 25 }
      vcnl4040: { chip: "vishay,vcnl4040", on: i2c, address: 0x60, rate-hz: 10 }
      hmc5883l: { chip: "honeywell,hmc5883l", on: i2c, address: 0x1E, rate-hz: 75 }
      qmc5883l: { chip: "qst,qmc5883l", on: i2c, address: 0x0D, rate-hz: 100 }

    simulation:
      motion: sway # or still, walk, or the path of a recording.csv; --hold freezes it
      seed: 1

    """#)
}
