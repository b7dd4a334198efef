// SPDX-License-Identifier: Apache-2.0
import Chips
import RegisterTools
import Registers
import Testing

/// A field whose value type can list its cases, whatever the type.
private protocol EnumeratedField {
  var codes: [UInt8] { get }
  var highestCode: UInt8 { get }
}

extension Bits: EnumeratedField where Value: CaseIterable {
  var codes: [UInt8] { Value.allCases.map(\.fieldBits) }
  var highestCode: UInt8 { mask >> lowest }
}

private protocol LaidOut {
  var fields: [(name: String, field: any EnumeratedField)] { get }
}

extension Register: LaidOut {
  fileprivate var fields: [(name: String, field: any EnumeratedField)] {
    Mirror(reflecting: layout).children.compactMap { child in
      guard let name = child.label, let field = child.value as? any EnumeratedField else {
        return nil
      }
      return (name, field)
    }
  }
}

/// What is wrong with a map, whatever the chip.
private func mistakes(in map: some RegisterMap) -> [String] {
  var mistakes: [String] = []
  let rows = RegisterRow.rows(of: map)
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
    }
    if row.fields.isEmpty { mistakes.append("\(row.name) has no fields") }
    if let reset = row.reset, reset & ~taken != 0 {
      mistakes.append("\(row.name) resets to bits that it does not describe")
    }
  }
  for child in Mirror(reflecting: map).children {
    guard let register = child.value as? any LaidOut else { continue }
    for (name, field) in register.fields {
      let codes = field.codes
      if Set(codes).count != codes.count { mistakes.append("\(name) has a code twice") }
      if codes.contains(where: { $0 > field.highestCode }) {
        mistakes.append("\(child.label ?? "").\(name) has a code that does not fit")
      }
    }
  }
  return mistakes
}

@Suite struct MapLintTests {
  @Test func mpu6050() { #expect(mistakes(in: MPU6050Map()) == []) }

  // INT_CFG resets to 0xE8 by one unverified source, and its bit 3 has no name anywhere.
  @Test func lis3mdl() {
    #expect(
      mistakes(in: LIS3MDLMap()) == [
        "interruptConfig resets to bits that it does not describe"
      ])
  }

  /// A map with every mistake, so that the lint is seen to find them.
  struct BadMap: RegisterMap {
    enum Wide: UInt8, FieldValue, CaseIterable {
      case small = 1
      case large = 4
    }
    struct Overlapping: RegisterLayout {
      let a = Bits<UInt8>(0...3)
      let b = Bits<UInt8>(3...4)
      init() {}
    }
    struct Outside: RegisterLayout {
      let a = Bits<UInt8>(6...9)
      init() {}
    }
    struct Enumerated: RegisterLayout {
      let a = Bits<Wide>(0...1)
      init() {}
    }
    let first = Register(0x01, WholeByte.self, RW.self, reset: 0)
    let second = Register(0x01, WholeByte.self, RW.self, reset: 0)
    let third = Register(0x03, Overlapping.self, RW.self, reset: 0x20)
    let fourth = Register(0x04, Outside.self, RW.self, reset: 0)
    let fifth = Register(0x05, Enumerated.self, RW.self, reset: nil)
    init() {}
  }

  @Test func theLintFindsEachMistake() {
    #expect(
      mistakes(in: BadMap()) == [
        "first and second share an address", "third.a overlaps",
        "third resets to bits that it does not describe",
        "fourth.a is not inside eight bits", "fifth.a has a code that does not fit",
      ])
  }

  @Test func rowsSayWhatADumpNeeds() throws {
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
