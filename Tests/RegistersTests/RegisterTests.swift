// SPDX-License-Identifier: Apache-2.0
import Chips
import Quantities
import ChipCatalog
import Registers
import Testing

@Suite struct RegisterTests {
  enum Speed: UInt8, FieldValue, CaseIterable { case slow = 0, middle, fast }

  struct Map: RegisterMap {
    struct Control: Sendable {
      let enable = Bit(7)
      let speed = Bits<Speed>(4...5)
      let level = Bits(0...2)
    }
    let control = RW(0x10, reset: 0x13, Control())
    init() {}
  }

  @Test func `a field's bits go in place and back`() {
    let layout = Map.Control()
    #expect(layout.enable(true) == Change(mask: 0x80, bits: 0x80))
    #expect(layout.speed(.fast) == Change(mask: 0x30, bits: 0x20))
    #expect(layout.level(9) == Change(mask: 0x07, bits: 0x01))
    let both = layout.enable(true) | layout.speed(.middle)
    #expect(both.applied(to: 0x4F) == 0xDF)
    #expect(both.holds(in: 0x90))
    #expect(!both.holds(in: 0x80))
    #expect(layout.speed.value(in: 0x2F) == .fast)
    // The code is undefined.
    #expect(layout.speed.value(in: 0x30) == nil)
  }

  @Test func `modifying leaves the other bits, reserved ones too, as they were`() throws {
    var bus = Memory()
    bus.bytes[0x10] = 0x4B
    try bus.modify(Map().control) { $0.speed(.fast) }
    #expect(bus.bytes[0x10] == 0x6B)
    try bus.set(Map().control) { $0.level(3) }
    #expect(bus.bytes[0x10] == 0x03)
    bus.stuck = 0xFF
    #expect(throws: ChipError.rejected(register: 0x10, wrote: 0x10, readBack: 0xFF)) {
      try bus.modifyAndVerify(Map().control) { $0.speed(.middle) }
    }
  }

  @Test func `rows by reflection have names, masks and codes`() throws {
    let row = try #require(RegisterRow.rows(of: Map()).first)
    #expect(row.name == "control")
    #expect(row.reset == 0x13)
    #expect(row.fields.map(\.name) == ["enable", "speed", "level"])
    #expect(row.fields[1].codes == [0: "slow", 1: "middle", 2: "fast"])
  }

  @Test func `no map names an address twice, and no register a bit`() {
    for rows in [RegisterRow.rows(of: MPU6050Map()), RegisterRow.rows(of: LIS3MDLMap())] {
      #expect(Set(rows.map(\.address)).count == rows.count)
      for row in rows {
        #expect(!row.fields.isEmpty, "\(row.name)")
        var seen: UInt16 = 0
        for field in row.fields {
          #expect(field.lowest + field.width <= 8, "\(row.name).\(field.name)")
          #expect(seen & field.mask == 0, "\(row.name).\(field.name)")
          seen |= field.mask
          #expect(field.codes.keys.allSatisfy { $0 < 1 << field.width })
        }
      }
    }
  }

  @Test func `the sub-address has its read and burst bits on the wire`() throws {
    let log = WireLog()
    let format = WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40)
    var i2c = I2CConnection(WireI2C(log: log), address: 0x1C, format: format)
    var one: InlineArray<1, UInt8> = [0]
    var six: InlineArray<6, UInt8> = [0, 0, 0, 0, 0, 0]
    var span = one.mutableSpan
    try i2c.read(&span, from: 0x0F)
    span = six.mutableSpan
    try i2c.read(&span, from: 0x28)
    try i2c.write(0x7C, to: 0x20)
    var spi = SPIConnection(WireSPI(log: log), format: format)
    span = one.mutableSpan
    try spi.read(&span, from: 0x0F)
    span = six.mutableSpan
    try spi.read(&span, from: 0x28)
    try spi.write(0x7C, to: 0x20)
    #expect(
      log.lines == [
        "1C: 0F, read 1", "1C: A8, read 6", "1C: [32, 124]", "8F, read 1, dummy 0",
        "E8, read 6, dummy 0", "[32, 124]",
      ])
  }
}

/// 256 bytes that respond like registers.
private struct Memory: RegisterBus {
  var bytes = [UInt8](repeating: 0, count: 256)
  /// The value that every read returns, if set.
  var stuck: UInt8?
  var now: Timestamp { .zero }

  func read(_ span: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    for index in span.indices { span[index] = stuck ?? bytes[Int(register) + index] }
  }

  mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    bytes[Int(register)] = value
  }
}

private final class WireLog {
  var lines: [String] = []

  static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }
}

private struct WireI2C: I2CBus {
  let log: WireLog
  var now: Timestamp { .zero }

  func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    log.lines.append("\(WireLog.hex(address)): \(bytes.indices.map { bytes[$0] })")
  }

  func read(_ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8)
    throws(BusError)
  {
    log.lines.append("\(WireLog.hex(address)): \(WireLog.hex(register)), read \(bytes.count)")
  }
}

private struct WireSPI: SPIDevice {
  let log: WireLog
  var now: Timestamp { .zero }

  func write(_ bytes: Span<UInt8>) throws(BusError) {
    log.lines.append("\(bytes.indices.map { bytes[$0] })")
  }

  func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int)
    throws(BusError)
  {
    log.lines.append("\(WireLog.hex(command)), read \(bytes.count), dummy \(dummyBytes)")
  }
}
