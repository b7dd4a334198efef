// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Registers
internal import Text

extension UInt8 {
  /// The byte as users write it, such as `0x68`.
  var hexadecimal: String { "0x" + Registers.hexadecimal(self) }
}

extension BusDescription {
  /// The number N if the path is /dev/i2c-N; otherwise `nil`.
  fileprivate var adapterNumber: Int? {
    guard let path, path.hasPrefix("/dev/i2c-") else { return nil }
    return Int(path.dropFirst("/dev/i2c-".count))
  }
}

extension BoardReader {
  /// Reads the I2C address of a chip, which must be one that the chip's address pins can select.
  mutating func address(_ fields: Fields, _ chip: ChipDescription?, _ bus: BusDescription?)
    -> UInt8?
  {
    guard let field = fields["address"] else {
      if let chip, let bus, bus.wire == .i2c, chip.wires.contains(.i2c) {
        report(
          fields.position, "\(fields.owner) has no 'address'", expected: Self.straps(chip),
          hint: bus.adapterNumber.map { "'i2cdetect -y \($0)' shows which addresses answer" })
      }
      return nil
    }
    if let bus, bus.wire == .spi {
      report(
        field.keyPosition, "'address' on SPI bus '\(bus.name)'",
        hint: "remove it: an SPI chip is selected by its device node")
      return nil
    }
    let limits = UInt8(0x08)...UInt8(0x77)
    let selectable = chip.map { $0.addresses } ?? Array(limits)
    let expected = chip.map(Self.straps) ?? field.key.expectation
    guard case .number(let number) = field.value.number, let value = Int(exactly: number) else {
      refuse(field, expected: expected, hint: Self.guess(field.value, selectable))
      return nil
    }
    if let address = UInt8(exactly: value), limits.contains(address), selectable.contains(address) {
      return address
    }
    refuse(field, expected: expected, hint: Self.guess(field.value, selectable, value))
    return nil
  }

  private static func straps(_ chip: ChipDescription) -> String {
    "\(NearestWord.list(chip.addresses.map { $0.hexadecimal })), which \(chip.name) can have"
  }

  /// Returns a hint with the address that the user probably meant.
  private static func guess(_ tree: YAMLTree, _ selectable: [UInt8], _ value: Int? = nil) -> String?
  {
    guard case .scalar(let text, let plain) = tree.content else { return nil }
    if !plain, value == nil { return "an address is a number: no quotes" }
    if let value, value > 0x77, value <= 0xFF, let address = UInt8(exactly: value >> 1),
      selectable.contains(address)
    {
      return "did you mean \(address.hexadecimal)? the read/write bit is not part of an address"
    }
    let digits = text.lowercased().filter { $0 != "x" && $0 != "h" && $0 != "$" }
    guard !text.lowercased().hasPrefix("0x"), let address = UInt8(digits, radix: 16),
      selectable.contains(address)
    else { return nil }
    guard let value, let decimal = UInt8(exactly: value) else {
      return "write \(address.hexadecimal)"
    }
    return "did you mean \(address.hexadecimal)? without 0x, \(text) is \(decimal.hexadecimal)"
  }
}
