// SPDX-License-Identifier: Apache-2.0
import SimulatedBuses
import BusTraces
import Boards
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// Tests of register banks. Bytes are written by hand from the data sheet of the ICM-20948 (TDK
/// DS-000189, 7.1 to 11): REG_BANK_SEL 0x7F is written 0x20 for bank 2, WHO_AM_I 0x00 of bank 0
/// holds 0xEA, and GYRO_CONFIG_1 0x01 of bank 2 holds 0x01 after a reset.
@Suite struct BankTests {
  let model = BankedModel()
  let bench: Bench
  let map = FourBanksMap()

  init() { bench = Bench(model, address: 0x68) }

  var bus: BankedBus<I2CConnection<BenchI2C>> {
    BankedBus(bench.connection, FourBanksMap.window)
  }

  @Test func `a bank is shown when another was, and not else`() throws {
    var bus = bus
    #expect(try bus.read(map.whoAmI).raw == 0xEA)
    _ = try bus.read(map.power1)
    try bus.set(map.gyroConfig1) { $0.range(.dps1000) | $0.filters(true) }
    #expect(try bus.read(map.gyroConfig1)({ $0.range }) == .dps1000)
    _ = try bus.read(map.gyroDivider)
    try bus.modifyAndVerify(map.slave0Address) { $0.value(0x8C) }
    #expect(try bus.read(map.whoAmI).raw == 0xEA)
    try bus.showFirstBank()
    #expect(
      bench.wire == [
        "68W 7F 00", "68W 00 R1 EA", "68W 06 R1 41",
        "68W 7F 20", "68W 01 05", "68W 01 R1 05", "68W 00 R1 00",
        "68W 7F 30", "68W 03 R1 00", "68W 03 8C", "68W 03 R1 8C",
        "68W 7F 00", "68W 00 R1 EA",
      ])
    #expect(model.file[map.gyroConfig1].raw == 0x05 && model.file[map.userControl].raw == 0)
  }

  @Test func `the first bank is shown again for the next program`() throws {
    var bus = bus
    _ = try bus.read(map.gyroConfig1)
    #expect(model.bank == 2)
    try bus.showFirstBank()
    #expect(model.bank == 0 && bench.wire.last == "68W 7F 00")
    let count = bench.wire.count
    try bus.showFirstBank()
    #expect(bench.wire.count == count)
  }

  @Test func `after a restart no cached state is trusted`() throws {
    var bus = bus
    _ = try bus.read(map.gyroConfig1)
    // The supply failed: the chip now shows bank 0, and a write would go there.
    model.powerCycle()
    bus.forgetBank()
    try bus.set(map.gyroConfig1) { $0.range(.dps500) }
    #expect(model.file[map.gyroConfig1].raw == 0x02)
    #expect(bench.wire.suffix(2) == ["68W 7F 20", "68W 01 02"])
  }

  @Test func `after a program writes the selector itself, the cached bank is not trusted`() throws {
    var bus = bus
    _ = try bus.read(map.whoAmI)
    try bus.set(map.bankSelect) { $0.bank(3) }
    #expect(try bus.read(map.whoAmI).raw == 0xEA)
    #expect(bench.wire.suffix(3) == ["68W 7F 30", "68W 7F 00", "68W 00 R1 EA"])
  }

  /// Registers that are the same in all banks are read in whichever bank the chip shows.
  @Test func `registers outside the window need no bank`() throws {
    let window = RegisterWindow(selector: 0x76, field: 0x07, 0x10...0x6F)
    var bus = BankedBus(bench.connection, window)
    _ = try bus.read(RO(0x06, reset: nil))
    _ = try bus.read(RO(0x76, reset: nil))
    #expect(bench.wire.allSatisfy { !$0.hasPrefix("68W 76 0") })
    // A burst that runs into the window needs its bank.
    var bytes: [UInt8] = [0, 0, 0]
    var span = bytes.mutableSpan
    try bus.read(&span, from: 0x0E)
    #expect(bench.wire.suffix(2).first == "68W 76 00")
    // ICM-42688-P data sheet, DS-000347, 12.5: the banks 0, 1, 2 and 4 in bits 2:0.
    #expect(window.contents(selecting: 4) == 0x04 && window.bank(selectedBy: 0xFC) == 4)
    // LSM6DS3TR-C data sheet, DocID030071, 9.2: bank A is 0x80 and bank B is 0xA0.
    let embedded = RegisterWindow(selector: 0x01, field: 0xA0, 0x00...0x7F)
    #expect(embedded.contents(selecting: 4) == 0x80 && embedded.contents(selecting: 5) == 0xA0)
  }

  @Test func `a connection without banks refuses them`() {
    var plain = bench.connection
    let error = #expect(throws: ChipError.self) { _ = try plain.read(map.gyroConfig1) }
    #expect(error == .bus(.unsupported, register: 0x01))
    #expect(bench.wire.isEmpty)
  }

  // MARK: Faults

  /// Changes registers of three banks, twice, and repeats a change that fails until it succeeds.
  /// Returns how often a change failed.
  private func change(_ bus: inout some RegisterBus & ~Copyable) throws -> Int {
    var failures = 0
    for _ in 0..<2 {
      for number in 0..<3 {
        for attempt in 0..<3 {
          do throws(ChipError) {
            switch number {
            case 0: try bus.set(map.gyroConfig1) { $0.range(.dps2000) | $0.filters(true) }
            case 1: try bus.set(map.slave0Address) { $0.value(0x0C) }
            default: try bus.set(map.userControl) { $0.value(0x20) }
            }
            break
          } catch {
            failures += 1
            guard error.busError == .timeout, attempt < 2 else { throw error }
          }
        }
      }
    }
    return failures
  }

  private let wanted: Set<Written> = [
    Written(FlatAddress(bank: 2, 0x01), 0x07), Written(FlatAddress(bank: 3, 0x03), 0x0C),
    Written(FlatAddress(bank: 0, 0x03), 0x20),
  ]

  /// Each of the twelve transactions fails once, before it reaches the chip or after.
  @Test(arguments: 0..<12, [false, true])
  func `no failure writes into another bank`(at number: Int, reachesChip: Bool) throws {
    var bus = bus
    bench.fail(at: number, reachingChip: reachesChip)
    #expect(try change(&bus) == 1)
    #expect(Set(model.writes) == wanted)
    #expect(model.file[map.gyroConfig1].raw == 0x07)
    #expect(model.file[map.slave0Address].raw == 0x0C)
    #expect(model.file[map.userControl].raw == 0x20)
  }

  /// `CarelessBus` does not check that a switch of banks has reached the chip. Each switch that did
  /// not is followed by a write into the bank before, which the test above would find.
  @Test func `a connection that believes too much is found`() throws {
    var found: [Int] = []
    for number in 0..<12 {
      let model = BankedModel()
      let bench = Bench(model, address: 0x68)
      var bus = CarelessBus(bench.connection)
      bench.fail(at: number)
      _ = try change(&bus)
      if Set(model.writes) != wanted { found.append(number) }
    }
    #expect(found == [0, 2, 4, 6, 8, 10])
  }

  // MARK: Tools

  var rows: [RegisterRow] { RegisterRow.rows(of: FourBanksMap()) }

  @Test(arguments: [0, 2] as [UInt8])
  func `the dump names all banks and leaves the one that was seen`(shown: UInt8) throws {
    var bus = bus
    try bus.set(map.gyroConfig1) { $0.range(.dps2000) }
    try bus.set(map.bankSelect) { $0.bank(shown) }
    let port = bench.port
    let dump = RegisterDump(rows) { try? PortRegisters(port).read($0) }
    let expected = """
      0:0x00 whoAmI         0xEA
      0:0x03 userControl    0x00
      0:0x06 power1         0x41           reset=0 sleep=1 clock=1
        0x7F bankSelect     \(shown == 0 ? "0x00           bank=0" : "0x20 * (0x00)  bank=2")
      1:0x14 offsetHigh     0x00
      2:0x00 gyroDivider    0x00
      2:0x01 gyroConfig1    0x06 * (0x01)  filter=0 range=dps2000 filters=0
      3:0x03 slave0Address  0x00

      """
    #expect(dump.text == expected)
    #expect(model.bank == shown)
    #expect(dump.json.contains("\"gyroConfig1\":{\"address\":1,\"bank\":2,\"value\":6,"))
  }

  /// Whichever transaction fails during a dump, the chip shows the same bank after it as before.
  @Test(arguments: 0..<4) func `a dump that fails leaves the bank`(number: Int) throws {
    let row = try #require(rows.first { $0.name == "gyroConfig1" })
    bench.fail(at: number)
    #expect(throws: BusError.timeout) { _ = try PortRegisters(bench.port).read(row) }
    #expect(model.bank == 0)
  }

  @Test func `a register of another bank is written and undone`() throws {
    let plan = try RegisterPlan.of(
      ["gyroConfig1.range=dps500", "2:0x00=9", "userControl=0x20"], rows, bench.port)
    bench.wire = []
    try plan.carryOut(bench.port)
    #expect(
      bench.wire == [
        "68W 7F R1 00", "68W 7F 20", "68W 01 03", "68W 7F 00",
        "68W 7F R1 00", "68W 7F 20", "68W 00 09", "68W 7F 00",
        "68W 7F R1 00", "68W 03 20",
      ])
    #expect(model.file[map.gyroConfig1].raw == 0x03 && model.file[map.gyroDivider].raw == 9)
    #expect(plan.undo == ["userControl=0x00", "gyroDivider=0x00", "gyroConfig1=0x01"])
    let step = try #require(plan.steps.first)
    #expect(
      RegisterDifference(step.row, before: 1, after: 3).text()
        == "2:0x01 gyroConfig1  0x01 -> 0x03  range dps250 -> dps500")
    try RegisterPlan.of(plan.undo, rows, bench.port).carryOut(bench.port)
    #expect(model.file[map.gyroConfig1].raw == 0x01 && model.file[map.gyroDivider].raw == 0)
    #expect(throws: RegisterQueryError.self) { try RegisterQuery("4:0x01=1", among: rows) }
    #expect(try RegisterQuery("3:0x05", among: rows).row.name == "3:0x05")
  }

  /// The socket's requests for 'I' and 0x68: write 0x20 to 0x7F and 0x06 to 0x01, read 0x01 and
  /// 0x00 of that bank, and select bank 0 again.
  @Test func `drivers of others switch banks over the socket`() {
    var conversation = BusConversation()
    var replies: [UInt8] = []
    let requests: [UInt8] = [
      0x49, 0x68, 2, 0, 0, 0, 0x7F, 0x20, 0x49, 0x68, 2, 0, 0, 0, 0x01, 0x06,
      0x49, 0x68, 1, 0, 2, 0, 0x00, 0x49, 0x68, 2, 0, 0, 0, 0x7F, 0x00,
      0x49, 0x68, 1, 0, 2, 0, 0x00,
    ]
    conversation.take(requests.span)
    while conversation.answer(from: bench, into: &replies) {}
    #expect(replies == [0, 0, 0, 0, 0, 0, 0, 2, 0, 0x00, 0x06, 0, 0, 0, 0, 2, 0, 0xEA, 0x00])
    #expect(model.file[map.gyroConfig1].raw == 0x06)
  }

  /// The kernel's adapter selects bank 2 and writes one of its registers in one transfer of two
  /// messages.
  @Test func `the kernel's adapter switches banks`() {
    let record: [UInt8] = [
      0x24, 0, 0, 0, 1, 0, 0, 0, 0x05, 0, 0, 0, 2, 0, 0, 0,  // 36 bytes, I2C, id 5, two messages
      0x68, 0, 0, 0, 2, 0, 0, 0,  // writes two bytes
      0x68, 0, 0, 0, 2, 0, 0, 0,  // writes two more
      0x7F, 0x20, 0x01, 0x06,
    ]
    #expect(bench.answer(kernel: record) == [0x10, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0])
    #expect(model.file[map.gyroConfig1].raw == 0x06 && model.bank == 2)
  }

  // MARK: Traces

  @Test func `what is recorded plays, each bank by itself`() throws {
    let rows = rows.filter { ["whoAmI", "power1", "gyroDivider", "gyroConfig1"].contains($0.name) }
    let recorded = try Recording.of(
      bench, "made-up,banked", rows: rows, window: FourBanksMap.window
    ) { bus in
      try bus.set(map.gyroConfig1) { $0.range(.dps1000) }
      _ = try bus.read(map.whoAmI)
      _ = try bus.read(map.gyroDivider)
      _ = try bus.read(map.gyroConfig1)
    }
    #expect(
      recorded.events == [
        "r 0x7F 1 00", "r 0x00 1 EA", "r 0x7F 1 00", "r 0x06 1 41",
        "r 0x7F 1 00", "w 0x7F 1 20", "r 0x00 1 00", "w 0x7F 1 00",
        "r 0x7F 1 00", "w 0x7F 1 20", "r 0x01 1 01", "w 0x7F 1 00",
        "start", "step", "w 0x7F 1 20", "w 0x01 1 04", "w 0x7F 1 00", "r 0x00 1 EA",
        "w 0x7F 1 20", "r 0x00 1 00", "r 0x01 1 04", "end",
      ])
    let places = RegisterPlaces(FourBanksMap.window)
    let exact = try recorded.chip(places, isExact: true)
    var bus = BankedBus(HostConnection(TracePort(replaying: exact)), FourBanksMap.window)
    try bus.set(map.gyroConfig1) { $0.range(.dps1000) }
    #expect(try bus.read(map.whoAmI).raw == 0xEA)
    #expect(try bus.read(map.gyroDivider).raw == 0)
    #expect(try bus.read(map.gyroConfig1).raw == 0x04)
    #expect(exact.isOver && exact.divergenceCount == 0)

    // Here the trace answers in any order, as a simulated board. Register 0x00 of bank 2 is
    // recorded as well, and is not confused with WHO_AM_I.
    let free = try recorded.chip(places, isExact: false)
    let port = TracePort(free, clock: { .zero }, spend: { _ in })
    let dump = RegisterDump(rows) { try? PortRegisters(port).read($0) }
    #expect(dump.lines.map(\.value) == [0xEA, 0x41, 0x00, 0x04])
    var other = BankedBus(HostConnection(port), FourBanksMap.window)
    try other.set(map.gyroDivider) { $0.value(0x55) }
    #expect(try other.read(map.whoAmI).raw == 0xEA)
    #expect(try other.read(map.gyroDivider).raw == 0x55)
  }

  // MARK: A chip that has banks already

  /// The embedded functions of the LSM6DS3 are a bank: bit 7 of FUNC_CFG_ACCESS 0x01 selects it
  /// (DocID026899, 9.1 and 10). The driver switches without a window; the map gives the window to
  /// the model.
  @Test func `the LSM6DS3's embedded functions are a bank`() throws {
    let window = RegisterWindow(selector: 0x01, field: 0x80, 0x00...0x7F)
    let threshold = Banked(1, LSM6DS3EmbeddedMap().pedoThsReg)
    let bench = Bench(
      LSM6DS3Model(Stillness(), family: .lsm6ds3, clockError: 0), address: 0x6A,
      LSM6DS3Chip.wireFormat)
    var bus = BankedBus(bench.connection, window)
    try bus.set(threshold) { $0.thsMin(0x0A) }
    #expect(try bus.read(threshold).raw == 0x0A)
    #expect(try bus.read(LSM6DS3Map().whoAmI).raw == 0x69)
    #expect(
      bench.wire == [
        "6AW 01 80", "6AW 0F 0A", "6AW 0F R1 0A", "6AW 01 00", "6AW 0F R1 69",
      ])
  }
}

/// A world in which nothing moves.
private final class Stillness: SensorInput {
  func reading(at time: Timestamp) -> ChipReading { ChipReading() }
}
