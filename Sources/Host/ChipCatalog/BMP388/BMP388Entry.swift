// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let bmp388 = barometer(
    .bmp388, name: "bosch,bmp388", title: "BMP388", noise: 1.2e-3, source: "BST-BMP388-DS001, 1"
  ) { RegisterRow.rows(of: BMP388Map()) }

  static let bmp390 = barometer(
    .bmp390, name: "bosch,bmp390", title: "BMP390", noise: 0.9e-3, source: "BST-BMP390-DS002, 1"
  ) { RegisterRow.rows(of: BMP390Map()) }

  /// Makes the entry for one part. A conversion without averaging has steps of 2.64 Pa and 0.005
  /// degrees Celsius (BST-BMP388-DS001, 3.4.1 and 3.4.2). The driver accepts both parts; a scan
  /// distinguishes the parts.
  private static func barometer(
    _ part: BMP388Model.Part, name: String, title: String, noise: Double, source: String,
    registers: @escaping @Sendable () -> [RegisterRow]
  ) -> CatalogEntry {
    CatalogEntry(
      description: ChipDescription(
        name: name, title: title, family: "BMP388", summary: "barometer and thermometer",
        wires: [.i2c, .spi], addresses: [0x76, 0x77], strap: "SDO",
        wireFormat: BMP388Chip.wireFormat,
        channels: [
          channel(.pressure, resolution: 2.64e-3), channel(.temperature, resolution: 0.005),
        ],
        rates: values(BMP388Chip.rate(at:)), acquisitions: [.fifo, .dataReady, .polling],
        identity: IdentityDescription(
          register: BMP388Map().chipID.address, parts: [0x50: "BMP388", 0x60: "BMP390"],
          supported: [part.rawValue]),
        noise: [
          ChannelNoise(
            .pressure, deviation: noise, conditions: "in the full bandwidth", source: source)
        ]),
      driver: { DriverBox(BMP388($0)) },
      model: { BMP388Model($0, part: part, clockError: $1) },
      registers: registers)
  }

  private static func channel(_ channel: Channel, resolution: Double) -> ChannelDescription {
    ChannelDescription(
      channel, resolution: resolution, limits: BMP388Decoder.limits(of: channel, of: .expected))
  }
}
