// SPDX-License-Identifier: Apache-2.0
public import Registers

/// A parsed query: `NAME`, `NAME.FIELD`, `NAME=VALUE` or `NAME.FIELD=VALUE`. A query names a chip's
/// register by name or number, optionally one of its fields, and optionally a new value.
public struct RegisterQuery: Equatable, Sendable {
  public var row: RegisterRow
  /// The field that the query names; `nil` for the whole register.
  public var field: FieldRow?
  /// The new value in the query, right-aligned; `nil` if the query has no value.
  public var value: UInt16?
  /// True if the register is in the chip's register map. Otherwise only the register's number is
  /// known.
  public var isDocumented: Bool

  /// Parses `text` against `rows`. Names are not case-sensitive.
  public init(_ text: String, among rows: [RegisterRow]) throws(RegisterQueryError) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let names = halves[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(names[0])
    if let row = rows.first(where: { $0.name.lowercased() == name.lowercased() }) {
      self.row = row
      isDocumented = true
    } else if let place = Self.place(name, rows.first?.window, rows.first?.indirect) {
      let known = rows.first { $0.place == place }
      isDocumented = known != nil
      var unknown = RegisterRow(
        name: "", address: place.register, isReadable: true, isWritable: true, reset: nil,
        effect: .none, fields: [], bank: place.bank, window: rows.first?.window,
        indirect: rows.first?.indirect)
      unknown.name = unknown.label
      row = known ?? unknown
    } else {
      throw RegisterQueryError(.register, name, known: rows.map(\.name))
    }
    if names.count == 2 {
      let wanted = names[1].lowercased()
      guard let field = row.fields.first(where: { $0.name.lowercased() == wanted }) else {
        throw RegisterQueryError(
          .field, String(names[1]), of: row.name, known: row.fields.map(\.name))
      }
      self.field = field
    }
    guard halves.count == 2 else { return }
    value = try Self.value(String(halves[1]), row, field)
  }

  /// The change of the register's contents; `nil` if the query has no value.
  public var change: WideChange? {
    guard let value else { return nil }
    guard let field else { return WideChange(mask: row.allBits, bits: value) }
    return WideChange(mask: field.mask, bits: (value << field.lowest) & field.mask)
  }

  private static func value(_ text: String, _ row: RegisterRow, _ field: FieldRow?)
    throws(RegisterQueryError) -> UInt16
  {
    // A register with a single field accepts the names of that field's codes.
    let named = field ?? (row.isNumber ? row.fields[0] : nil)
    let subject = field.map { "\(row.name).\($0.name)" } ?? row.name
    if let code = named?.codes.first(where: { $0.value.lowercased() == text.lowercased() })?.key {
      return code
    }
    let largest = field.map { $0.mask >> $0.lowest } ?? row.allBits
    if largest == 1, let flag = ["true": 1, "on": 1, "false": 0, "off": 0][text.lowercased()] {
      return UInt16(flag)
    }
    guard let number = number(text), number <= largest else {
      throw RegisterQueryError(
        .value, text, of: subject,
        known: ["0 to \(largest)"] + (named?.codes.sorted { $0.key < $1.key }.map(\.value) ?? []))
    }
    return number
  }

  /// Parses a number in a register query: 104, 0x68, 0b01101000.
  static func number(_ text: some StringProtocol) -> UInt16? {
    let text = text.lowercased()
    if text.hasPrefix("0x") { return UInt16(text.dropFirst(2), radix: 16) }
    if text.hasPrefix("0b") { return UInt16(text.dropFirst(2), radix: 2) }
    return UInt16(text)
  }

  /// Parses a register number: `0x75`, `2:0x01` for a chip with banks, or `0xA201` for an inner
  /// register.
  private static func place(
    _ text: String, _ window: RegisterWindow?, _ indirect: IndirectWindow?
  ) -> FlatAddress? {
    if let indirect, let number = number(text), number > 0xFF {
      return indirect.bank(of: UInt8(number >> 8)).map {
        FlatAddress(bank: $0, UInt8(truncatingIfNeeded: number))
      }
    }
    let halves = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let address = halves.last.flatMap({ number($0) }).flatMap({ UInt8(exactly: $0) }) else {
      return nil
    }
    guard halves.count > 1 else { return FlatAddress(address) }
    guard halves.count == 2, let window, let bank = UInt8(halves[0]),
      window.bank(selectedBy: window.contents(selecting: bank)) == bank
    else { return nil }
    return window.place(of: address, in: bank)
  }
}

/// The reason why a string is not a valid register query.
public struct RegisterQueryError: Error, Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case register
    case field
    case value
  }

  public let kind: Kind
  /// The invalid part of the query's text.
  public let text: String
  /// The register whose value is invalid, with the field if the query has one; `nil` if the
  /// register itself is unknown.
  public let subject: String?
  /// The names or values that would be valid in the query.
  public let known: [String]

  package init(_ kind: Kind, _ text: String, of subject: String? = nil, known: [String]) {
    self.kind = kind
    self.text = text
    self.subject = subject
    self.known = known
  }
}
