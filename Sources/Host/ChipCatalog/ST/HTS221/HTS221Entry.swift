// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let hts221 = CatalogEntry(
    description: ChipDescription(
      name: "st,hts221", title: "HTS221", family: "HTS221", summary: "hygrometer and thermometer",
      wires: [.i2c], addresses: [0x5F], strap: nil, wireFormat: HTS221Chip.wireFormat,
      channels: [
        // The resolutions are typical sensitivities (table 3): 256 counts per percent, 64 counts
        // per degree Celsius.
        ChannelDescription(
          .humidity, resolution: 1.0 / 256,
          limits: HTS221Decoder.limits(of: .humidity, of: .expected)),
        ChannelDescription(
          .temperature, resolution: 1.0 / 64,
          limits: HTS221Decoder.limits(of: .temperature, of: .expected)),
      ],
      rates: values(HTS221Chip.rate(at:)), acquisitions: [.dataReady, .polling],
      identity: IdentityDescription(
        register: HTS221Map().whoAmI.address, parts: [0xBC: "HTS221"], supported: [0xBC]),
      noise: [
        ChannelNoise(
          .humidity, deviation: 0.15, conditions: "of 32 conversions",
          source: "DocID026333 rev. 4, table 16")
      ]),
    driver: { DriverBox(HTS221($0)) },
    model: { HTS221Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: HTS221Map()) })
}
