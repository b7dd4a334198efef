// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-adafruit-4554.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let adafruit4554 = ShippedBoard(
    "raspberry-pi-adafruit-4554.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # Adafruit's 4554 on the header of a Raspberry Pi: accelerometer, gyroscope and, inside the same chip, a compass (AK09916).
    # Enable I2C first: sudo raspi-config nonint do_i2c 0
    otolith-board: 1
    name: Adafruit 4554 on a Raspberry Pi
    description: An ICM-20948 on the I2C pins of the header

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      imu:
        chip: invensense,icm20948
        on: i2c1
        address: 0x69 # 0x68 where its address jumper is closed, or SDO is low
        # With INT on pin 7, take away the '#' and change 'fifo' to 'data-ready':
        # interrupt: { line: GPIO4 }
        read-by: fifo
        batch-interval-ms: 10
        rate-hz: 225
        acceleration-range-g: 4
        rotation-rate-range-dps: 500
        # The chip reads its compass itself and turns it into its own axes: nothing else is to be wired or mounted.
        magnetometer: true
        # The chip axes that point along your device's x, y and z: as it is, the arrows printed on it.
        mounting: [x, y, z]

    wiring:
      modules:
        adafruit4554:
          title: Adafruit 4554
          chips: [imu]
          # Or one STEMMA QT cable with the same four wires: red, black, yellow, blue.
          pins: { VIN: 1, 1V8: open, GND: 6, SCL: 5, SDA: 3, SDO: open, CS: open, INT: 7 }
          optional: [INT]
          # No 'takes-5v': its level shifters lift SDA and SCL to what VIN has, and a Pi bears 3.3 V.
          remarks:
            VIN: "never 5 V: SDA and SCL would rise to it"
            1V8: what its regulator gives
            SDO: "open: address 0x69; to ground: 0x68"
            INT: for the most exact times

    """#)
}
