// SPDX-License-Identifier: Apache-2.0

extension ShippedBoard {
  /// Generated from `boards/simulated.yaml`:
  /// OTOLITH_RECORD=1 swift test --filter GeneratedTests
  public static let simulated = ShippedBoard(
    "simulated.yaml",
    #"""
    # SPDX-License-Identifier: Apache-2.0
    # yaml-language-server: $schema=board.schema.json
    #
    # No hardware needed: models of the chips answer on a simulated bus, register by register, and
    # the very drivers of real boards read them. A copy of this file is built into the library.
    otolith-board: 1
    name: Simulated board
    description: An MPU-6050 and a LIS3MDL on one I2C bus, swaying gently

    buses:
      i2c1: { simulated: i2c }

    chips:
      imu:
        chip: invensense,mpu6050
        on: i2c1
        address: 0x68 # AD0 low
        interrupt: simulated
        rate-hz: 100
        acceleration-range-g: 4
        rotation-rate-range-dps: 500
        read-by: fifo # or data-ready, or polling
      compass:
        chip: st,lis3mdl
        on: i2c1
        address: 0x1C # SA1 low
        interrupt: simulated
        rate-hz: 20
        magnetic-field-range-ut: 400

    simulation:
      motion: sway # or still, walk, or the path of a recording.csv
      seed: 1 # two runs of one seed are the same
      noise: true # as the data sheets state it
      clock-error-ppm: 0 # how much faster than nominal the chips run

    """#)
}
