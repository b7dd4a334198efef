// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-sense-hat-v2.yaml`: OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let senseHATV2 = ShippedBoard(
    "raspberry-pi-sense-hat-v2.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # Raspberry Pi's Sense HAT. NOT SUPPORTED YET: its accelerometer, gyroscope and magnetometer are an LSM9DS1,
    # which no driver here speaks to, and so are its barometer (LPS25H, 0x5C) and hygrometer (HTS221, 0x5F).
    # The file says what is where, for the day when they are.
    otolith-board: 1
    name: Sense HAT
    description: Raspberry Pi's Sense HAT, whose motion sensor is an LSM9DS1

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      imu:
        chip: st,lsm9ds1
        on: i2c1
        address: 0x6A # and 0x1C, where its magnetometer answers as a LIS3MDL does

    wiring:
      modules:
        sense-hat:
          title: Sense HAT
          chips: [imu]
          hat: true
          pins: { 3V3: 1, 5V: 2, SDA: 3, SCL: 5, GND: 6, ID_SD: 27, ID_SC: 28 }
          remarks:
            5V: for the lights
            ID_SD: a memory that says which HAT it is
            ID_SC: the same

    """#)
}
