// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-adafruit-5543.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let adafruit5543 = ShippedBoard(
    "raspberry-pi-adafruit-5543.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # Adafruit's 5543 on the header of a Raspberry Pi: accelerometer and gyroscope (LSM6DS3TR-C, which says 0x6A)
    # and compass (LIS3MDL). Its predecessor, the 4485, has an LSM6DS33: say 'chip: st,lsm6ds3' there.
    # Enable I2C first: sudo raspi-config nonint do_i2c 0
    otolith-board: 1
    name: Adafruit 5543 on a Raspberry Pi
    description: An LSM6DS3TR-C and a LIS3MDL on the I2C pins of the header

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      imu:
        chip: st,lsm6ds3tr-c
        on: i2c1
        address: 0x6A # 0x6B where its address jumper is closed
        # With INT1 on pin 7, take away the '#' and change 'fifo' to 'data-ready':
        # interrupt: { line: GPIO4 }
        read-by: fifo
        batch-interval-ms: 10
        rate-hz: 208
        acceleration-range-g: 4
        rotation-rate-range-dps: 500
        # The chip axes that point along your device's x, y and z: as it is, the arrows printed on it.
        mounting: [x, y, z]
      compass:
        chip: st,lis3mdl
        on: i2c1
        address: 0x1C # 0x1E where its address jumper is closed
        read-by: polling
        rate-hz: 80
        magnetic-field-range-ut: 400
        mounting: [x, y, z]

    wiring:
      modules:
        adafruit5543:
          title: Adafruit 5543
          chips: [imu, compass]
          # Or one STEMMA QT cable with the same four wires: red, black, yellow, blue.
          pins: { VIN: 1, 3Vo: open, GND: 6, SCL: 5, SDA: 3, INT1: 7 }
          optional: [INT1]
          # No 'takes-5v': its level shifters lift SDA and SCL to what VIN has, and a Pi bears 3.3 V.
          remarks:
            VIN: "never 5 V: SDA and SCL would rise to it"
            3Vo: what its regulator gives
            INT1: the LSM6DS3TR-C's, for the most exact times

    """#)
}
