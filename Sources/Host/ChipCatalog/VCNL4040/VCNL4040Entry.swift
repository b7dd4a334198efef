// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let vcnl4040 = CatalogEntry(
    description: ChipDescription(
      name: "vishay,vcnl4040", title: "VCNL4040 (also CM36686)", family: "VCNL4040",
      summary: "light and proximity sensor", wires: [.i2c], addresses: [0x60], strap: nil,
      wireFormat: VCNL4040Chip.wireFormat, words: .lowFirst,
      channels: [
        ChannelDescription(
          .illuminance, ranges: values { VCNL4040Chip.range(of: .illuminance, at: $0) },
          resolution: 0.0125),
        ChannelDescription(.proximity, resolution: 1.0 / 65_535),
      ],
      rates: values(VCNL4040Chip.rate(at:)), acquisitions: [.polling],
      identity: IdentityDescription(
        register: VCNL4040Map().identity.address,
        parts: [0x86: "VCNL4040 (or CM36686)", 0xC4: "MPL3115A2"], supported: [0x86]),
      interruptPins: 0,
      tolerances: [
        // The light sensor's offset is three counts in darkness at 80 ms. The scale error applies
        // to white light.
        ChannelTolerance(
          .illuminance, offset: .limit(0.3), scale: .limit(0.1), crossAxis: .limit(0),
          source: "Vishay 84274 rev. 1.4, basic characteristics")
      ]),
    driver: { DriverBox(VCNL4040($0)) },
    model: { VCNL4040Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: VCNL4040Map()) },
    strangers: [
      KnownChip(
        "nxp,mpl3115a2", "MPL3115A2", "barometer", [KnownIdentity([0x60], 0x0C, [0xC4])],
        instead: "a BMP280 or a BME280 is a replacement")
    ])
}
