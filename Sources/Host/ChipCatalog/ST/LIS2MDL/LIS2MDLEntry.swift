// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let lis2mdl = CatalogEntry(
    description: ChipDescription(
      name: "st,lis2mdl", title: "LIS2MDL", family: "LIS2MDL", summary: "magnetometer",
      wires: [.i2c], addresses: [0x1E], strap: nil, wireFormat: LIS2MDLChip.wireFormat,
      channels: [
        ChannelDescription(
          .magneticField, ranges: [LIS2MDLChip.range],
          resolution: 1 / LIS2MDLChip.countsPerMicrotesla)
      ],
      rates: values(LIS2MDLChip.rate(at:)), acquisitions: [.dataReady, .polling],
      identity: IdentityDescription(
        register: LIS2MDLMap().whoAmI.address, parts: [0x40: "LIS2MDL (also IIS2MDC)"],
        supported: [0x40]),
      hasSelfTest: true, interruptPins: 1,
      noise: [
        ChannelNoise(
          .magneticField, deviation: 0.3, conditions: "with filter and offset cancellation",
          source: "AN5069 rev. 3, table 9")
      ],
      // The delay is that of a filter with a quarter of the rate, half of a period, and of the
      // offset cancellation, which averages two samples; ST gives none. It is that at 100 Hz.
      delays: { _ in StreamDelays(magneticField: 0.01) }),
    driver: { DriverBox(LIS2MDL($0)) },
    model: { LIS2MDLModel($0, clockError: $1) },
    registers: { RegisterRow.rows(of: LIS2MDLMap()) })
}
