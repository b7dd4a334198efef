// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// Inner registers. Bytes are written by hand from the data sheet of the ICM-45686 (TDK DS-000489,
/// sections 13 and 16.81 to 16.84): IREG_ADDR_15_8 0x7C, IREG_ADDR_7_0 0x7D, IREG_DATA 0x7E,
/// IREG_DONE in bit 0 of REG_MISC2 0x7F.
@Suite struct IndirectTests {
  let bench = Bench(ICM45686Model(Nothing()), address: 0x68)
  let map = ICM45686Map()

  var bus: IndirectBus<I2CConnection<BenchI2C>> {
    IndirectBus(bench.connection, ICM45686Map.indirect)
  }

  /// SMC_CONTROL_0 0xA258 holds 0x60 after a reset, IPREG_SYS1_REG_166 0xA4A6 0x1B.
  @Test func `an inner register is read by its address, and written with it`() throws {
    var bus = bus
    #expect(try bus.read(map.whoAmI).raw == 0xE9)
    #expect(try bus.read(map.systemControl).raw == 0x60)
    try bus.modifyAndVerify(map.gyroSource) { $0.source(.filtered) }
    #expect(try bus.read(map.power).raw == 0)
    #expect(
      bench.wire == [
        "68W 72 R1 E9",
        "68W 7F R1 01", "68W 7C A2 58", "68W 7F R1 01", "68W 7E R1 60",
        "68W 7F R1 01", "68W 7C A4 A6", "68W 7F R1 01", "68W 7E R1 1B",
        "68W 7F R1 01", "68W 7C A4 A6 5B",
        "68W 7F R1 01", "68W 7C A4 A6", "68W 7F R1 01", "68W 7E R1 5B",
        "68W 10 R1 00",
      ])
  }

  /// INT_PULSE_MIN_ON_INTF0 0xA269 and the three registers after it hold 0x01, SIFS_I3C_STC_CFG
  /// before them 0x23.
  @Test func `several inner registers are several requests`() throws {
    var bus = bus
    let bytes: InlineArray<3, UInt8> = try bus.bytes(from: map.i3cTiming)
    #expect(bytes[0] == 0x23 && bytes[1] == 0x01 && bytes[2] == 0x01)
    #expect(
      bench.wire.filter { $0.hasPrefix("68W 7C") } == [
        "68W 7C A2 68", "68W 7C A2 69", "68W 7C A2 6A",
      ])
  }

  /// A bus whose chip is busy for some reads of the flag, and the transactions on it.
  final class Busy {
    var remaining: Int
    var log: [String] = []

    init(_ remaining: Int) { self.remaining = remaining }
  }

  struct BusyBus: RegisterBus, ~Copyable {
    let chip: Busy

    var now: Timestamp { .zero }

    mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
      chip.log.append("read " + hex([register]))
      guard register == 0x7F else { return bytes[0] = 0x5A }
      // Other bits of the register say nothing.
      bytes[0] = chip.remaining > 0 ? 0xFE : 0x01
      chip.remaining -= 1
    }

    mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {}

    mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
      chip.log.append("write " + hex([register] + bytes.indices.map { bytes[$0] }))
      chip.remaining = 1
    }
  }

  @Test func `a request waits until the chip is done with the one before`() throws {
    let chip = Busy(2)
    var bus = IndirectBus(BusyBus(chip: chip), ICM45686Map.indirect)
    #expect(try bus.read(map.systemControl).raw == 0x5A)
    #expect(
      chip.log == [
        "read 7F", "read 7F", "read 7F", "write 7C A2 58", "read 7F", "read 7F", "read 7E",
      ])
  }

  @Test func `a chip that is never done is a timeout`() {
    let chip = Busy(.max)
    var bus = IndirectBus(BusyBus(chip: chip), ICM45686Map.indirect)
    #expect(throws: ChipError.bus(.timeout, register: 0x58)) {
      try bus.set(map.systemControl) { $0.time(true) }
    }
    // Nothing is requested, and the chip is not asked for ever.
    #expect(chip.log == [String](repeating: "read 7F", count: 16))
  }

  // MARK: Tools

  let rows = RegisterRow.rows(of: ICM45686Map())

  @Test func `a tool names, reads and writes an inner register by its address`() throws {
    let query = try RegisterQuery("0xA267", among: rows)
    #expect(query.row.name == "sensorControl" && query.row.label == "0xA267")
    #expect(try RegisterQuery("sensorControl", among: rows).row.place == query.row.place)
    let unknown = try RegisterQuery("0xA5FF", among: rows)
    #expect(!unknown.isDocumented && unknown.row.label == "0xA5FF")
    for text in ["0xA067", "0xA867", "0x1267"] {
      #expect(throws: RegisterQueryError.self) { _ = try RegisterQuery(text, among: rows) }
    }
    let port = bench.port
    try RegisterPlan.of(["0xA267=2"], rows, port).carryOut(port)
    #expect(try PortRegisters(port).read(query.row) == 0x02)
    #expect(bench.wire.contains("68W 7C A2 67 02"))
    let dump = RegisterDump(rows) { try? PortRegisters(port).read($0) }
    #expect(dump.text.contains("0xA267 sensorControl"))
    let changed = dump.lines.filter { $0.differs == true && $0.row.bank != 0 }
    #expect(changed.map(\.row.name) == ["sensorControl"])
  }

  @Test func `a transfer's bytes belong to the inner register that is selected`() {
    var places = RegisterPlaces(indirect: ICM45686Map.indirect)
    #expect(places.place(of: 0x7E) == FlatAddress(0x7E))
    places.note([0xA4, 0xA6], writtenTo: 0x7C)
    #expect(places.place(of: 0x7E) == FlatAddress(bank: 4, 0xA6))
    #expect(places.place(of: 0x7C, 2) == FlatAddress(bank: 4, 0xA6))
    #expect(places.place(of: 0x10) == FlatAddress(0x10) && places.index(of: 0x7E) < places.count)
    // The chip's memory is not declared.
    places.note([0x00, 0x10], writtenTo: 0x7C)
    #expect(places.place(of: 0x7E) == FlatAddress(0x7E))
  }
}

private final class Nothing: SensorInput {
  func reading(at time: Timestamp) -> ChipReading { ChipReading() }
}
