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
      // ST gives no delay. This delay is for 100 Hz. It consists of half a period for the filter,
      // whose bandwidth is a quarter of the rate, and of the delay of the offset cancellation,
      // which averages two samples.
      delays: { _ in StreamDelays(magneticField: 0.01) }),
    driver: { DriverBox(LIS2MDL($0)) },
    model: { LIS2MDLModel($0, clockError: $1) },
    registers: { RegisterRow.rows(of: LIS2MDLMap()) })
}
