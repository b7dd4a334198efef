// SPDX-License-Identifier: Apache-2.0
import SimulatedBuses
import BusTraces
import Boards
import ChipCatalog
import Quantities
import Registers
import Testing

/// Tests of 16-bit registers. Bytes are written by hand from the data sheet of the VCNL4040 (Vishay
/// 84274; write and read word in "Register function"; table 14, ID_L 0x86, ID_H 0x01).
@Suite struct WordTests {
  let model = WordModel()
  let bench: Bench
  let map = WordMap()

  init() { bench = Bench(model, address: 0x60, words: .lowFirst) }

  @Test func `words are read, written, changed and compared, the low byte first`() throws {
    var bus = bench.connection
    let identity = try bus.read(map.identity)
    #expect(identity.raw == 0x0186)
    #expect(identity({ $0.device }) == 0x86 && identity({ $0.version }) == 1)
    // ALS_IT is 160 ms, and the sensor is on.
    try bus.set(map.ambientConfiguration) { $0.integrationTime(.ms160) }
    // PS_CONF1 has duty 1/320 and 8T; PS_CONF2 has 16 bits.
    try bus.set(map.proximityConfiguration) {
      $0.duty(3) | $0.integrationTime(7) | $0.highResolution(true)
    }
    try bus.modifyAndVerify(map.proximityConfiguration) { $0.interrupt(1) }
    #expect(
      bench.wire == [
        "60W 0C R2 86 01", "60W 00 40 00", "60W 03 CE 08", "60W 03 R2 CE 08", "60W 03 CE 09",
        "60W 03 R2 CE 09",
      ])
    #expect(try bus.read(map.ambientConfiguration)({ $0.integrationTime }) == .ms160)
    #expect(model.file[map.proximityConfiguration].raw == 0x09CE)
  }

  @Test func `the high byte can be the first`() throws {
    struct Model: RegisterMap {
      let word = WideRegister(0x02, .highFirst, ReadWrite.self, reset: 0x1234)
      init() {}
    }
    final class Words: QuietModel {
      var file = RegisterFile(Model())
      override func readWord(_ register: UInt8) -> UInt16 { file[word: register] }
      override func writeWord(_ word: UInt16, to register: UInt8) {
        file.store(word, at: register)
      }
    }
    let bench = Bench(Words(), address: 0x40, words: .highFirst)
    var bus = bench.connection
    #expect(try bus.read(Model().word).raw == 0x1234)
    try bus.set(Model().word) { $0.value(0xABCD) }
    #expect(try bus.read(Model().word).raw == 0xABCD)
    #expect(bench.wire == ["40W 02 R2 12 34", "40W 02 AB CD", "40W 02 R2 AB CD"])
  }

  @Test func `a row of a table is written and compared whole`() throws {
    var bus = bench.connection
    let row = WideValue(map.proximityConfiguration) { $0.duty(1) }
    try row.write(to: &bus)
    try row.verify(on: &bus)
    model.powerCycle()
    let error = #expect(throws: ChipError.self) { try row.verify(on: &bus) }
    #expect(error == .rejectedWord(FlatAddress(0x03), wrote: 0x0040, readBack: 0x0001))
  }

  @Test func `an error says which register`() throws {
    var bus = bench.connection
    bench.fail(at: 1)
    let error = #expect(throws: ChipError.self) {
      try bus.modify(map.ambientConfiguration) { $0.shutDown(false) }
    }
    #expect(error == .bus(.timeout, register: 0x00))
    #expect(model.file[map.ambientConfiguration].raw == 0x0001)
  }

  /// Read-only bits and registers keep their values, and a write of half a word changes nothing.
  @Test func `the model takes whole words and bits that it has`() throws {
    var bus = bench.connection
    let half: [UInt8] = [0xFF]
    try bus.write(half.span, to: 0x07)
    #expect(model.file[map.proximityHigh].raw == 0)
    let word: [UInt8] = [0xFF, 0xFF]
    try bus.write(word.span, to: 0x00)
    #expect(model.file[map.ambientConfiguration].raw == 0x00CF)
    try bus.write(word.span, to: 0x0C)
    #expect(model.file[map.identity].raw == 0x0186)
    // A read of more bytes gets the same word again.
    var four: [UInt8] = [0, 0, 0, 0]
    var span = four.mutableSpan
    try bus.read(&span, from: 0x0C)
    #expect(four == [0x86, 0x01, 0x86, 0x01])
  }

  @Test func `the dump shows words`() throws {
    let port = bench.port
    try PortRegisters(port).write(0x0A41, to: try #require(rows.first { $0.address == 0x03 }))
    let dump = RegisterDump(rows) { try? PortRegisters(port).read($0) }
    #expect(
      dump.text == """
        0x00 ambientConfiguration    0x0001             integrationTime=ms80 persistence=0 interruptEnable=0 shutDown=1
        0x03 proximityConfiguration  0x0A41 * (0x0001)  highResolution=1 interrupt=2 duty=1 persistence=0 integrationTime=0 shutDown=1
        0x07 proximityHigh           0x0000
        0x08 proximity               0x0000
        0x0C identity                0x0186             address=0 version=1 device=134

        """)
    #expect(dump.json.contains("\"identity\":{\"address\":12,\"value\":390,\"reset\":390,"))
    #expect(bench.wire.first == "60W 03 41 0A")
  }

  var rows: [RegisterRow] { RegisterRow.rows(of: WordMap()) }

  @Test func `a field of a word is written, reported and undone`() throws {
    let plan = try RegisterPlan.of(
      ["proximityConfiguration.duty=2", "proximityHigh=0x1234", "0x03.highResolution=on"], rows,
      bench.port)
    #expect(plan.undo == ["proximityHigh=0x0000", "proximityConfiguration=0x0001"])
    try plan.carryOut(bench.port)
    #expect(
      bench.wire == [
        "60W 03 R2 01 00", "60W 07 R2 00 00", "60W 03 81 08", "60W 07 34 12",
      ])
    let step = try #require(plan.steps.first)
    #expect(
      RegisterDifference(step.row, before: 0x0001, after: 0x0881).text()
        == "0x03 proximityConfiguration  0x0001 -> 0x0881  highResolution 0 -> 1, duty 0 -> 2")
    try RegisterPlan.of(plan.undo, rows, bench.port).carryOut(bench.port)
    #expect(model.file[map.proximityConfiguration].raw == 0x0001)
    #expect(model.file[map.proximityHigh].raw == 0)
    #expect(throws: RegisterQueryError.self) {
      try RegisterQuery("proximityHigh=0x10000", among: rows)
    }
  }

  /// The request to the socket of `otolith simulate`, typed by hand: 'I', 0x60, one byte out, two
  /// in, 0x0C.
  @Test func `drivers of others read words over the socket`() {
    var conversation = BusConversation()
    var replies: [UInt8] = []
    let requests: [UInt8] = [
      0x49, 0x60, 1, 0, 2, 0, 0x0C, 0x49, 0x60, 3, 0, 0, 0, 0x07, 0x34, 0x12, 0x49, 0x60, 1, 0, 2,
      0, 0x07,
    ]
    conversation.take(requests.span)
    while conversation.answer(from: bench, into: &replies) {}
    #expect(replies == [0, 2, 0, 0x86, 0x01, 0, 0, 0, 0, 2, 0, 0x34, 0x12])
    #expect(model.file[map.proximityHigh].raw == 0x1234)
  }

  /// The kernel's adapter writes and then reads a word, in records of the virtual bench that are
  /// typed by hand.
  @Test func `the kernel's adapter moves words`() {
    let write: [UInt8] = [
      0x1B, 0, 0, 0, 1, 0, 0, 0, 0x01, 0, 0, 0, 1, 0, 0, 0,  // 27 bytes, I2C, id 1, one message
      0x60, 0, 0, 0, 3, 0, 0, 0,  // writes three bytes to 0x60
      0x07, 0x34, 0x12,
    ]
    #expect(bench.answer(kernel: write) == [0x10, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    let read: [UInt8] = [
      0x21, 0, 0, 0, 1, 0, 0, 0, 0x02, 0, 0, 0, 2, 0, 0, 0,  // 33 bytes, I2C, id 2, two messages
      0x60, 0, 0, 0, 1, 0, 0, 0,  // writes one byte
      0x60, 0, 1, 0, 2, 0, 0, 0,  // reads two bytes
      0x0C,
    ]
    #expect(
      bench.answer(kernel: read)
        == [0x12, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0x86, 0x01])
    #expect(model.file[map.proximityHigh].raw == 0x1234)
  }

  @Test func `what is recorded plays, and answers as a chip`() throws {
    let recorded = try Recording.of(bench, "made-up,words", rows: rows) { bus in
      try bus.set(map.ambientConfiguration) { $0.integrationTime(.ms160) }
      _ = try bus.read(map.identity)
      try bus.modify(map.proximityConfiguration) { $0.duty(3) }
    }
    #expect(
      recorded.events == [
        "r 0x00 2 0100", "r 0x03 2 0100", "r 0x07 2 0000", "r 0x08 2 0000", "r 0x0C 2 8601",
        "start", "step", "w 0x00 2 4000", "r 0x0C 2 8601", "r 0x03 2 0100", "w 0x03 2 C100",
        "end",
      ])
    let places = RegisterPlaces(countsWords: true)
    let exact = try recorded.chip(places, isExact: true)
    var bus = HostConnection(TracePort(replaying: exact))
    try bus.set(map.ambientConfiguration) { $0.integrationTime(.ms160) }
    #expect(try bus.read(map.identity).raw == 0x0186)
    try bus.modify(map.proximityConfiguration) { $0.duty(3) }
    #expect(exact.isOver && exact.divergenceCount == 0)
    // This trace answers in any order. A register that was not read has its value before the start.
    let free = try recorded.chip(places, isExact: false)
    let port = TracePort(free, clock: { .zero }, spend: { _ in })
    let dump = RegisterDump(rows) { try? PortRegisters(port).read($0) }
    #expect(dump.lines.map(\.value) == [0x0001, 0x0001, 0x0000, 0x0000, 0x0186])
    var other = HostConnection(port)
    try other.set(map.proximityHigh) { $0.value(0x0FF0) }
    #expect(try other.read(map.proximityHigh).raw == 0x0FF0)
  }
}
