// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let ak8963 = part(
    .ak8963, name: "asahi-kasei,ak8963", title: "AK8963 (inside an MPU-9250)",
    addresses: [0x0C, 0x0D, 0x0E, 0x0F], strap: "CAD0/CAD1",
    identity: IdentityDescription(
      register: AK8963Map().whoAmI.address, parts: [0x48: "AK8963 (or AK8975)"], supported: [0x48]),
    field: .ak8963,
    registers: { RegisterRow.rows(of: AK8963Map()) })

  static let ak09916 = part(
    .ak09916, name: "asahi-kasei,ak09916", title: "AK09916 (inside an ICM-20948)",
    addresses: [0x0C], strap: nil,
    identity: IdentityDescription(
      register: AK09916Map().whoAmI.address, parts: [0x09: "AK09916"], supported: [0x09]),
    field: .ak09916,
    registers: { RegisterRow.rows(of: AK09916Map()) })

  private static func part(
    _ part: AK8963Part, name: String, title: String, addresses: [UInt8], strap: String?,
    identity: IdentityDescription, field: ChannelDescription,
    registers: @escaping @Sendable () -> [RegisterRow]
  ) -> CatalogEntry {
    CatalogEntry(
      description: ChipDescription(
        name: name, title: title, family: "AK8963", summary: "magnetometer", wires: [.i2c],
        addresses: addresses, strap: strap, wireFormat: AK8963Chip.wireFormat,
        channels: [field],
        rates: values { AK8963Chip.rate(at: $0, of: part) }, acquisitions: [.polling],
        identity: identity, hasSelfTest: true, interruptPins: 0,
        delays: { _ in AK8963Chip.delays }),
      driver: { DriverBox(AK8963($0, expecting: part)) },
      model: { AK8963Model($0, identity: part.rawValue, clockError: $1) },
      registers: registers)
  }
}

extension ChannelDescription {
  /// The resolution is the size of a count with the largest possible factory adjustment.
  static let ak8963 = ChannelDescription(
    .magneticField, ranges: [AK8963Chip.fullScale],
    resolution: AK8963Chip.microteslaPerCount * AK8963Chip.factor(of: 255))

  static let ak09916 = ChannelDescription(
    .magneticField, ranges: [AK8963Chip.fullScale], resolution: AK8963Chip.microteslaPerCount)
}
