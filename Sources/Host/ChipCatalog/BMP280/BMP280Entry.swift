// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let bmp280 = barometer(
    .bmp280, name: "bosch,bmp280", title: "BMP280", summary: "barometer and thermometer",
    supported: [0x58, 0x56, 0x57],
    noise: [
      ChannelNoise(
        .pressure, deviation: 1.3e-3, conditions: "with 16 conversions and no filter",
        source: "BST-BMP280-DS001, 3.5")
    ],
    strangers: [
      KnownChip(
        "st,lps25h", "LPS25H (also LPS25HB)", "barometer",
        [KnownIdentity([0x5C, 0x5D], 0x0F, [0xBD])], instead: same),
      KnownChip(
        "bosch,bmp180", "BMP180", "barometer", [KnownIdentity([0x77], 0xD0, [0x55])],
        instead: same),
      KnownChip(
        "bosch,bme680", "BME680", "barometer, hygrometer and gas sensor",
        [KnownIdentity([0x76, 0x77], 0xD0, [0x61])], instead: same),
      KnownChip(
        "bosch,bmp388", "BMP388 (also BMP390)", "barometer",
        [KnownIdentity([0x76, 0x77], 0x00, [0x50, 0x60])], instead: same),
    ])

  static let bme280 = barometer(
    .bme280, name: "bosch,bme280", title: "BME280",
    summary: "barometer, thermometer and hygrometer", supported: [0x60],
    noise: [
      ChannelNoise(
        .pressure, deviation: 1.3e-3, conditions: "with 16 conversions and no filter",
        source: "BST-BME280-DS001, 3.6"),
      ChannelNoise(
        .humidity, deviation: 0.02, conditions: "with 16 conversions",
        source: "BST-BME280-DS001, 1.2"),
    ],
    strangers: [
      KnownChip(
        "st,hts221", "HTS221", "hygrometer and thermometer",
        [KnownIdentity([0x5F], 0x0F, [0xBC])], instead: "a BME280 measures humidity")
    ])

  private static let same = "a BMP280 or a BME280 is a replacement"

  /// The resolutions without oversampling: 2.62 Pa, and 0.01 degrees Celsius after compensation
  /// (BST-BMP280-DS001, 3.3.1 and 3.11.3), 0.008 percent humidity (BST-BME280-DS001, table 2).
  private static let resolutions: [Channel: Double] = [
    .pressure: 2.62e-3, .temperature: 0.01, .humidity: 0.008,
  ]

  /// Makes the entry for one part. The driver accepts both parts, because boards are often sold
  /// with one part and carry the other; a scan distinguishes the parts.
  private static func barometer(
    _ part: BMP280Part, name: String, title: String, summary: String, supported: [UInt8],
    noise: [ChannelNoise], strangers: [KnownChip]
  ) -> CatalogEntry {
    CatalogEntry(
      description: ChipDescription(
        name: name, title: title, family: "BMP280", summary: summary,
        wires: [.i2c, .spi], addresses: [0x76, 0x77], strap: "SDO",
        wireFormat: BMP280Chip.wireFormat,
        channels: Channel.allCases.filter { part.channels.contains($0) }
          .map {
            ChannelDescription(
              $0, resolution: resolutions[$0], limits: BMP280Decoder.limits(of: $0, of: part))
          },
        rates: values { BMP280Chip.rate(at: $0, of: part) }, acquisitions: [.polling],
        identity: IdentityDescription(
          register: BMP280Map().id.address,
          parts: [
            0x58: "BMP280", 0x56: "BMP280 (sample)", 0x57: "BMP280 (sample)", 0x60: "BME280",
            0x55: "BMP180", 0x61: "BME680",
          ],
          supported: supported),
        interruptPins: 0, noise: noise),
      driver: { DriverBox(BMP280($0, expecting: part)) },
      model: { BMP280Model($0, part: part, clockError: $1) },
      registers: { RegisterRow.rows(of: BMP280Map()) }, strangers: strangers)
  }
}
