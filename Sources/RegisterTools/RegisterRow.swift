// SPDX-License-Identifier: Apache-2.0
public import Registers

/// One field of a register, by name.
public struct FieldRow: Equatable, Sendable {
  public var name: String
  public var lowest: UInt8
  public var width: UInt8
  public var mask: UInt8
  /// The names of the codes, where the field is an enumeration.
  public var codes: [UInt8: String]
  /// How many cases that enumeration says that it has: each is to have a code of its own.
  public var cases: Int?
}

/// One register of a map, by name: what a dump, a page of documentation, a lint or a model reads.
public struct RegisterRow: Equatable, Sendable {
  public var name: String
  public var address: UInt8
  public var isReadable: Bool
  public var isWritable: Bool
  /// `nil` where the contents after reset are not defined.
  public var reset: UInt8?
  public var effect: ReadEffect
  /// Highest bits first.
  public var fields: [FieldRow]
}

extension RegisterRow {
  /// All registers of `map` in the order of their addresses. The maps have no list of their own: their stored
  /// properties are the list.
  public static func rows(of map: some RegisterMap) -> [RegisterRow] {
    let own: [RegisterRow] = Mirror(reflecting: map).children.compactMap { child in
      guard let name = child.label, let register = child.value as? any ReflectedRegister else {
        return nil
      }
      return register.row(named: name)
    }
    let inherited = (map as? any DerivedMap).map { rows(inheritedBy: $0, beside: own) } ?? []
    return (own + inherited).sorted { $0.address < $1.address }
  }

  private static func rows<Map: DerivedMap>(inheritedBy map: Map, beside own: [RegisterRow])
    -> [RegisterRow]
  {
    let taken = Set(own.map(\.address))
    return rows(of: Map.Base()).filter { !taken.contains($0.address) && !Map.lacks($0.address) }
  }
}

/// What reflection finds in a map. Conformances live here, away from the portable core, which has no existentials.
private protocol ReflectedRegister {
  func row(named name: String) -> RegisterRow
}

private protocol ReflectedField {
  func row(named name: String) -> FieldRow
}

extension Register: ReflectedRegister {
  fileprivate func row(named name: String) -> RegisterRow {
    let fields = Mirror(reflecting: layout).children.compactMap { child -> FieldRow? in
      guard let name = child.label, let field = child.value as? any ReflectedField else {
        return nil
      }
      return field.row(named: name)
    }
    return RegisterRow(
      name: name, address: address, isReadable: Access.isReadable, isWritable: Access.isWritable,
      reset: reset, effect: effect, fields: fields.sorted { $0.lowest > $1.lowest })
  }
}

extension Bits: ReflectedField {
  fileprivate func row(named name: String) -> FieldRow {
    var codes: [UInt8: String] = [:]
    if Value.self != UInt8.self, Value.self != Bool.self {
      for code in 0...(mask >> lowest) {
        if let value = Value(fieldBits: code) { codes[code] = "\(value)" }
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
