// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-gy87.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let gy87 = ShippedBoard(
    "raspberry-pi-gy87.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # A GY-87 module on the header of a Raspberry Pi: an MPU-6050 with a compass behind it. Its barometer, a BMP180,
    # is not supported yet. Enable I2C first: sudo raspi-config nonint do_i2c 0
    otolith-board: 1
    name: GY-87 on a Raspberry Pi
    description: An MPU-6050 and the HMC5883L behind it on the I2C pins of the header

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      imu:
        chip: invensense,mpu6050
        on: i2c1
        address: 0x68
        # With INTA on pin 7, take away the '#' and change 'fifo' to 'data-ready':
        # interrupt: { line: GPIO4 }
        read-by: fifo
        batch-interval-ms: 10
        rate-hz: 200
        acceleration-range-g: 4
        rotation-rate-range-dps: 500
        # The chip axes that point along your device's x, y and z: as it is, the arrows printed on it.
        mounting: [x, y, z]
      compass:
        # Many have a QMC5883L in its place: then 'chip: qst,qmc5883l' and 'address: 0x0D'. otolith detect tells.
        chip: honeywell,hmc5883l
        on: i2c1
        address: 0x1E
        behind: imu
        # With DRDY on pin 11 (of a QMC5883L 'edge: rising'):
        # interrupt: { line: GPIO17, edge: falling }
        read-by: polling
        rate-hz: 75
        magnetic-field-range-ut: 130
        # Compare the arrows printed beside the chips.
        mounting: [x, y, z]

    wiring:
      modules:
        gy87:
          title: GY-87
          chips: [imu, compass]
          pins: { VCC_IN: 1, 3.3V: open, GND: 6, SCL: 5, SDA: 3, FSYNC: open, INTA: 7, DRDY: 11 }
          optional: [INTA, DRDY]
          takes-5v: true # it has a regulator, and the pull-ups of its I2C lines are behind it
          remarks:
            3.3V: what its regulator gives
            INTA: the MPU-6050's, for the most exact times
            DRDY: the compass's, for the most exact times

    """#)
}
