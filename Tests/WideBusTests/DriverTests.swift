// SPDX-License-Identifier: Apache-2.0
import Simulation
import ChipCatalog
import Quantities
import Registers
import Sensors
import Boards
import Testing

/// Tests of the driver engine with chips that have banks or words.
@Suite struct DriverTests {
  /// Steps a driver for `span`, at the times that its loop gives. Returns the errors that it threw.
  private func run<Chip: RegisterChip, Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Chip, Bus>, _ bench: Bench, for span: TimeSpan
  ) -> [ChipError] {
    let clock = bench.bus.clock
    let end = clock.now + span
    var loop = DriverLoop(due: clock.now)
    var batch = RawBatch()
    var errors: [ChipError] = []
    while max(loop.due, clock.now) < end {
      if loop.due > clock.now { clock.spend(loop.due - clock.now) }
      do throws(ChipError) {
        loop.take(try driver.step(.due, into: &batch), at: clock.now)
      } catch {
        errors.append(error)
        loop.wait(until: clock.now + .milliseconds(1))
      }
      batch.removeAll()
    }
    return errors
  }

  private let started = [
    // The identity is read, and the chip is reset.
    "68W 7F 00", "68W 00 R1 EA", "68W 06 80",
    // The clock is set. A register of bank 1 is written and read until it has the value. Then come
    // the rows of the configuration, the first in bank 0, and their verification.
    "68W 06 01", "68W 7F 10", "68W 14 3C", "68W 14 R1 3C",
    "68W 7F 00", "68W 06 01", "68W 7F 20", "68W 00 04", "68W 01 05", "68W 7F 30", "68W 03 8C",
    "68W 7F 00", "68W 06 R1 01", "68W 7F 20", "68W 00 R1 04", "68W 01 R1 05", "68W 7F 30",
    "68W 03 R1 8C",
    // The chip is left in bank 0 for other programs.
    "68W 7F 00",
  ]

  @Test func `a chip with banks is started, compared and put to sleep in bank 0`() throws {
    let model = BankedModel()
    let bench = Bench(model, address: 0x68)
    var driver = try RegisterDriver<BankedChip, _>(
      BankedBus(bench.connection, FourBanksMap.window), configuration: FixedCodes())
    driver.start()
    #expect(run(&driver, bench, for: .milliseconds(15)) == [])
    #expect(bench.wire == started)
    bench.wire = []
    #expect(run(&driver, bench, for: .milliseconds(45)) == [])
    // The rows are verified one every 10 ms, with bank 0 selected after each.
    #expect(
      bench.wire.prefix(9) == [
        "68W 06 R1 01", "68W 7F 20", "68W 00 R1 04", "68W 7F 00", "68W 7F 20", "68W 01 R1 05",
        "68W 7F 00", "68W 7F 30", "68W 03 R1 8C",
      ])
    #expect(model.bank == 0)
    bench.wire = []
    try driver.stop()
    #expect(bench.wire == ["68W 06 40"])
    #expect(driver.health == Health())
  }

  /// After a brown-out between two steps the chip shows bank 0 again, and all banks have their
  /// reset values.
  @Test func `a chip with banks that lost its supply is set again`() throws {
    let model = BankedModel()
    let bench = Bench(model, address: 0x68)
    var driver = try RegisterDriver<BankedChip, _>(
      BankedBus(bench.connection, FourBanksMap.window), configuration: FixedCodes())
    driver.start()
    _ = run(&driver, bench, for: .milliseconds(25))
    model.powerCycle()
    let errors = run(&driver, bench, for: .milliseconds(100))
    #expect(
      errors == [
        .rejectedWord(FlatAddress(bank: 2, 0x00), wrote: 0x0004, readBack: 0x0000)
      ])
    #expect(driver.health.misconfigurations == 1 && driver.health.restarts == 1)
    #expect(model.file[FourBanksMap().gyroConfig1].raw == 0x05)
    #expect(model.file[FourBanksMap().slave0Address].raw == 0x8C)
  }

  /// Each transaction up to the second round of comparisons fails once, before it reaches the chip
  /// or after.
  @Test(arguments: 0..<36, [false, true])
  func `no failure of a start configures another bank`(at number: Int, reachesChip: Bool) throws {
    let model = BankedModel()
    let bench = Bench(model, address: 0x68)
    var driver = try RegisterDriver<BankedChip, _>(
      BankedBus(bench.connection, FourBanksMap.window), configuration: FixedCodes())
    driver.start()
    bench.fail(at: number, reachingChip: reachesChip)
    let errors = run(&driver, bench, for: .milliseconds(150))
    #expect(errors.count <= 1 && driver.health.busErrors == 1)
    let map = FourBanksMap()
    let wanted: Set<Written> = [
      Written(FlatAddress(0x06), 0x80), Written(FlatAddress(0x06), 0x01),
      Written(FlatAddress(bank: 1, 0x14), 0x3C), Written(FlatAddress(bank: 2, 0x00), 0x04),
      Written(FlatAddress(bank: 2, 0x01), 0x05), Written(FlatAddress(bank: 3, 0x03), 0x8C),
    ]
    #expect(Set(model.writes) == wanted)
    #expect(model.file[map.power1].raw == 0x01 && model.file[map.userControl].raw == 0)
    #expect(model.file[map.gyroDivider].raw == 4 && model.file[map.gyroConfig1].raw == 5)
    #expect(model.file[map.slave0Address].raw == 0x8C && model.file[map.offsetHigh].raw == 0x3C)
    #expect(model.bank == 0)
  }

  @Test func `a chip of words is started and compared`() throws {
    let model = WordModel()
    let bench = Bench(model, address: 0x60, words: .lowFirst)
    var driver = try RegisterDriver<WordChip, _>(bench.connection, configuration: FixedCodes())
    driver.start()
    #expect(run(&driver, bench, for: .milliseconds(5)) == [])
    #expect(
      bench.wire == [
        "60W 0C R1 86", "60W 03 01 00", "60W 03 R2 01 00", "60W 00 40 00", "60W 03 00 08",
        "60W 00 R2 40 00", "60W 03 R2 00 08",
      ])
    bench.wire = []
    #expect(run(&driver, bench, for: .milliseconds(25)) == [])
    #expect(bench.wire.prefix(2) == ["60W 00 R2 40 00", "60W 03 R2 00 08"])
    model.powerCycle()
    let errors = run(&driver, bench, for: .milliseconds(60))
    #expect(errors.count == 1)
    #expect(
      errors.allSatisfy {
        $0 == .rejectedWord(FlatAddress(0x00), wrote: 0x0040, readBack: 0x0001)
          || $0 == .rejectedWord(FlatAddress(0x03), wrote: 0x0800, readBack: 0x0001)
      })
    #expect(driver.health.misconfigurations == 1)
    #expect(model.file[WordMap().proximityConfiguration].raw == 0x0800)
    try driver.stop()
    #expect(bench.wire.last == "60W 00 01 00")
  }
}
