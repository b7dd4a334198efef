// SPDX-License-Identifier: Apache-2.0
import BusTesting
import Quantities
import Registers
import Testing

@Suite struct TypedAccessTests {
  struct Layout: Sendable {
    let level = Bits(2...3)
    let flag = Bit(7)
  }

  let register = RW(0x21, Layout())

  func script(_ expected: [Transaction], faults: [Int: BusError] = [:]) -> Script {
    Script(expected, faults: faults) { Issue.record("\($0)") }
  }

  @Test func `set writes zeros elsewhere`() throws {
    let script = script([.write(0x21, 0x88)])
    var bus = script.bus
    try bus.set(register) { $0.flag(true) | $0.level(2) }
    #expect(script.finish() == [])
  }

  @Test func `modify leaves reserved bits`() throws {
    let script = script([.read(0x21, [0x73]), .write(0x21, 0xFB)])
    var bus = script.bus
    try bus.modify(register) { $0.flag(true) | $0.level(2) }
    #expect(script.finish() == [])
  }

  @Test func `modify and verify reads again`() throws {
    let script = script([.read(0x21, [0x55]), .write(0x21, 0x59), .read(0x21, [0x59])])
    var bus = script.bus
    try bus.modifyAndVerify(register) { $0.level(2) }
    #expect(script.finish() == [])
  }

  @Test func `a field that does not keep its value is rejected`() {
    let script = script([.read(0x21, [0x00]), .write(0x21, 0x08), .read(0x21, [0x04])])
    var bus = script.bus
    do throws(ChipError) {
      try bus.modifyAndVerify(register) { $0.level(2) }
      Issue.record("accepted")
    } catch { #expect(error == .rejected(register: 0x21, wrote: 0x08, readBack: 0x04)) }
    #expect(script.finish() == [])
  }

  @Test func `errors carry the register`() {
    let script = script(
      [.read(0x21, [0]), .read(0x21, [0]), .write(0x21, 0x80), .write(0x21, 0x00)],
      faults: [0: .noAcknowledge, 2: .timeout, 3: .arbitrationLost])
    var bus = script.bus
    do throws(ChipError) {
      _ = try bus.read(register)
      Issue.record("read")
    } catch { #expect(error == .bus(.noAcknowledge, register: 0x21)) }
    do throws(ChipError) {
      try bus.modify(register) { $0.flag(true) }
      Issue.record("modified")
    } catch { #expect(error == .bus(.timeout, register: 0x21)) }
    do throws(ChipError) {
      try bus.write(RegisterValue(register) { _ in .nothing })
      Issue.record("written")
    } catch { #expect(error == .bus(.arbitrationLost, register: 0x21)) }
    #expect(script.finish() == [])
  }

  @Test func `a line of a table is compared whole`() throws {
    let script = script([.write(0x21, 0x04), .read(0x21, [0x04]), .read(0x21, [0x44])])
    var bus = script.bus
    let line = RegisterValue(register) { $0.level(1) }
    try bus.write(line)
    try bus.verify(line)
    do throws(ChipError) {
      try bus.verify(line)
      Issue.record("accepted")
    } catch { #expect(error == .rejected(register: 0x21, wrote: 0x04, readBack: 0x44)) }
    #expect(script.finish() == [])
  }
}

@Suite struct BusTestingTests {
  @Test func `the script says what differed`() throws {
    let script = Script([.write(0x10, 1), .read(0x11, [2, 3]), .write(0x12, 4)]) {
      Issue.record("\($0)")
    }
    var bus = script.bus
    try bus.write(9, to: 0x10)
    var byte: [UInt8] = [0xEE]
    var span = byte.mutableSpan
    try bus.read(&span, from: 0x11)
    #expect(
      script.finish() == [
        "0: expected write 10: 01, came write 10: 09",
        "1: expected read 11: 02 03, came read 11: 00",
        "2: expected write 12: 04, nothing came",
      ])
    #expect(byte == [0])
    try bus.write(4, to: 0x12)
    try bus.write(5, to: 0x13)
    #expect(script.finish().last == "3: expected nothing, came write 13: 05")
  }

  @Test func `a script that is never finished is reported`() {
    var reported: [String] = []
    do { _ = Script([.write(1, 2)]) { reported.append($0) } }
    #expect(reported == ["a script of 1 transactions was never finished"])
    do {
      let script = Script([]) { reported.append($0) }
      #expect(script.finish() == [])
    }
    #expect(reported.count == 1)
  }

  @Test func `the clock is the one of the test`() {
    let script = Script([]) { Issue.record("\($0)") }
    let bus = script.bus
    let before = bus.now
    script.advance(by: .milliseconds(3))
    let after = bus.now
    #expect(after - before == .milliseconds(3))
    #expect(script.finish() == [])
  }

  @Test func `a planned failure comes at its place and does not reach the bus`() throws {
    let script = Script([.write(1, 10), .write(1, 12)]) { Issue.record("\($0)") }
    let log = TransactionLog()
    var bus = RecordingBus(FailingBus(script.bus, at: 1, throwing: .timeout), into: log)
    try bus.write(10, to: 1)
    do throws(BusError) {
      try bus.write(11, to: 1)
      Issue.record("written")
    } catch { #expect(error == .timeout) }
    try bus.write(12, to: 1)
    #expect(log.transactions == [.write(1, 10), .write(1, 12)])
    #expect(log.failures == 1)
    #expect(script.finish() == [])
  }
}
