// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-bmp280.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let bmp280 = ShippedBoard(
    "raspberry-pi-bmp280.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # A BMP280 module on the header of a Raspberry Pi: air pressure and temperature; with a BME280 in its place,
    # which is found out by itself, humidity as well. Enable I2C first: sudo raspi-config nonint do_i2c 0
    otolith-board: 1
    name: BMP280 on a Raspberry Pi
    description: A BMP280 module on the I2C pins of the header

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      barometer:
        chip: bosch,bmp280
        on: i2c1
        address: 0x76 # SDO low; 0x77 where it is high
        rate-hz: 25

    wiring:
      modules:
        bmp280:
          title: BMP280 module
          chips: [barometer]
          # GY-BMP280 and the like. They have no regulator: 5 V destroy the chip.
          pins: { VCC: 1, GND: 6, SCL: 5, SDA: 3, CSB: 17, SDO: 9 }
          remarks:
            VCC: never 5 V
            CSB: high selects I2C; most modules have a resistor for it, and it may stay open
            SDO: address 0x76; 0x77 where it goes to 3.3 V

    """#)
}
