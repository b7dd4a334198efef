// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-gy521.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let gy521 = ShippedBoard(
    "raspberry-pi-gy521.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # A GY-521 module on the header of a Raspberry Pi.
    # Enable I2C first: sudo raspi-config nonint do_i2c 0
    # Where each wire goes stands under 'wiring' below; as a picture: otolith boards wiring FILE
    otolith-board: 1
    name: GY-521 on a Raspberry Pi
    description: An MPU-6050 module on the I2C pins of the header

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      imu:
        chip: invensense,mpu6050
        on: i2c1
        address: 0x68 # AD0 open or low; 0x69 where it is high
        # With INT on pin 7, take away the '#' and change 'fifo' to 'data-ready':
        # interrupt: { line: GPIO4 }
        read-by: fifo
        batch-interval-ms: 10
        rate-hz: 200
        acceleration-range-g: 4
        rotation-rate-range-dps: 500
        # The chip axes that point along your device's x, y and z: as it is, the arrows printed on it.
        mounting: [x, y, z]

    wiring:
      modules:
        gy521:
          title: GY-521
          chips: [imu]
          # 1: 3.3 V, 6: ground, 5: GPIO3, 3: GPIO2, 7: GPIO4
          pins: { VCC: 1, GND: 6, SCL: 5, SDA: 3, XDA: open, XCL: open, AD0: open, INT: 7 }
          optional: [INT]
          takes-5v: true # it has a regulator, and the pull-ups of its I2C lines are behind it
          remarks:
            XDA: the chip's own bus, for a compass behind it
            AD0: "open: address 0x68; to 3.3 V: 0x69"
            INT: for the most exact times

    """#)
}
