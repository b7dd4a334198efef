// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let icm20948 = CatalogEntry(
    description: ChipDescription(
      name: "invensense,icm20948", title: "ICM-20948", family: "ICM-20948",
      summary: "accelerometer and gyroscope", wires: [.i2c, .spi], addresses: [0x68, 0x69],
      strap: "AD0", wireFormat: ICM20948Chip.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { ICM20948Chip.range(of: .acceleration, at: $0) },
          counts: values { ICM20948Chip.count(of: .acceleration, at: $0) }),
        ChannelDescription(
          .rotationRate, ranges: values { ICM20948Chip.range(of: .rotationRate, at: $0) },
          counts: values { ICM20948Chip.count(of: .rotationRate, at: $0) }),
        ChannelDescription(
          .temperature, resolution: 1 / 333.87,
          limits: ICM20948Decoder.limits(of: .temperature, of: .expected)),
      ],
      rates: values(ICM20948Chip.rate(at:)), acquisitions: [.fifo, .dataReady, .polling],
      identity: IdentityDescription(
        register: ICM20948Map().whoAmI.address,
        parts: [0xEA: "ICM-20948", 0xE0: "ICM-20648", 0xE1: "ICM-20649"], supported: [0xEA]),
      hasSelfTest: true, hasAuxiliaryBus: true, magnetometer: .ak09916,
      noise: [
        ChannelNoise(.acceleration, densities: [230e-6], source: "DS-000189 rev. 1.3, table 2"),
        ChannelNoise(
          .rotationRate, densities: [radians(fromDegrees: 0.015)],
          source: "DS-000189 rev. 1.3, table 1"),
      ],
      tolerances: [
        ChannelTolerance(
          .acceleration, offset: .limit(50e-3), scale: .limit(0.005), crossAxis: .limit(0.02),
          perKelvin: .typical(0.8e-3), source: "DS-000189 rev. 1.3, table 2"),
        ChannelTolerance(
          .rotationRate, offset: .limit(radians(fromDegrees: 5)), scale: .limit(0.015),
          crossAxis: .limit(0.02), perKelvin: .typical(radians(fromDegrees: 0.05)),
          source: "DS-000189 rev. 1.3, table 1"),
      ],
      delays: { ICM20948Chip.delays(of: $0) }),
    driver: { DriverBox(NineAxis(ICM20948($0))) },
    model: { ICM20948Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: ICM20948Map()) })
}
