// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let lps25h = barometer(
    .lps25h, name: "st,lps25h", title: "LPS25H (also LPS25HB)", family: "LPS25H",
    noise: ChannelNoise(
      .pressure, deviation: 1e-3, conditions: "at high resolution",
      source: "DocID023722 rev. 6, table 3")
  ) { RegisterRow.rows(of: LPS25HMap()) }

  static let lps22hb = barometer(
    .lps22hb, name: "st,lps22hb", title: "LPS22HB", family: "LPS22HB",
    noise: ChannelNoise(
      .pressure, deviation: 0.75e-3, conditions: "with the low-pass filter",
      source: "DocID027083 rev. 6, table 3")
  ) { RegisterRow.rows(of: LPS22HBMap()) }

  private static func barometer(
    _ part: LPS2xPart, name: String, title: String, family: String, noise: ChannelNoise,
    registers: @escaping @Sendable () -> [RegisterRow]
  ) -> CatalogEntry {
    CatalogEntry(
      description: ChipDescription(
        name: name, title: title, family: family, summary: "barometer and thermometer",
        wires: [.i2c, .spi], addresses: [0x5C, 0x5D], strap: "SDO/SA0",
        wireFormat: part.wireFormat,
        channels: [
          ChannelDescription(
            .pressure, resolution: 1 / LPS2xChip.countsPerKilopascal,
            limits: LPS2xDecoder.limits(of: .pressure, of: part)),
          ChannelDescription(
            .temperature, resolution: 1 / part.countsPerDegree,
            limits: LPS2xDecoder.limits(of: .temperature, of: part)),
        ],
        rates: values { LPS2xChip.rate(at: $0, of: part) }, acquisitions: [.dataReady, .polling],
        identity: IdentityDescription(
          register: LPS22HBMap().whoAmI.address,
          parts: [0xBD: "LPS25H (or LPS25HB)", 0xB1: "LPS22HB", 0xB3: "LPS22HH"],
          supported: [part.rawValue]),
        noise: [noise]),
      driver: { DriverBox(LPS2x($0, expecting: part)) },
      model: { LPS2xModel($0, part: part, clockError: $1) },
      registers: registers)
  }
}
