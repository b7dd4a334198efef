// SPDX-License-Identifier: Apache-2.0
internal import Registers
internal import Text

/// The contents of a chip's registers by name, for output as text or JSON.
public struct RegisterDump: Equatable, Sendable {
  /// The contents of one register.
  public struct Line: Equatable, Sendable {
    public var row: RegisterRow
    /// The register's contents; `nil` if the register was not read.
    public var value: UInt16?

    public init(_ row: RegisterRow, _ value: UInt16?) {
      self.row = row
      self.value = value
    }

    /// True if the contents differ from the reset contents; `nil` if one of the two is unknown.
    public var differs: Bool? {
      guard let value, let reset = row.reset else { return nil }
      return value != reset
    }

    /// The reason why the register is not read by default; `nil` if it is read.
    public var refusal: String? {
      if !row.isReadable { return "write only" }
      switch row.effect {
      case .none: return nil
      case .clears: return "not read: reading clears it"
      case .popsQueue: return "not read: each read removes a byte from the FIFO"
      }
    }
  }

  public var lines: [Line]

  /// Reads each row with `read`. Skips registers with read side effects unless `isForced`. If
  /// `read` returns `nil`, the register counts as not read.
  public init(_ rows: [RegisterRow], isForced: Bool = false, read: (RegisterRow) -> UInt16?) {
    lines = rows.map { row in
      let mayRead = row.isReadable && (row.effect == .none || isForced)
      return Line(row, mayRead ? read(row) : nil)
    }
  }

  /// The dump as a table: address, name, contents, an asterisk and the reset contents if these
  /// differ, and the fields by name.
  public var text: String {
    let width = lines.map { $0.row.name.count }.max() ?? 0
    let labels = lines.map { $0.row.label.count }.max() ?? 0
    // A column of the table is as wide as its longest entry.
    let room = lines.contains { $0.row.size == 2 } ? 11 : 9
    return lines.map { line in
      let name = line.row.name.padded(to: width)
      let label = line.row.label.leftPadded(to: labels)
      let head = "\(label) \(name)"
      guard let value = line.value else {
        return "\(head)  --         \(line.refusal ?? "no answer")"
      }
      var mark = ""
      if line.differs == true, let reset = line.row.reset { mark = " * (\(line.row.text(reset)))" }
      let fields = line.row.fieldText(of: value)
      return
        "\(head)  \(line.row.text(value))\(mark.padded(to: room))\(fields.isEmpty ? "" : "  " + fields)"
    }
    .map { $0.trimmedAtEnd + "\n" }.joined()
  }

  /// The dump as one JSON object: register names with address, contents, reset contents and fields.
  public var json: String {
    let registers = lines.map { line -> JSON.Member in
      var members = [JSON.Member("address", .count(line.row.address))]
      if line.row.bank != 0 { members.append(.init("bank", .count(line.row.bank))) }
      if let value = line.value { members.append(.init("value", .count(value))) }
      if let reset = line.row.reset { members.append(.init("reset", .count(reset))) }
      if let differs = line.differs { members.append(.init("differs", .flag(differs))) }
      if let value = line.value {
        let fields = line.row.fields.map { JSON.Member($0.name, $0.json(in: value)) }
        members.append(.init("fields", .object(fields)))
      } else {
        members.append(.init("unread", .text(line.refusal ?? "no answer")))
      }
      return JSON.Member(line.row.name, .object(members))
    }
    return JSON.object(registers).description
  }
}

extension RegisterRow {
  /// Returns the named fields with their values in `contents`; an empty string if the register is
  /// one number.
  public func fieldText(of contents: UInt16) -> String {
    if isNumber { return "" }
    return fields.map { "\($0.name)=\($0.text(in: contents))" }.joined(separator: " ")
  }
}

extension FieldRow {
  /// Returns the field's value, as the code's name if it has one.
  public func text(in contents: UInt16) -> String {
    let code = (contents & mask) >> lowest
    if !codes.isEmpty { return codes[code] ?? "\(code)?" }
    return "\(code)"
  }

  func json(in contents: UInt16) -> JSON {
    let code = (contents & mask) >> lowest
    return codes[code].map { .text($0) } ?? .count(code)
  }
}
