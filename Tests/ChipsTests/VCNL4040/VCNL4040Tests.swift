// SPDX-License-Identifier: Apache-2.0
import Simulation
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Boards
import Testing

// Command codes, bits and scales are typed from Vishay document 84274 revision 1.4 (table 1 and
// basic characteristics); the bits of tables 2 to 15 are those of SparkFun's and Adafruit's
// libraries.
@Suite struct VCNL4040Tests {
  func rig(light: Double = 320, near: Double = 0.25) -> Rig {
    let rig = Rig(at: 0x60, WireFormat(), words: .lowFirst) { VCNL4040Model($0) }
    rig.world.held.scalars[.illuminance] = light
    rig.world.held.scalars[.proximity] = near
    return rig
  }

  /// PS_CONF1, 2: 8T, 16 bits; PS_CONF3, PS_MS: active force, white off, 200 mA; ALS_CONF: 80 ms,
  /// off; PS_CANC.
  static let table: [(UInt8, [UInt8])] = [
    (0x03, [0x0E, 0x08]), (0x04, [0x08, 0x87]), (0x00, [0x01, 0x00]), (0x05, [0x00, 0x00]),
  ]

  @Test func `a start and each measurement are the transactions typed by hand`() throws {
    let rig = rig()
    var driver = VCNL4040(rig.wire())
    let chosen = try driver.configure(SensorSettings(rate: 10))
    #expect(chosen.rate == 10 && abs(chosen.illuminanceRange - 6553.5) < 1e-9)
    driver.start()
    let begin = rig.clock.now
    let outcome = rig.run(&driver, for: .seconds(2))
    let start: [Transaction] =
      [.read(0x0C, [0x86])] + Self.table.map { .writeBlock($0, $1) }
      + Self.table.map { .read($0, $1) }
    // PS_TRIG and the light on; what a power failure would have changed, ALS_Data, PS_Data; off.
    let measurement: [Transaction] = [
      .writeBlock(0x04, [0x0C, 0x87]), .writeBlock(0x00, [0x00, 0x00]), .read(0x03, [0x0E, 0x08]),
      .read(0x09, [0x80, 0x0C]), .read(0x08, [0x00, 0x40]), .writeBlock(0x00, [0x01, 0x00]),
    ]
    #expect(Array(rig.log.transactions.prefix(start.count + 6)) == start + measurement)
    #expect(outcome.errors == [] && outcome.missing == 0 && outcome.isOrdered)
    #expect((19...20).contains(outcome.frames.count))
    let first = try #require(outcome.frames.first)
    // The light's 80 ms begin after the start's 5.
    #expect(abs((first.time - begin).seconds - 0.086) < 0.002)
    #expect(first.reading.channels == [.illuminance, .proximity])
    #expect(abs(first.reading.scalars[.illuminance] - 320) < 1e-9)
    #expect(abs(first.reading.scalars[.proximity] - 16384 / 65535.0) < 1e-12)
  }

  struct Row: Sendable {
    var rate: Double
    var light: Double
    var bits: UInt8
    var range: Double
  }

  /// ALS_IT, bits 7:6: 80, 160, 320 and 640 ms; 0.1, 0.05, 0.025 and 0.0125 lx a count.
  static let rows = [
    Row(rate: 10, light: 6500, bits: 0x00, range: 6553.5),
    Row(rate: 10, light: 100, bits: 0x00, range: 6553.5),
    Row(rate: 5, light: 100, bits: 0x40, range: 3276.75),
    Row(rate: 2.5, light: 100, bits: 0x80, range: 1638.375),
    Row(rate: 1.25, light: 100, bits: 0xC0, range: 819.1875),
    Row(rate: 1, light: 1000, bits: 0x80, range: 1638.375),
    Row(rate: 0.5, light: 5000, bits: 0x00, range: 6553.5),
  ]

  @Test(arguments: rows)
  func `the integration is the longest that rate and range allow`(_ row: Row) throws {
    let rig = rig()
    var driver = VCNL4040(rig.wire())
    var settings = SensorSettings(rate: row.rate)
    settings.illuminanceRange = row.light
    let chosen = try driver.configure(settings)
    #expect(chosen.rate == row.rate && abs(chosen.illuminanceRange - row.range) < 1e-9)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1) + TimeSpan(seconds: 4 / row.rate))
    #expect(rig.model.readWord(0x00) & 0xFFFE == UInt16(row.bits))
    #expect(outcome.frames.count >= 4 && outcome.errors == [])
    let count = row.range / 65535
    for frame in outcome.frames {
      #expect(abs(frame.reading.scalars[.illuminance] - 320) <= count / 2)
    }
  }

  @Test func `rates and ranges are offered`() {
    let driver = VCNL4040(rig().wire())
    #expect((0...5).map { driver.rate(at: $0) } == [10, 5, 2.5, 1.25, 1.0 / 60, nil])
    let ranges = (0...4).map { driver.range(of: .illuminance, at: $0) }
    #expect(ranges[4] == nil)
    for (range, expected) in zip(ranges, [819.1875, 1638.375, 3276.75, 6553.5]) {
      #expect(abs((range ?? 0) - expected) < 1e-9)
    }
    #expect(driver.range(of: .proximity, at: 0) == nil)
  }

  @Test(arguments: [(0, 6553.5), (1, 3276.75), (2, 1638.375), (3, 819.1875)] as [(UInt8, Double)])
  func `both ends of the counts are dark and the full range`(_ code: UInt8, _ range: Double) {
    var batch = RawBatch()
    (batch.frames, batch.frameSize) = (4, 4)
    batch.format[0] = code
    for index in [4, 5, 10, 11, 12, 13, 14, 15] { batch.bytes[index] = 0xFF }
    let readings = (0..<4).map { VCNL4040Decoder.decode(batch, frame: $0) }
    let (dark, bright, near) = (readings[0].scalars, readings[1].scalars, readings[2].scalars)
    #expect(dark[.illuminance] == 0 && dark[.proximity] == 0)
    #expect(abs(bright[.illuminance] - range) < 1e-9 && bright[.proximity] == 0)
    #expect(near[.illuminance] == 0 && near[.proximity] == 1)
    // All ones are a bus that no chip drives.
    #expect(readings.map(\.invalid) == [[], [], [], VCNL4040Chip.channels])
    #expect(readings[3].channels.isEmpty && readings[3].fault == .ones)
    #expect(VCNL4040Decoder(batch).invalidFrames(batch) == 1)
  }

  /// PS_SD and ALS_SD are set after power-up, and what is read is 0.
  @Test(arguments: [10, 60, 93] as [Int64])
  func `a power failure is no darkness`(_ milliseconds: Int64) throws {
    let rig = rig()
    var driver = VCNL4040(rig.wire())
    _ = try driver.configure(SensorSettings(rate: 10))
    driver.start()
    rig.run(&driver, for: .seconds(1) + .milliseconds(milliseconds))
    rig.model.powerCycle()
    rig.run(&driver, for: .seconds(1))
    let outcome = rig.outcome
    #expect(outcome.errors.count == 1)
    #expect(outcome.frames.allSatisfy { abs($0.reading.scalars[.illuminance] - 320) < 0.1 })
    #expect(outcome.frames.count >= 17 && outcome.isOrdered)
    let health = driver.health
    #expect(health.misconfigurations == 1 && health.restarts == 1)
  }

  @Test func `stopping switches the light sensor off`() throws {
    let rig = rig()
    var driver = VCNL4040(rig.wire())
    driver.start()
    rig.run(&driver, for: .milliseconds(50))
    #expect(rig.model.readWord(0x00) == 0x0000)
    try driver.stop()
    #expect(rig.model.readWord(0x00) == 0x0001)
  }

  // MARK: The model by hand

  @Test func `the model measures light while it is on, and starts again`() {
    let bench = ModelBench(words: .lowFirst) { VCNL4040Model($0) }
    bench.world.held.scalars[.illuminance] = 100
    #expect(bench.read(0x0C, 2) == [0x86, 0x01])
    bench.at(500)
    #expect(bench.read(0x09, 2) == [0, 0])
    bench.write(0x00, 0xC0, 0x00)
    bench.at(1139)
    #expect(bench.read(0x09, 2) == [0, 0])
    bench.at(1141)
    // 8000 counts of 0.0125 lx.
    #expect(bench.read(0x09, 2) == [0x40, 0x1F])
    bench.write(0x00, 0x01)
    bench.write(0x00, 0x01, 0x00)
    bench.world.held.scalars[.illuminance] = 7000
    bench.at(3000)
    #expect(bench.read(0x09, 2) == [0x40, 0x1F])
    bench.write(0x00, 0x00, 0x00)
    bench.at(3081)
    #expect(bench.read(0x09, 2) == [0xFF, 0xFF])
    #expect(bench.read(0x0A, 2) == [0xFF, 0xFF])
  }

  @Test func `the model measures proximity over and over, or once`() {
    let bench = ModelBench(words: .lowFirst) { VCNL4040Model($0) }
    bench.world.held.scalars[.proximity] = 0.5
    bench.at(10)
    bench.write(0x03, 0x00, 0x00)
    // 1T at 1/40: 5 ms. Twelve bits.
    bench.at(16)
    #expect(bench.read(0x08, 2) == [0x00, 0x08])
    bench.write(0x03, 0x00, 0x08)
    bench.world.held.scalars[.proximity] = 1
    bench.at(22)
    #expect(bench.read(0x08, 2) == [0xFF, 0xFF])
    // Active force mode rests until it is triggered: 8T at 1/40 are 40 ms.
    bench.write(0x03, 0x0E, 0x08)
    bench.write(0x04, 0x08, 0x00)
    bench.world.held.scalars[.proximity] = 0.25
    bench.at(200)
    #expect(bench.read(0x08, 2) == [0xFF, 0xFF])
    bench.write(0x04, 0x0C, 0x00)
    bench.at(239)
    #expect(bench.read(0x04, 2) == [0x0C, 0x00] && bench.read(0x08, 2) == [0xFF, 0xFF])
    bench.at(241)
    #expect(bench.read(0x04, 2) == [0x08, 0x00] && bench.read(0x08, 2) == [0x00, 0x40])
    bench.world.held.scalars[.proximity] = 0
    bench.at(400)
    #expect(bench.read(0x08, 2) == [0x00, 0x40])
  }

  /// SparkFun's and Adafruit's libraries keep the bus between the command code and the words.
  @Test func `a read after a stop gets no acknowledge`() throws {
    let rig = rig()
    var word: InlineArray<2, UInt8> = [0, 0]
    var span = word.mutableSpan
    let (command, none): (InlineArray<1, UInt8>, InlineArray<0, UInt8>) = ([0x0C], [])
    try rig.bus.transfer(command.span, &span, at: 0x60)
    #expect([span[0], span[1]] == [0x86, 0x01])
    try SimulatedI2C(rig.bus).write(command.span, to: 0x60)
    #expect(throws: BusError.noAcknowledge) {
      var room = InlineArray<2, UInt8>(repeating: 0)
      var rest = room.mutableSpan
      try rig.bus.transfer(none.span, &rest, at: 0x60)
    }
  }

  @Test func `a chip with faults is as strict about its transfers as without`() {
    func faulty(_ model: any ChipModel) -> FaultyModel {
      FaultyModel(model, faults: [], identityRegister: 0x0F, on: .i2c, origin: .zero, seed: 1)
    }
    #expect(faulty(VCNL4040Model(World())).needsRepeatedStart)
    #expect(faulty(HTS221Model(World())).needsIncrementBit)
  }
}
