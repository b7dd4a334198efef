// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let icm42688p = CatalogEntry(
    description: ChipDescription(
      name: "invensense,icm42688p", title: "ICM-42688-P", family: "ICM-42688-P",
      summary: "accelerometer and gyroscope", wires: [.i2c, .spi], addresses: [0x68, 0x69],
      strap: "AP_AD0", wireFormat: ICM42688PChip.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { ICM42688PChip.range(of: .acceleration, at: $0) },
          counts: values { ICM42688PChip.count(of: .acceleration, at: $0) },
          lowestCode: -32766),
        ChannelDescription(
          .rotationRate, ranges: values { ICM42688PChip.range(of: .rotationRate, at: $0) },
          counts: values { ICM42688PChip.count(of: .rotationRate, at: $0) },
          lowestCode: -32766),
        // The resolution of the eight temperature bits in the FIFO; the resolution of the registers
        // is 0.0075 degrees Celsius.
        ChannelDescription(
          .temperature, resolution: 1 / 2.07,
          limits: ICM42688PDecoder.limits(of: .temperature, of: .expected)),
      ],
      rates: values(ICM42688PChip.rate(at:)), acquisitions: [.fifo, .dataReady, .polling],
      identity: IdentityDescription(
        register: ICM42688PMap().whoAmI.address, parts: [0x47: "ICM-42688-P"], supported: [0x47]),
      hasSelfTest: true, interruptPins: 2,
      noise: [
        ChannelNoise(
          .acceleration, densities: [70e-6], source: "DS-000347 rev. 1.7, table 2"),
        ChannelNoise(
          .rotationRate, densities: [radians(fromDegrees: 0.0028)],
          source: "DS-000347 rev. 1.7, table 1"),
      ],
      tolerances: [
        ChannelTolerance(
          .acceleration, offset: .typical(0.02), scale: .typical(0.005),
          crossAxis: .typical(0.01), perKelvin: .typical(0.15e-3),
          source: "DS-000347 rev. 1.7, table 2"),
        ChannelTolerance(
          .rotationRate, offset: .typical(radians(fromDegrees: 0.5)), scale: .typical(0.005),
          crossAxis: .typical(0.0125), perKelvin: .typical(radians(fromDegrees: 0.005)),
          source: "DS-000347 rev. 1.7, table 1"),
      ],
      delays: { ICM42688PChip.delays(of: $0) }),
    driver: { DriverBox(ICM42688P(BankedBus($0, ICM42688PMap.window))) },
    model: { ICM42688PModel($0, clockError: $1) },
    registers: { RegisterRow.rows(of: ICM42688PMap()) })
}
