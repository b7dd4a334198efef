// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-sense-hat-v2.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let senseHATV2 = ShippedBoard(
    "raspberry-pi-sense-hat-v2.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # Raspberry Pi's Sense HAT of 2022, version 2; that of 2015 has another barometer (raspberry-pi-sense-hat.yaml). None of
    # its interrupt pins is wired to the header, so all are read by their queues or by looking. Its sensor of light and
    # colours, a TCS3400, has no driver here.
    # Enable I2C first: sudo raspi-config nonint do_i2c 0
    otolith-board: 1
    name: Sense HAT V2
    description: Raspberry Pi's Sense HAT V2, an LSM9DS1, an LPS22HB and an HTS221

    buses:
      i2c1: { i2c: /dev/i2c-1 }

    chips:
      imu:
        chip: st,lsm9ds1-imu
        on: i2c1
        address: 0x6A
        read-by: fifo
        batch-interval-ms: 20
        rate-hz: 119
        acceleration-range-g: 4
        rotation-rate-range-dps: 500
        # Axes of the magnetometer, which the driver gives all three sensors.
        mounting: [x, y, z]
      compass:
        chip: st,lsm9ds1-magn
        on: i2c1
        address: 0x1C
        read-by: polling
        rate-hz: 80
        magnetic-field-range-ut: 400
        mounting: [x, y, z]
      barometer:
        chip: st,lps22hb
        on: i2c1
        address: 0x5C
        rate-hz: 25
      hygrometer:
        chip: st,hts221
        on: i2c1
        address: 0x5F
        rate-hz: 1

    wiring:
      modules:
        sense-hat:
          title: Sense HAT
          chips: [imu, compass, barometer, hygrometer]
          hat: true
          pins: { 3V3: 1, 5V: 2, SDA: 3, SCL: 5, GND: 6, ID_SD: 27, ID_SC: 28 }
          remarks:
            5V: for the lights
            ID_SD: a memory that says which HAT it is
            ID_SC: the same

    """#)
}
