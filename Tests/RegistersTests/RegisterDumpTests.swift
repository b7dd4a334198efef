// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Registers
import Testing

private enum Speed: UInt8, FieldValue, CaseIterable { case slow = 0, fast = 2 }

private struct Map: RegisterMap {
  struct Control: Sendable {
    let speed = Bits<Speed>(4...5)
    let enable = Bit(7)
    let count = Bits(0...2)
  }
  let control = RW(0x20, Control())
  let id = RO(0x0F, reset: 0x3D)
  let status = RO(0x21, effect: .clears)
  let queue = RO(0x22, reset: nil, effect: .popsQueue)
  let command = WO(0x23, reset: nil)
  let output = RO(0x24, reset: nil)
  init() {}
}

private struct Runs: RegisterMap {
  let out = RO.axisWords(0x03, .lowFirst, reset: 0x8001)
  let trim = RW.words(0x10, .highFirst, count: 2, reset: nil)
  let temperature = RO.words(0x20, .highFirst, reset: 0x1234, effect: .popsQueue)
  let offset = RW.axes(0x30, reset: 0x05)
  let time = RO.bytes(0x40, 3)
  let range = RW(0x50, Bits<Speed>(4...5))
  init() {}
}

@Suite struct RegisterDumpTests {
  private let rows = RegisterRow.rows(of: Map())

  @Test func `a dump shows each register, its fields and why it was not read`() {
    let contents: [UInt8: UInt16] = [0x0F: 0x3D, 0x20: 0xA3, 0x21: 1, 0x22: 2, 0x24: 0xFE]
    let dump = RegisterDump(rows) { contents[$0.address] }
    #expect(
      dump.text == """
        0x0F id       0x3D
        0x20 control  0xA3 * (0x00)  enable=1 speed=fast count=3
        0x21 status   --         not read: reading clears it
        0x22 queue    --         not read: each read removes a byte from the FIFO
        0x23 command  --         write only
        0x24 output   0xFE

        """)
  }

  /// Names and contents are typed by hand: byte by byte, in the order on the bus.
  @Test func `bytes in a row have a row each, named and reset as they travel`() {
    let rows = RegisterRow.rows(of: Runs())
    #expect(
      rows.map { "\(hexadecimal($0.address)) \($0.name) \($0.reset.map { $0 } ?? 0xFFFF)" } == [
        "03 outXLow 1", "04 outXHigh 128", "05 outYLow 1", "06 outYHigh 128", "07 outZLow 1",
        "08 outZHigh 128", "10 trim1High 65535", "11 trim1Low 65535", "12 trim2High 65535",
        "13 trim2Low 65535", "20 temperatureHigh 18", "21 temperatureLow 52", "30 offsetX 5",
        "31 offsetY 5", "32 offsetZ 5", "40 time0 0", "41 time1 0", "42 time2 0", "50 range 0",
      ])
    #expect(
      rows.filter(\.isWritable).count == 8 && rows.filter { $0.effect == .popsQueue }.count == 2)
    #expect(Runs().out[5].address == 0x08 && Runs().out.first.reset == 0x01)
  }

  /// The field has the name of its register, and its codes have names.
  @Test func `a field alone is shown by the name of its code`() {
    let rows = RegisterRow.rows(of: Runs()).filter { $0.name == "range" }
    #expect(RegisterDump(rows) { _ in 0x20 }.text == "0x50 range  0x20 * (0x00)  value=fast\n")
    #expect(RegisterValue(Runs().range) { $0(.fast) }.value == 0x20)
  }

  /// Registers with read side effects are read only if forced, and unreadable ones never.
  @Test func `a forced dump reads all that can be read`() {
    var asked: [UInt8] = []
    let dump = RegisterDump(rows, isForced: true) {
      asked.append($0.address)
      return 0
    }
    #expect(asked == [0x0F, 0x20, 0x21, 0x22, 0x24])
    #expect(dump.lines.map(\.value) == [0, 0, 0, 0, nil, 0])
    #expect(dump.lines.map(\.differs) == [true, false, false, nil, nil, nil])
  }

  @Test func `a code without a name is shown as it is, and marked`() {
    let dump = RegisterDump(rows) { $0.address == 0x20 ? 0x10 : nil }
    #expect(dump.text.contains("enable=0 speed=1? count=0"))
    #expect(dump.text.contains("0x0F id       --         no answer"))
  }

  @Test func `a dump as JSON has names, values and fields`() {
    let dump = RegisterDump(Array(rows.prefix(2))) { $0.address == 0x0F ? 0x3D : 0xA3 }
    #expect(
      dump.json
        == "{\"id\":{\"address\":15,\"value\":61,\"reset\":61,\"differs\":false,\"fields\":{\"value\":61}},"
        + "\"control\":{\"address\":32,\"value\":163,\"reset\":0,\"differs\":true,"
        + "\"fields\":{\"enable\":1,\"speed\":\"fast\",\"count\":3}}}")
  }
}
