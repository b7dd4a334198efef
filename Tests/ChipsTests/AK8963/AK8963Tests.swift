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

// Addresses and bytes are typed from MS1356-E-02, sections 6 to 8, and DS-000189, sections 12 and
// 13.
@Suite struct AK8963Tests {
  static let starting: [Transaction] = [
    .read(0x00, [0x48]), .write(0x0B, 0x01), .read(0x0B, [0x00]), .write(0x0A, 0x0F),
    .read(0x10, [0xB0, 0xB2, 0xA6]), .write(0x0A, 0x00), .write(0x0A, 0x16),
    .read(0x0A, [0x16]), .read(0x02, [0x00]),
  ]
  static let laterStarting: [Transaction] = [
    .read(0x01, [0x09]), .write(0x32, 0x01), .read(0x32, [0x00]), .write(0x31, 0x08),
    .read(0x31, [0x08]), .read(0x10, [0x00]),
  ]

  /// Steps a driver through a script until it returns a batch.
  func firstReading(_ part: AK8963Part, _ script: [Transaction]) throws -> ChipReading {
    let script = Script(script) { Issue.record("\($0)") }
    var driver = AK8963(script.bus, expecting: part)
    _ = try driver.configure(SensorSettings(rate: 100))
    driver.start()
    var batch = RawBatch()
    for _ in 0..<20 where batch.frames == 0 {
      guard case .wake = step(&driver, &batch) else { break }
      script.advance(by: .milliseconds(1))
    }
    let frames = batch.frames
    try #require(frames == 1)
    #expect(script.finish() == [])
    return driver.decode(batch, frame: 0)
  }

  @Test func `a sample is scaled by what the fuse ROM says of its axis`() throws {
    let reading = try firstReading(
      .ak8963,
      Self.starting + [
        .read(0x02, [0x01]), .read(0x03, [0xE8, 0x03, 0x18, 0xFC, 0xFF, 0xFF, 0x10]),
      ])
    // 1000, -1000 and -1 counts of 0.15 uT, each multiplied by the sensitivity adjustment (ASA -
    // 128) / 256 + 1.
    #expect(abs(reading.magneticField.x - 150 * 1.1875) < 1e-9)
    #expect(abs(reading.magneticField.y + 150 * 1.1953125) < 1e-9)
    #expect(abs(reading.magneticField.z + 0.15 * 1.1484375) < 1e-9)
    #expect(reading.channels == .magneticField)
  }

  @Test func `the AK09916 has no fuse ROM and a dummy before its second status`() throws {
    let reading = try firstReading(
      .ak09916,
      Self.laterStarting + [
        .read(0x10, [0x01]), .read(0x11, [0xE8, 0x03, 0x18, 0xFC, 0xFF, 0xFF, 0x00, 0x00]),
      ])
    #expect(abs(reading.magneticField.x - 150) < 1e-9)
    #expect(abs(reading.magneticField.y + 150) < 1e-9)
    #expect(abs(reading.magneticField.z + 0.15) < 1e-9)
  }

  @Test func `words of fourteen bits count 0,6 microtesla`() throws {
    let rig = rig(.ak8963)
    rig.world.held.magneticField = Vector3(60, -60, 30)
    var driver = try AK8963(
      rig.wire(),
      configuration: AK8963Configuration(.polling) {
        $0.part = .ak8963
        $0.rate = .hz100
        $0.isWide = false
      })
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(100))
    #expect(rig.written(0x0A) == [0x0F, 0x00, 0x06])
    let field = try #require(outcome.frames.last?.reading.magneticField)
    #expect((field - Vector3(60, -60, 30)).norm < 0.6)
    // 84 counts of 0.6 uT, multiplied by the axis's adjustment 1.1875.
    #expect(abs(field.x - 84 * 0.6 * 1.1875) < 1e-9)
  }

  func rig(_ part: AK8963Part) -> Rig {
    let identity: UInt8 = part == .ak8963 ? 0x48 : 0x09
    let rig = Rig(at: 0x0C, WireFormat()) { AK8963Model($0, identity: identity) }
    rig.world.held.magneticField = Vector3(20, -45, 399)
    return rig
  }

  @Test(
    arguments: [
      (.ak8963, 8, 0x12), (.ak8963, 9, 0x16), (.ak8963, 100, 0x16), (.ak09916, 5, 0x02),
      (.ak09916, 10, 0x02), (.ak09916, 20, 0x04), (.ak09916, 50, 0x06), (.ak09916, 60, 0x08),
    ] as [(AK8963Part, Double, UInt8)])
  func `the mode is the slowest that is not slower than asked`(
    _ part: AK8963Part, _ rate: Double, _ mode: UInt8
  ) throws {
    let rig = rig(part)
    var driver = AK8963(rig.wire(), expecting: part)
    let taken = try driver.configure(SensorSettings(rate: rate, acquisition: .fifo))
    #expect(taken.rate >= rate && taken.acquisition == .polling && taken.magneticFieldRange == 4912)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(20))
    #expect(rig.register(part == .ak8963 ? 0x0A : 0x31) == mode)
  }

  @Test(arguments: [AK8963Part.ak8963, .ak09916])
  func `it stops in power-down`(_ part: AK8963Part) throws {
    let rig = rig(part)
    var driver = AK8963(rig.wire(), expecting: part)
    _ = try driver.configure(SensorSettings(rate: 100))
    driver.start()
    #expect(rig.run(&driver, for: .seconds(1)).frames.count >= 98)
    try driver.stop()
    #expect(rig.register(part == .ak8963 ? 0x0A : 0x31) == 0x00)
  }

  @Test func `rates are those of the part`() {
    let first = (0...2).map { AK8963Chip.rate(at: $0, of: .ak8963) }
    #expect(first == [100, 8, nil])
    let second = (0...4).map { AK8963Chip.rate(at: $0, of: .ak09916) }
    #expect(second == [100, 50, 20, 10, nil])
  }

  /// A late reader finds the overrun flag, and the clock gives the number of missed samples.
  @Test(arguments: [AK8963Part.ak8963, .ak09916])
  func `a late reader counts what it missed`(_ part: AK8963Part) throws {
    let rig = rig(part)
    var driver = AK8963(rig.wire(), expecting: part)
    _ = try driver.configure(SensorSettings(rate: 100))
    driver.start()
    _ = rig.run(&driver, for: .seconds(2))
    rig.clock.advance(to: rig.clock.now + .milliseconds(200))
    let after = rig.run(&driver, for: .seconds(1))
    #expect((18...20).contains(after.missing))
  }

  @Test(
    arguments: [(.ak8963, -480, -120), (.ak09916, -150, -30)] as [(AK8963Part, Double, Double)])
  func `the self-test has the maker's limits`(
    _ part: AK8963Part, _ lowest: Double, _ highest: Double
  ) throws {
    for field in [lowest - 2, lowest + 2, highest - 2, highest + 2] {
      let rig = rig(part)
      let model = try #require(rig.model as? AK8963Model)
      model.selfTestField = Vector3(29, -29, field)
      var driver = AK8963(rig.wire(), expecting: part)
      try driver.startSelfTest()
      rig.run(&driver, for: .seconds(1))
      let outcome = driver.selfTest
      let report = try #require(outcome)
      #expect(report.count == 3)
      let (x, z) = (report.items[0], report.items[2])
      #expect(x.lowest == -30 && x.highest == 30 && x.isPassed)
      #expect(z.lowest == lowest && z.highest == highest && abs(z.response - field) < 0.1)
      #expect(report.isPassed == (field > lowest && field < highest))
      // The self-test coil is off, and the chip is in power-down mode.
      #expect(rig.register(0x0C) == 0x00 || part == .ak09916)
      #expect(rig.register(part == .ak8963 ? 0x0A : 0x31) & 0x0F == 0)
    }
  }
}

// Addresses are typed from the same data sheets.
@Suite struct AK8963ModelTests {
  let bench = ModelBench { AK8963Model($0, identity: 0x48) }
  let later = ModelBench { AK8963Model($0, identity: 0x09) }

  func start() {
    for bench in [bench, later] {
      bench.at(0)
      bench.world.held.magneticField = Vector3(100, -100, 50)
    }
    bench.write(0x0A, 0x16)
    later.write(0x31, 0x08)
  }

  @Test func `after a reset it says who it is and rests`() {
    #expect(bench.read(0x00) == [0x48] && bench.read(0x0A) == [0x00])
    #expect(later.read(0x00, 2) == [0x48, 0x09] && later.read(0x31) == [0x00])
    bench.at(1000)
    later.at(1000)
    #expect(bench.read(0x02, 8) == [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(later.read(0x10, 9) == [0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func `data are little-endian, and the second status says how wide they are`() {
    start()
    bench.at(10.5)
    later.at(10.5)
    // 100, -100 and 50 uT: at 0.178125, 0.179297 and 0.172266 uT per count, and at 0.15 uT per
    // count.
    #expect(bench.read(0x02, 8) == [0x01, 0x31, 0x02, 0xD2, 0xFD, 0x22, 0x01, 0x10])
    #expect(
      later.read(0x10, 9) == [0x01, 0x9B, 0x02, 0x65, 0xFD, 0x4D, 0x01, 0x00, 0x00])
    #expect(bench.read(0x02) == [0x00] && later.read(0x10) == [0x00])
  }

  @Test func `the fuse ROM is seen in its mode only`() {
    #expect(bench.read(0x10, 3) == [0, 0, 0])
    bench.write(0x0A, 0x0F)
    #expect(bench.read(0x10, 4) == [0xB0, 0xB2, 0xA6, 0xB0])
  }

  @Test func `data stand still until the second status is read, and what came meanwhile is lost`() {
    start()
    bench.at(10.5)
    #expect(bench.read(0x03, 2) == [0x31, 0x02])
    bench.world.held.magneticField = .zero
    bench.at(20.5)
    // The overrun bit DOR is set, and the data are those of the previous sample.
    #expect(bench.read(0x02, 3) == [0x02, 0x31, 0x02])
    bench.at(30.5)
    #expect(bench.read(0x09) == [0x10])
    bench.at(40.5)
    #expect(bench.read(0x02, 3) == [0x01, 0x00, 0x00])
  }

  @Test func `a sample that was not read is replaced, and said to be`() {
    start()
    bench.at(20.5)
    #expect(bench.read(0x02) == [0x03])
  }

  @Test func `too much field overflows`() {
    start()
    for bench in [bench, later] { bench.world.held.magneticField = Vector3(2000, -2000, 912) }
    bench.at(10.5)
    later.at(10.5)
    #expect(bench.read(0x09) == [0x18] && later.read(0x18) == [0x08])
  }

  @Test func `a single measurement ends in power-down`() {
    bench.at(0)
    bench.write(0x0A, 0x11)
    bench.at(8)
    #expect(bench.read(0x02) == [0x01] && bench.read(0x0A) == [0x10])
    bench.at(100)
    #expect(bench.model.samplesTaken == 1)
  }

  @Test func `bursts wrap as the sheet says`() {
    #expect(bench.read(0x0C, 2) == [0x00, 0x48])
    #expect(later.read(0x18, 3) == [0x00, 0x48, 0x09])
  }
}
