// SPDX-License-Identifier: Apache-2.0
public import Registers

/// One field of a register, found by reflection.
public struct FieldRow: Equatable, Sendable {
  public var name: String
  public var lowest: UInt8
  public var width: UInt8
  public var mask: UInt16
  /// The names of the field's codes, if its type is an enumeration.
  public var codes: [UInt16: String]
  /// The number of cases if the field's type is an enumeration, for a check that each case has a
  /// unique code; otherwise `nil`.
  public var cases: Int?
}

/// One register of a map, found by reflection: for dumps, documentation, checks and models.
public struct RegisterRow: Equatable, Sendable {
  public var name: String
  /// The register's address, within its bank for a chip with banks.
  public var address: UInt8
  public var isReadable: Bool
  public var isWritable: Bool
  /// The register's contents after a reset; `nil` if they are undefined.
  public var reset: UInt16?
  public var effect: ReadEffect
  /// The register's fields, highest bits first.
  public var fields: [FieldRow]
  /// The bank of the register.
  public var bank: UInt8 = 0
  /// The chip's banked address window; `nil` for a chip with one bank.
  public var window: RegisterWindow?
  /// The access to the chip's inner registers; `nil` for a chip without such registers.
  public var indirect: IndirectWindow?
  /// The byte order of a 16-bit register; `nil` for an 8-bit register.
  public var order: ByteOrder?

  /// The register's address as one number that includes the bank.
  public var place: FlatAddress { FlatAddress(bank: bank, address) }

  /// The register's size in bytes.
  public var size: Int { order == nil ? 1 : 2 }

  /// The mask of all bits of the register.
  public var allBits: UInt16 { order == nil ? 0xFF : 0xFFFF }

  /// True if the register is one number instead of several fields.
  public var isNumber: Bool { fields.count == 1 && fields[0].mask == allBits }

  /// The address as users write it: `0x0F`, `2:0x0F` for a chip with banks, or `0xA20F` for an
  /// inner register.
  public var label: String {
    if let indirect, bank != 0 {
      return "0x" + hexadecimal(indirect.high(of: bank)) + hexadecimal(address)
    }
    return (window?.contains(address) == true ? "\(bank):" : "") + "0x" + hexadecimal(address)
  }

  /// Returns the register's contents in hexadecimal, with as many digits as the register has.
  public func text(_ contents: UInt16) -> String {
    let low = hexadecimal(UInt8(truncatingIfNeeded: contents))
    return "0x" + (order == nil ? low : hexadecimal(UInt8(contents >> 8)) + low)
  }
}

extension RegisterRow {
  /// Returns all registers of `map` in the order of their addresses. The registers are found by
  /// reflection, so a map needs no separate list of its registers.
  public static func rows(of map: some RegisterMap) -> [RegisterRow] {
    let window = (type(of: map) as? any BankedMap.Type)?.window
    let indirect = (type(of: map) as? any IndirectMap.Type)?.indirect
    let own: [RegisterRow] = Mirror(reflecting: map).children.flatMap { child in
      guard let name = child.label else { return [RegisterRow]() }
      if let run = child.value as? any ReflectedRun { return run.rows(named: name) }
      return (child.value as? any ReflectedRegister).map { [$0.row(named: name)] } ?? []
    }.map { row in
      var row = row
      row.window = window
      row.indirect = indirect
      return row
    }
    let inherited = (map as? any DerivedMap).map { rows(inheritedBy: $0, without: own) } ?? []
    return (own + inherited).sorted { $0.place < $1.place }
  }

  private static func rows<Map: DerivedMap>(inheritedBy map: Map, without own: [RegisterRow])
    -> [RegisterRow]
  {
    let taken = Set(own.map(\.place))
    return rows(of: Map.Base()).filter { !taken.contains($0.place) && !Map.lacks($0.address) }
  }
}

/// A register that can be found in a map by reflection. The conformances are in this file, because
/// the portable core has no existentials.
private protocol ReflectedRegister {
  func row(named name: String) -> RegisterRow
}

private protocol ReflectedRun {
  func rows(named name: String) -> [RegisterRow]
}

private protocol ReflectedField {
  func row(named name: String) -> FieldRow
}

extension Register: ReflectedRegister {
  fileprivate func row(named name: String) -> RegisterRow {
    RegisterRow(
      name: name, address: address, isReadable: Access.isReadable, isWritable: Access.isWritable,
      reset: reset.map { UInt16($0) }, effect: effect, fields: FieldRow.rows(of: layout))
  }
}

extension RegisterRun: ReflectedRun {
  fileprivate func rows(named name: String) -> [RegisterRow] {
    (0..<count).map { self[$0].row(named: name + suffix(of: Int($0))) }
  }

  private func suffix(of index: Int) -> String {
    func end(_ order: ByteOrder) -> String {
      (order == .highFirst) == (index % 2 == 0) ? "High" : "Low"
    }
    let axes = ["X", "Y", "Z"]
    return switch pattern {
    case .bytes: "\(index)"
    case .axes: axes[index]
    case .axisWords(let order): axes[index / 2] + end(order)
    case .words(let order): (count == 2 ? "" : "\(index / 2 + 1)") + end(order)
    }
  }
}

extension BankedRun: ReflectedRun {
  fileprivate func rows(named name: String) -> [RegisterRow] {
    run.rows(named: name).map { row in
      var row = row
      row.bank = bank
      return row
    }
  }
}

extension Banked: ReflectedRegister {
  fileprivate func row(named name: String) -> RegisterRow {
    var row = register.row(named: name)
    row.bank = bank
    return row
  }
}

extension WideRegister: ReflectedRegister {
  fileprivate func row(named name: String) -> RegisterRow {
    RegisterRow(
      name: name, address: address, isReadable: Access.isReadable, isWritable: Access.isWritable,
      reset: reset, effect: effect, fields: FieldRow.rows(of: layout), order: order)
  }
}

extension FieldRow {
  /// Returns the fields of a register layout, highest bits first.
  fileprivate static func rows(of layout: some Sendable) -> [FieldRow] {
    if let field = layout as? any ReflectedField { return [field.row(named: "value")] }
    return Mirror(reflecting: layout).children.compactMap { child -> FieldRow? in
      guard let name = child.label, let field = child.value as? any ReflectedField else {
        return nil
      }
      return field.row(named: name)
    }
    .sorted { $0.lowest > $1.lowest }
  }
}

extension Bits: ReflectedField {
  fileprivate func row(named name: String) -> FieldRow {
    var codes: [UInt16: String] = [:]
    if Value.self != UInt8.self, Value.self != Bool.self {
      for code in 0...(mask >> lowest) {
        if let value = Value(fieldBits: code) { codes[UInt16(code)] = "\(value)" }
      }
    }
    return FieldRow(
      name: name, lowest: lowest, width: width, mask: UInt16(mask), codes: codes,
      cases: (Value.self as? any CaseIterable.Type)?.caseCount)
  }
}

extension WideBits: ReflectedField {
  fileprivate func row(named name: String) -> FieldRow {
    var codes: [UInt16: String] = [:]
    if Value.self != UInt8.self, Value.self != UInt16.self, Value.self != Bool.self {
      for code in 0...(mask >> UInt16(lowest)) {
        if let value = Value(wideBits: code) { codes[code] = "\(value)" }
      }
    }
    return FieldRow(
      name: name, lowest: lowest, width: width, mask: mask, codes: codes,
      cases: (Value.self as? any CaseIterable.Type)?.caseCount)
  }
}

extension CaseIterable {
  fileprivate static var caseCount: Int { allCases.count }
}
