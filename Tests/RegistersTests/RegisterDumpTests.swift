// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Registers
import Testing

private enum Speed: UInt8, FieldValue, CaseIterable { case slow = 0, fast = 2 }

private struct Map: RegisterMap {
  struct Control: Sendable {
    let speed = Bits<Speed>(4...5)
    let enable = Bit(7)
    let count = Bits<UInt8>(0...2)
  }
  let control = Register(0x20, RW.self, reset: 0x00, Control())
  let id = Register(0x0F, RO.self, reset: 0x3D)
  let status = Register(0x21, RO.self, reset: 0x00, effect: .clears)
  let queue = Register(0x22, RO.self, reset: nil, effect: .popsQueue)
  let command = Register(0x23, WO.self, reset: nil)
  let output = Register(0x24, RO.self, reset: nil)
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
        0x22 queue    --         not read: each read takes a byte out of the queue
        0x23 command  --         write only
        0x24 output   0xFE

        """)
  }

  /// What changes by being read is read only when asked for, and never what cannot be read.
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

  /// A code without a name is shown as it is, and marked.
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
