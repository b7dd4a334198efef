// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-gy271.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let gy271 = ShippedBoard(
    "raspberry-pi-gy271.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # A GY-271 compass on the header of a Raspberry Pi. Enable I2C first: sudo raspi-config nonint do_i2c 0
    otolith-board: 1
    name: GY-271 on a Raspberry Pi
    description: A QMC5883L module on the I2C pins of the header

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      compass:
        # A GY-273, and old GY-271, have an HMC5883L: 'chip: honeywell,hmc5883l' and 'address: 0x1E'. otolith detect tells.
        chip: qst,qmc5883l
        on: i2c1
        address: 0x0D
        # With DRDY on pin 11, take away the '#' and change 'polling' to 'data-ready' (of an HMC5883L 'edge: falling'):
        # interrupt: { line: GPIO17 }
        read-by: polling
        rate-hz: 100
        magnetic-field-range-ut: 200
        # The chip axes that point along your device's x, y and z: as it is, the arrows printed on it.
        mounting: [x, y, z]

    wiring:
      modules:
        gy271:
          title: GY-271
          chips: [compass]
          pins: { VCC: 1, GND: 6, SCL: 5, SDA: 3, DRDY: 11 }
          optional: [DRDY]
          takes-5v: true # it has a regulator, and the pull-ups of its I2C lines are behind it
          remarks:
            DRDY: for the most exact times

    """#)
}
