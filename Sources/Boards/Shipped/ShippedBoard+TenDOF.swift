// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-10dof.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let tenDOF = ShippedBoard(
    "raspberry-pi-10dof.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # Three modules side by side, as a GY-85 or GY-87 has them on one: accelerometer and gyroscope (MPU-6050),
    # compass (LIS3MDL) and barometer (BMP280), on the header of a Raspberry Pi. The GY-85 itself has an ADXL345 and
    # an ITG-3205, which are not supported yet; the GY-87 has a file of its own.
    # Enable I2C first: sudo raspi-config nonint do_i2c 0
    otolith-board: 1
    name: 10-DOF modules on a Raspberry Pi
    description: An MPU-6050, a LIS3MDL and a BMP280 on the I2C pins of the header

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      imu:
        chip: invensense,mpu6050
        on: i2c1
        address: 0x68 # AD0 low; 0x69 where it is high
        # With INT on pin 7, take away the '#' and change 'fifo' to 'data-ready':
        # interrupt: { line: GPIO4 }
        read-by: fifo
        batch-interval-ms: 10
        rate-hz: 200
        acceleration-range-g: 4
        rotation-rate-range-dps: 500
        mounting: [x, y, z]
      compass:
        chip: st,lis3mdl
        on: i2c1
        address: 0x1C # SA1 low; 0x1E where it is high
        # With DRDY on pin 11:
        # interrupt: { line: GPIO17 }
        read-by: polling
        rate-hz: 80
        magnetic-field-range-ut: 400
        # Modules often turn the compass against the rest: compare the arrows printed beside the chips.
        mounting: [x, y, z]
      barometer:
        chip: bosch,bmp280 # a BME280 in its place is found out by itself
        on: i2c1
        address: 0x76 # SDO low; 0x77 where it is high
        rate-hz: 25

    wiring:
      modules:
        gy521:
          title: GY-521
          chips: [imu]
          pins: { VCC: 1, GND: 6, SCL: 5, SDA: 3, XDA: open, XCL: open, AD0: open, INT: 7 }
          optional: [INT]
          takes-5v: true
          remarks:
            AD0: "open: address 0x68; to 3.3 V: 0x69"
            INT: for the most exact times
        lis3mdl:
          title: LIS3MDL module
          chips: [compass]
          pins: { VIN: 17, GND: 9, SCL: 5, SDA: 3, SA1: 9, DRDY: 11 }
          optional: [DRDY]
          remarks:
            SA1: address 0x1C; 0x1E where it goes to 3.3 V
            DRDY: for the most exact times
        bmp280:
          title: BMP280 module
          chips: [barometer]
          pins: { VCC: 17, GND: 25, SCL: 5, SDA: 3, CSB: 17, SDO: 25 }
          remarks:
            CSB: high selects I2C
            SDO: address 0x76; 0x77 where it goes to 3.3 V

    """#)
}
