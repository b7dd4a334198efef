// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-vcnl4040.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let vcnl4040 = ShippedBoard(
    "raspberry-pi-vcnl4040.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # An Adafruit 4161 on the header of a Raspberry Pi: ambient light and proximity by a VCNL4040.
    # Enable I2C first: sudo raspi-config nonint do_i2c 0
    otolith-board: 1
    name: VCNL4040 on a Raspberry Pi
    description: An Adafruit 4161 on the I2C pins of the header

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      light:
        chip: vishay,vcnl4040
        on: i2c1
        address: 0x60
        rate-hz: 10 # slower is finer: 1.25 Hz has steps of 0.0125 lx, and ends at 819 lx
        illuminance-range-lx: 6553.5

    wiring:
      modules:
        adafruit4161:
          title: Adafruit 4161
          chips: [light]
          # Or one STEMMA QT cable with the same four wires: red, black, yellow, blue.
          pins: { VIN: 1, 3Vo: open, GND: 6, SCL: 5, SDA: 3, INT: open }
          # No 'takes-5v': its level shifters lift SDA and SCL to what VIN has, and a Pi bears 3.3 V.
          remarks:
            VIN: "never 5 V: SDA and SCL would rise to it"
            3Vo: 3.3 V out, for others
            INT: tells of thresholds, which are not used

    """#)
}
