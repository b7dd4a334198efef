// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let bmp581 = CatalogEntry(
    description: ChipDescription(
      name: "bosch,bmp581", title: "BMP581", family: "BMP581", summary: "barometer and thermometer",
      wires: [.i2c, .spi], addresses: [0x46, 0x47], strap: "SDO", wireFormat: BMP581Chip.wireFormat,
      channels: [
        channel(.pressure, resolution: 1 / BMP581Chip.countsPerKilopascal),
        channel(.temperature, resolution: 1 / BMP581Chip.countsPerDegree),
      ],
      rates: values(BMP581Chip.rate(at:)), acquisitions: [.fifo, .dataReady, .polling],
      identity: IdentityDescription(
        register: BMP581Map().chipID.address,
        parts: [0x50: "BMP581 (also BMP580)", 0x51: "BMP585"], supported: [0x50]),
      noise: [
        ChannelNoise(
          .pressure, deviation: 0.41e-3, conditions: "with 4 conversions, as at 240 Hz",
          source: "BST-BMP581-DS004, table 9")
      ]),
    driver: { DriverBox(BMP581($0)) },
    model: { BMP581Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: BMP581Map()) })

  private static func channel(_ channel: Channel, resolution: Double) -> ChannelDescription {
    ChannelDescription(
      channel, resolution: resolution, limits: BMP581Decoder.limits(of: channel, of: .expected))
  }
}
