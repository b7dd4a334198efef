// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let ex1 = CatalogEntry(
    description: ChipDescription(
      name: "example,ex1", title: "EX1", family: "EX1", summary: "magnetometer", wires: [.i2c],
      addresses: [0x30], strap: nil, wireFormat: EX1Chip.wireFormat,
      channels: [
        ChannelDescription(
          .magneticField, ranges: [EX1Chip.range], resolution: 1 / EX1Chip.countsPerMicrotesla)
      ],
      rates: values(EX1Chip.rate(at:)), acquisitions: [.polling],
      identity: IdentityDescription(
        register: EX1Map().whoAmI.address, parts: [0xE1: "EX1"], supported: [0xE1]),
      interruptPins: 0,
      noise: [ChannelNoise(.magneticField, deviation: 0.2, source: "EX1 data sheet, table 1")],
      delays: { _ in StreamDelays(magneticField: 0.001) }),
    driver: { DriverBox(EX1($0)) },
    model: { EX1Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: EX1Map()) })
}
