// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-bmi160-spi.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let bmi160SPI = ShippedBoard(
    "raspberry-pi-bmi160-spi.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # A BMI160 module on the SPI pins of a Raspberry Pi. Enable SPI first: sudo raspi-config nonint do_spi 0
    # Modules print the names of I2C; what they are on SPI stands under 'remarks'.
    otolith-board: 1
    name: BMI160 on SPI of a Raspberry Pi
    description: A BMI160 module on chip select 0 of the header's SPI

    buses:
      spi0: { spi: /dev/spidev0.0, speed-hz: 8000000, mode: 3 }

    chips:
      imu:
        chip: bosch,bmi160
        on: spi0
        # With INT1 on pin 22, take away the '#': the queue is then read when the chip says that it is worth it.
        # interrupt: { line: GPIO25 }
        read-by: fifo
        batch-interval-ms: 20
        rate-hz: 800
        acceleration-range-g: 8
        rotation-rate-range-dps: 1000
        # The chip axes that point along your device's x, y and z: as it is, the arrows printed on it.
        mounting: [x, y, z]

    wiring:
      modules:
        bmi160:
          title: BMI160 module
          chips: [imu]
          pins: { VIN: 1, GND: 6, SCL: 23, SDA: 19, CS: 24, SA0: 21, INT1: 22, INT2: open }
          optional: [INT1]
          remarks:
            SCL: SCK on SPI
            SDA: MOSI on SPI
            SA0: MISO on SPI; some modules print SAO
            CS: some modules tie it high by a resistor, which does no harm
            INT1: to read the queue when it is worth it

    """#)
}
