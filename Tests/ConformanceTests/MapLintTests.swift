// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Registers
import Testing

/// Returns the mistakes in the rows of a register map.
private func mistakes(in rows: [RegisterRow]) -> [String] {
  var mistakes: [String] = []
  for (a, b) in zip(rows, rows.dropFirst()) where a.place == b.place {
    mistakes.append("\(a.name) and \(b.name) share an address")
  }
  for row in rows {
    var taken: UInt16 = 0
    for field in row.fields {
      if field.width == 0 || Int(field.lowest) + Int(field.width) > 8 * row.size {
        let bits = row.size == 1 ? "eight" : "sixteen"
        mistakes.append("\(row.name).\(field.name) is not inside \(bits) bits")
      }
      if taken & field.mask != 0 { mistakes.append("\(row.name).\(field.name) overlaps") }
      taken |= field.mask
      if let cases = field.cases, cases != field.codes.count {
        mistakes.append("\(row.name).\(field.name) has a code twice or that does not fit")
      }
    }
    if row.fields.isEmpty { mistakes.append("\(row.name) has no fields") }
    if let reset = row.reset, reset & ~taken != 0 {
      mistakes.append("\(row.name) resets to bits that it does not describe")
    }
  }
  return mistakes
}

@Suite struct MapLintTests {
  /// Contradictions that no data sheet resolves: INT_CFG of the LIS3MDL resets to 0xE8 by one
  /// unverified source, and its bit 3 has no name; bit 0 of the BMI160's STATUS is set after a
  /// reset and reserved (BST-BMI160-DS000-07, register map).
  static let unexplained = [
    "st,lis3mdl": ["interruptConfig resets to bits that it does not describe"],
    "bosch,bmi160": ["status resets to bits that it does not describe"],
  ]

  @Test(arguments: Row.entries.map(\.description.name))
  func `the map of each chip of the catalogue`(_ name: String) throws {
    let rows = try #require(ChipCatalog.entry(named: name)).registers()
    #expect(rows.count > 3)
    #expect(mistakes(in: rows) == Self.unexplained[name] ?? [])
  }

  /// A map with every mistake, which shows that the lint finds them.
  struct BadMap: RegisterMap {
    enum Wide: UInt8, FieldValue, CaseIterable {
      case small = 1
      case large = 4
    }
    enum Shared: FieldValue, CaseIterable {
      case one, other
      var fieldBits: UInt8 { 1 }
      init?(fieldBits: UInt8) {
        guard fieldBits == 1 else { return nil }
        self = .one
      }
    }
    struct Overlapping: Sendable {
      let a = Bits(0...3)
      let b = Bits(3...4)
    }
    struct Outside: Sendable {
      let a = Bits(6...9)
    }
    struct Enumerated: Sendable {
      let a = Bits<Wide>(0...1)
      let b = Bits<Shared>(2...3)
    }
    let first = RW(0x01)
    let second = RW(0x01)
    let third = RW(0x03, reset: 0x20, Overlapping())
    let fourth = RW(0x04, Outside())
    let fifth = RW(0x05, reset: nil, Enumerated())
    init() {}
  }

  @Test func `the lint finds each mistake`() {
    #expect(
      mistakes(in: RegisterRow.rows(of: BadMap())) == [
        "first and second share an address", "third.a overlaps",
        "third resets to bits that it does not describe",
        "fourth.a is not inside eight bits",
        "fifth.b has a code twice or that does not fit",
        "fifth.a has a code twice or that does not fit",
      ])
  }

  @Test func `each row has what a dump needs`() throws {
    let rows = RegisterRow.rows(of: MPU6050Map())
    let config = try #require(rows.first { $0.name == "gyroConfig" })
    #expect(config.address == 0x1B)
    #expect(config.isReadable && config.isWritable)
    #expect(config.reset == 0)
    #expect(config.fields.map(\.name) == ["selfTestX", "selfTestY", "selfTestZ", "fullScale"])
    let scale = try #require(config.fields.last)
    #expect(scale.lowest == 3 && scale.width == 2 && scale.mask == 0x18)
    #expect(scale.codes == [0: "dps250", 1: "dps500", 2: "dps1000", 3: "dps2000"])
    let queue = try #require(rows.first { $0.name == "fifoData" })
    #expect(queue.address == 0x74 && queue.effect == .popsQueue && queue.reset == nil)
    let status = try #require(rows.first { $0.name == "interruptStatus" })
    #expect(status.effect == .clears && !status.isWritable)
    let pathReset = try #require(rows.first { $0.name == "signalPathReset" })
    #expect(!pathReset.isReadable && pathReset.isWritable)
    #expect(rows.map(\.address) == rows.map(\.address).sorted())
  }
}
