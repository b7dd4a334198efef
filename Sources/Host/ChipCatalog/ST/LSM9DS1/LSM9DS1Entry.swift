// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  /// The entry of the accelerometer and gyroscope, under Linux's name. The other chip in the
  /// package is `lsm9ds1Magnetometer`.
  static let lsm9ds1 = CatalogEntry(
    description: ChipDescription(
      name: "st,lsm9ds1-imu", title: "LSM9DS1 (also LSM6DS0)", family: "LSM9DS1",
      summary: "accelerometer and gyroscope", wires: [.i2c, .spi], addresses: [0x6B, 0x6A],
      strap: "SDO_A/G", wireFormat: LSM9DS1Chip.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { LSM9DS1Chip.range(of: .acceleration, at: $0) },
          counts: values { LSM9DS1Chip.count(of: .acceleration, at: $0) },
          // The size of an accelerometer count is 61 micro-g at the smallest range.
          resolution: 0.000061),
        ChannelDescription(
          .rotationRate, ranges: values { LSM9DS1Chip.range(of: .rotationRate, at: $0) },
          counts: values { LSM9DS1Chip.count(of: .rotationRate, at: $0) }),
        ChannelDescription(
          .temperature, resolution: 1 / LSM9DS1Chip.countsPerDegree,
          limits: LSM9DS1Decoder.limits(of: .temperature, of: .expected)),
      ],
      rates: values(LSM9DS1Chip.rate(at:)), acquisitions: [.fifo, .dataReady, .polling],
      identity: IdentityDescription(
        register: LSM9DS1Map().whoAmI.address,
        parts: [
          0x68: "LSM9DS1 (or LSM6DS0)", 0x69: "LSM6DS3", 0x6A: "LSM6DS3TR-C", 0x6B: "ISM330DHCX",
          0x6C: "LSM6DSO, LSM6DSOX or LSM6DSO32",
        ],
        supported: [0x68]),
      hasSelfTest: true, interruptPins: 2,
      noise: [
        ChannelNoise(.acceleration, densities: [90e-6, 90e-6, 110e-6, 180e-6], source: noise),
        ChannelNoise(.rotationRate, densities: [radians(fromDegrees: 0.007)], source: noise),
      ],
      tolerances: [
        ChannelTolerance(
          .acceleration, offset: .typical(90e-3), scale: .typical(0.015), crossAxis: .limit(0.01),
          source: "DocID025715 rev. 3, table 3"),
        ChannelTolerance(
          .rotationRate, offset: .typical(radians(fromDegrees: 30)), scale: .typical(0.02),
          crossAxis: .limit(0.01), source: "DocID025715 rev. 3, table 3"),
      ],
      delays: { LSM9DS1Chip.delays(of: $0) }),
    driver: { DriverBox(LSM9DS1($0)) },
    model: { LSM9DS1Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: LSM9DS1Map()) })

  private static let noise = "the LSM6DS3's: DocID025715 rev. 3 gives none"
}
