// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-minimu9-v5.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let minIMU9v5 = ShippedBoard(
    "raspberry-pi-minimu9-v5.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # Pololu's MinIMU-9 v5 on the header of a Raspberry Pi: accelerometer and gyroscope (LSM6DS33, which says
    # 0x69) and compass (LIS3MDL). Enable I2C first: sudo raspi-config nonint do_i2c 0
    #
    # The board brings out no interrupt pin.
    otolith-board: 1
    name: MinIMU-9 v5 on a Raspberry Pi
    description: An LSM6DS33 and a LIS3MDL on the I2C pins of the header

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      imu:
        chip: st,lsm6ds3
        on: i2c1
        address: 0x6B # SA0 open; 0x6A to ground
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
        address: 0x1E # SA0 open; 0x1C to ground
        read-by: polling
        rate-hz: 80
        magnetic-field-range-ut: 400
        mounting: [x, y, z]

    wiring:
      modules:
        minimu9:
          title: MinIMU-9 v5
          chips: [imu, compass]
          pins: { SCL: 5, SDA: 3, GND: 6, VIN: 1, VDD: open, SA0: open }
          # No 'takes-5v': its level shifters lift SDA and SCL to what VIN has, and a Pi bears 3.3 V.
          remarks:
            VIN: "never 5 V: SDA and SCL would rise to it"
            VDD: what its regulator gives
            SA0: "open: addresses 0x6B and 0x1E; to GND: 0x6A and 0x1C"

    """#)
}
