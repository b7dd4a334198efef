// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let icm45686 = CatalogEntry(
    description: ChipDescription(
      name: "invensense,icm45686", title: "ICM-45686", family: "ICM-45686",
      summary: "accelerometer and gyroscope", wires: [.i2c, .spi], addresses: [0x68, 0x69],
      strap: "AP_AD0", wireFormat: ICM45686Chip.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { ICM45686Chip.range(of: .acceleration, at: $0) },
          counts: values { ICM45686Chip.count(of: .acceleration, at: $0) },
          lowestCode: -32767),
        ChannelDescription(
          .rotationRate, ranges: values { ICM45686Chip.range(of: .rotationRate, at: $0) },
          counts: values { ICM45686Chip.count(of: .rotationRate, at: $0) },
          lowestCode: -32767),
        // The resolution of the eight temperature bits in the FIFO; the resolution of the registers
        // is 0.0078 degrees Celsius.
        ChannelDescription(
          .temperature, resolution: 0.5,
          limits: ICM45686Decoder.limits(of: .temperature, of: .expected)),
      ],
      rates: values(ICM45686Chip.rate(at:)), acquisitions: [.fifo, .dataReady, .polling],
      // Linux's inv_icm45600 driver lists all of these identities except for the parts with an S,
      // which Zephyr's icm45686 driver lists (pull request 115873).
      identity: IdentityDescription(
        register: ICM45686Map().whoAmI.address,
        parts: [
          0xE9: "ICM-45686", 0xE5: "ICM-45605", 0xE7: "ICM-45688-P", 0xEB: "ICM-45605-S",
          0xEE: "ICM-45686-S", 0x81: "ICM-45608", 0x82: "ICM-45634", 0x83: "ICM-45689",
          0x84: "ICM-45606", 0x85: "ICM-45687",
        ], supported: [0xE9]),
      interruptPins: 2,
      noise: [
        ChannelNoise(
          .acceleration, densities: [70e-6, 70e-6, 70e-6, 80e-6, 110e-6],
          source: "DS-000489 rev. 1.1, table 2"),
        ChannelNoise(
          .rotationRate, densities: [radians(fromDegrees: 0.0038)],
          source: "DS-000489 rev. 1.1, table 1"),
      ],
      tolerances: [
        ChannelTolerance(
          .acceleration, offset: .typical(0.02), scale: .typical(0.002),
          crossAxis: .typical(0.002), perKelvin: .typical(0.15e-3),
          source: "DS-000489 rev. 1.1, table 2"),
        ChannelTolerance(
          .rotationRate, offset: .typical(radians(fromDegrees: 0.4)), scale: .typical(0.008),
          crossAxis: .typical(0.002), perKelvin: .typical(radians(fromDegrees: 0.005)),
          source: "DS-000489 rev. 1.1, table 1"),
      ],
      delays: { ICM45686Chip.delays(of: $0) }),
    driver: { DriverBox(ICM45686(IndirectBus($0, ICM45686Map.indirect))) },
    model: { ICM45686Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: ICM45686Map()) })
}
