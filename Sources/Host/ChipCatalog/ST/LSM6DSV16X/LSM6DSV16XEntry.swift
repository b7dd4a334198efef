// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let lsm6dsv16x = CatalogEntry(
    description: ChipDescription(
      name: "st,lsm6dsv16x", title: "LSM6DSV16X (also LSM6DSV)", family: "LSM6DSV16X",
      summary: "accelerometer and gyroscope", wires: [.i2c, .spi], addresses: [0x6A, 0x6B],
      strap: "SDO/SA0", wireFormat: LSM6DSV16XChip.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { LSM6DSV16XChip.range(of: .acceleration, at: $0) },
          counts: values { LSM6DSV16XChip.count(of: .acceleration, at: $0) }),
        ChannelDescription(
          .rotationRate, ranges: values { LSM6DSV16XChip.range(of: .rotationRate, at: $0) },
          counts: values { LSM6DSV16XChip.count(of: .rotationRate, at: $0) }),
        ChannelDescription(
          .temperature, resolution: 1 / LSM6DSOPart.countsPerDegree,
          limits: LSM6DSV16XDecoder.limits(of: .temperature, of: .expected)),
      ],
      rates: values(LSM6DSV16XChip.rate(at:)),
      acquisitions: [.fifo, .dataReady, .polling, .detections],
      identity: IdentityDescription(
        register: LSM6DSV16XMap().whoAmI.address,
        parts: [
          0x70: "LSM6DSV16X, LSM6DSV or LSM6DSV32X", 0x71: "LSM6DSV16BX",
          0x73: "LSM6DSV320X or LSM6DSV80X", 0x75: "LSM6DSK320X",
          0x6B: "ISM330DHCX (or LSM6DSR, ASM330LHH)", 0x6C: "LSM6DSO, LSM6DSOX or LSM6DSO32",
          0x69: "LSM6DS3", 0x6A: "LSM6DS3TR-C", 0x68: "LSM9DS1",
        ],
        supported: [0x70]),
      detections: LSM6DSV16XChip.detections, hasSelfTest: true, interruptPins: 2,
      noise: [
        ChannelNoise(.acceleration, densities: [60e-6], source: source),
        ChannelNoise(.rotationRate, densities: [radians(fromDegrees: 0.0028)], source: source),
      ],
      // No second source was found for this part's scale errors and its changes with temperature.
      tolerances: [
        ChannelTolerance(
          .acceleration, offset: .typical(12e-3), scale: .typical(0.01), crossAxis: .limit(0.01),
          perKelvin: .typical(0.1e-3), source: errors),
        ChannelTolerance(
          .rotationRate, offset: .typical(radians(fromDegrees: 1)), scale: .typical(0.01),
          crossAxis: .limit(0.01), perKelvin: .typical(radians(fromDegrees: 0.01)), source: errors),
      ],
      delays: { LSM6DSV16XChip.delays(of: $0) }),
    driver: { DriverBox(LSM6DSV16X($0)) },
    model: { LSM6DSV16XModel($0, clockError: $1) },
    registers: { RegisterRow.rows(of: LSM6DSV16XMap()) })

  private static var source: String { "DS13510 rev. 4, table 3" }
  private static var errors: String { source + ", for offsets; DS12140 rev. 2 of the LSM6DSO" }
}
