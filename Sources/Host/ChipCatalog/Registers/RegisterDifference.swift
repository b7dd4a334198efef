// SPDX-License-Identifier: Apache-2.0
public import Registers
package import Text

/// The difference between two contents of one register, by field.
public struct RegisterDifference: Equatable, Sendable {
  /// One field that changed.
  public struct Field: Equatable, Sendable {
    public var name: String
    /// The old and new value of the field, as the code's name if it has one.
    public var before: String
    public var after: String
  }

  public var row: RegisterRow
  public var before: UInt16
  public var after: UInt16

  public init(_ row: RegisterRow, before: UInt16, after: UInt16) {
    self.row = row
    self.before = before
    self.after = after
  }

  /// The register's fields that changed, highest bits first.
  public var fields: [Field] {
    row.fields.filter { before & $0.mask != after & $0.mask }
      .map { Field(name: $0.name, before: $0.text(in: before), after: $0.text(in: after)) }
  }

  /// Returns the difference as one line: `0x6B power1  0x40 -> 0x01  sleep 1 -> 0`. The register's
  /// name is padded to `width`.
  public func text(width: Int = 0) -> String {
    let name = row.name.padded(to: width)
    let isNumber = row.isNumber && row.fields[0].codes.isEmpty
    let words = isNumber ? [] : fields.map { "\($0.name) \($0.before) -> \($0.after)" }
    return
      ([
        "\(row.label) \(name)  \(row.text(before)) -> \(row.text(after))"
      ]
      + (words.isEmpty ? [] : [words.joined(separator: ", ")])).joined(separator: "  ")
  }

  /// A member of a JSON object, with the register's name as its key.
  package var json: JSON.Member {
    let words = fields.map {
      JSON.Member(
        $0.name, .object([.init("before", .text($0.before)), .init("after", .text($0.after))]))
    }
    var members = [JSON.Member("address", .count(row.address))]
    if row.bank != 0 { members.append(.init("bank", .count(row.bank))) }
    members += [
      .init("before", .count(before)), .init("after", .count(after)),
      .init("fields", .object(words)),
    ]
    return JSON.Member(row.name, .object(members))
  }

  /// Returns the differences of the registers whose contents are known in both dumps, in the order
  /// of `rows`.
  public static func between(
    _ before: [FlatAddress: UInt16], _ after: [FlatAddress: UInt16], _ rows: [RegisterRow]
  ) -> [RegisterDifference] {
    rows.compactMap { row in
      guard let old = before[row.place], let new = after[row.place], old != new else {
        return nil
      }
      return RegisterDifference(row, before: old, after: new)
    }
  }
}
