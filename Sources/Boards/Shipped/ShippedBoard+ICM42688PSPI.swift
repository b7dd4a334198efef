// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/raspberry-pi-icm42688p-spi.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  static let icm42688pSPI = ShippedBoard(
    "raspberry-pi-icm42688p-spi.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # An ICM-42688-P breakout on the SPI pins of a Raspberry Pi. Enable SPI first: sudo raspi-config nonint do_spi 0
    # Breakouts differ in the names that they print: those of other makers stand under 'remarks'.
    otolith-board: 1
    name: ICM-42688-P on SPI of a Raspberry Pi
    description: An ICM-42688-P breakout on chip select 0 of the header's SPI, with its interrupt

    buses:
      spi0: { spi: /dev/spidev0.0, speed-hz: 8000000, mode: 3 }

    chips:
      imu:
        chip: invensense,icm42688p
        on: spi0
        interrupt: { line: GPIO25 }
        read-by: fifo
        batch-interval-ms: 10
        rate-hz: 1000
        # At the widest ranges the queue has 20 bits an axis.
        acceleration-range-g: 16
        rotation-rate-range-dps: 2000
        # The chip axes that point along your device's x, y and z: as it is, the arrows printed on it.
        mounting: [x, y, z]

    wiring:
      modules:
        icm42688p:
          title: ICM-42688-P breakout
          chips: [imu]
          pins: { VCC: 1, GND: 6, SCK: 23, SDI: 19, CS: 24, SDO: 21, INT1: 22, INT2: open }
          remarks:
            VCC: never 5 V, but where the breakout has a regulator
            SCK: SCL on some
            SDI: SDA or MOSI on some
            SDO: AD0 or MISO on some
            INT1: tells when the queue is worth reading

    """#)
}
