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

// Addresses, bits and gains are typed from Honeywell's data sheet 900405 rev. E.
@Suite struct HMC5883LTests {
  func rig() -> Rig {
    let rig = Rig(at: 0x1E, WireFormat()) { HMC5883LModel($0) }
    rig.world.held.magneticField = Vector3(20, -45, 60)
    return rig
  }

  static func settings(
    _ acquisition: Acquisition, rate: Double = 75, range: Double = 130, power: PowerMode = .normal
  ) -> SensorSettings {
    var settings = SensorSettings(
      rate: rate, magneticFieldRange: range, acquisition: acquisition)
    settings.power = power
    return settings
  }

  /// 8 averaged samples, 75 Hz and 1.3 gauss. 20, -45 and 60 microtesla are 218, -490.5 and 654
  /// counts of 1090 per gauss, in the order X, Z, Y.
  @Test func `identity, configuration, a measurement to try, then two transfers a sample`()
    throws
  {
    let rig = rig()
    var driver = HMC5883L(rig.wire())
    let taken = try driver.configure(Self.settings(.polling))
    #expect(taken.rate == 75 && taken.magneticFieldRange == 130)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(40))
    #expect(outcome.errors == [])
    let field: [UInt8] = [0x00, 0xDA, 0x02, 0x8E, 0xFE, 0x15]
    let started: [Transaction] = [
      .read(0x0A, [0x48]), .read(0x0B, [0x34]), .write(0x00, 0x78), .write(0x01, 0x20),
      .read(0x00, [0x78]), .read(0x01, [0x20]), .write(0x02, 0x01), .read(0x09, [0x01]),
      .read(0x03, field), .write(0x02, 0x01), .read(0x03, field),
    ]
    #expect(Array(rig.log.transactions.prefix(11)) == started)
    let first = try #require(outcome.frames.first).reading
    #expect(first.channels == .magneticField)
    #expect((first.magneticField - Vector3(218 / 10.9, -491 / 10.9, 60)).norm < 1e-9)
  }

  /// CRB bits 7 to 5 (table 9): the range in microtesla and the counts per gauss.
  static let gains: [(range: Double, byte: UInt8, counts: Double)] = [
    (88, 0x00, 1370), (130, 0x20, 1090), (190, 0x40, 820), (250, 0x60, 660), (400, 0x80, 440),
    (470, 0xA0, 390), (560, 0xC0, 330), (810, 0xE0, 230),
  ]

  @Test(arguments: gains) func `each gain has its register and its scale`(
    row: (range: Double, byte: UInt8, counts: Double)
  ) throws {
    let rig = rig()
    var driver = HMC5883L(rig.wire())
    let taken = try driver.configure(Self.settings(.polling, range: row.range - 0.5))
    #expect(taken.magneticFieldRange == row.range)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(100))
    #expect(rig.written(0x01) == [row.byte])
    var batch = RawBatch()
    (batch.frames, batch.frameSize) = (1, 6)
    batch.format[0] = row.byte >> 5
    // 2047, -2048 and 1 count, in the order X, Z, Y.
    for (index, byte) in ([0x07, 0xFF, 0xF8, 0x00, 0x00, 0x01] as [UInt8]).enumerated() {
      batch.bytes[index] = byte
    }
    let field = HMC5883LDecoder.decode(batch, frame: 0).magneticField * (row.counts / 100)
    #expect((field - Vector3(2047, 1, -2048)).norm < 1e-9)
  }

  /// CRA: MA in bits 6 and 5, DO in 4 to 2 (tables 4 and 5).
  static let rates: [(rate: Double, normal: UInt8, low: UInt8)] = [
    (0.75, 0x60, 0x00), (1.5, 0x64, 0x04), (3, 0x68, 0x08), (7.5, 0x6C, 0x0C), (15, 0x70, 0x10),
    (30, 0x74, 0x14), (75, 0x78, 0x18),
  ]

  @Test(arguments: rates) func `each rate has its register, and its step on the host's clock`(
    row: (rate: Double, normal: UInt8, low: UInt8)
  ) throws {
    for power in PowerMode.allCases {
      let rig = rig()
      var driver = HMC5883L(rig.wire())
      _ = try driver.configure(Self.settings(.polling, rate: row.rate, power: power))
      driver.start()
      let outcome = rig.run(&driver, for: TimeSpan(seconds: 20 / row.rate))
      #expect(rig.written(0x00) == [power == .low ? row.low : row.normal])
      let times = outcome.frames.map(\.time)
      #expect(times.count >= 19 && outcome.missing == 0)
      for (a, b) in zip(times, times.dropFirst()) {
        #expect(abs((b - a).seconds * row.rate - 1) < 0.02)
      }
    }
  }

  @Test func `an axis that overflowed leaves a sample without a field`() throws {
    let rig = rig()
    rig.world.held.magneticField = Vector3(20, 200, 60)
    var driver = HMC5883L(rig.wire())
    _ = try driver.configure(Self.settings(.polling))
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(100))
    #expect(outcome.frames.count > 3)
    #expect(outcome.frames.allSatisfy { $0.reading.channels == [] })
    #expect(rig.log.transactions.contains(.read(0x03, [0, 0xDA, 0x02, 0x8E, 0xF0, 0x00])))
  }

  @Test func `the pin's edge is the sample's time; without a wire the polls go on`() throws {
    let rig = rig()
    var driver = HMC5883L(rig.wire())
    let taken = try driver.configure(Self.settings(.dataReady))
    #expect(taken.acquisition == .dataReady && taken.interruptPin.isActiveLow)
    driver.start()
    let wired = rig.run(&driver, for: .seconds(1))
    var missed = driver.health.missedInterrupts
    #expect(wired.frames.count >= 73 && missed == 0)
    // After the first measurement the status is not read.
    let polls = rig.log.transactions.filter { if case .read(0x09, _) = $0 { true } else { false } }
    #expect(polls.count == 1)
    rig.isWired = false
    let silent = rig.run(&driver, for: .seconds(1))
    #expect(silent.frames.count >= 74 && silent.errors == [] && silent.missing == 0)
    missed = driver.health.missedInterrupts
    #expect(missed >= 3)
  }

  @Test func `measurements that were never begun are missing, and the step stays`() throws {
    let rig = rig()
    var driver = HMC5883L(rig.wire())
    _ = try driver.configure(Self.settings(.polling, rate: 30))
    driver.start()
    let before = try #require(rig.run(&driver, for: .seconds(1)).frames.last)
    rig.clock.advance(to: rig.clock.now + .milliseconds(500))
    let after = rig.run(&driver, for: .seconds(1))
    // One measurement was running when the reader stopped; the next one begins late, and the
    // following is in step.
    let late = try #require(after.frames.first { $0.missing > 0 })
    #expect(late.missing >= 13 && late.missing <= 15)
    let last = try #require(after.frames.last)
    let periods = (last.time - before.time).seconds * 30
    #expect(abs(periods - periods.rounded()) < 0.02)
    #expect(Int(periods.rounded()) == after.frames.count + after.missing)
  }

  @Test func `a chip that lost its settings is found within 200 ms and configured again`() throws {
    let rig = rig()
    var driver = HMC5883L(rig.wire())
    _ = try driver.configure(Self.settings(.polling, range: 400))
    driver.start()
    _ = rig.run(&driver, for: .seconds(1))
    _ = try rig.expectRestart(of: &driver)
    #expect(rig.register(0x01) == 0x80)
  }

  @Test func `another chip with an H is distinguished by its second letter`() {
    let script = Script([.read(0x0A, [0x48]), .read(0x0B, [0x45])]) { Issue.record("\($0)") }
    var driver = HMC5883L(script.bus)
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .error(.identity(found: 0x45, register: 0x0B)))
    #expect(script.finish() == [])
  }

  /// 0x71 and 0xA0 are from "self test operation"; the limits are 243 to 575 counts at 390 per
  /// gauss: 62.3 to 147.4 microtesla.
  @Test(arguments: [(116, true), (62, false), (148, false)] as [(Double, Bool)])
  func `the self-test has the maker's registers and limits`(response: Double, passes: Bool) throws {
    let rig = rig()
    let model = try #require(rig.model as? HMC5883LModel)
    model.selfTestResponse = Vector3(116, 116, response)
    var driver = HMC5883L(rig.wire())
    try driver.startSelfTest()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [])
    #expect(rig.written(0x00) == [0x71, 0x10] && rig.written(0x01) == [0xA0])
    let found = driver.selfTest
    let report = try #require(found)
    #expect(report.count == 3 && report.isPassed == passes)
    #expect(abs(report.items[2].response - response) < 0.3)
    #expect(abs(report.items[0].lowest - 62.31) < 0.01)
    #expect(abs(report.items[0].highest - 147.44) < 0.01)
  }
}

/// Tests the model with bytes typed by hand.
@Suite struct HMC5883LModelTests {
  let bench = ModelBench { HMC5883LModel($0) }

  @Test func `it wakes with its letters, 15 Hz and the second gain, and measures nothing`() {
    bench.at(1000)
    #expect(bench.read(0x00, 3) == [0x10, 0x20, 0x01])
    #expect(bench.read(0x0A, 3) == [0x48, 0x34, 0x33])
    #expect(bench.read(0x03, 6) == [0, 0, 0, 0, 0, 0] && bench.edges() == 0)
  }

  @Test func `one measurement takes 6 ms, tells by its pin and goes idle`() {
    bench.at(0)
    bench.world.held.magneticField = Vector3(100, 10, -100)
    bench.write(0x02, 0x01)
    bench.at(5.9)
    #expect(bench.read(0x09) == [0x00] && bench.edges() == 0)
    bench.at(6.1)
    #expect(bench.read(0x09) == [0x01] && bench.edges() == 1)
    // 1090, -1090 and 109 counts; after six bytes the register pointer returns to the first.
    #expect(bench.read(0x03, 7) == [0x04, 0x42, 0xFB, 0xBE, 0x00, 0x6D, 0x04])
    #expect(bench.read(0x09) == [0x03], "the seventh byte locks again")
    #expect(bench.read(0x02) == [0x03])
  }

  @Test func `what is half read, and what was asked for its mode, takes nothing new`() {
    bench.at(0)
    bench.write(0x00, 0x18)
    bench.write(0x02, 0x00)
    bench.at(14)
    #expect(bench.edges() == 1)
    _ = bench.read(0x03, 2)
    #expect(bench.read(0x09) == [0x03])
    bench.at(100)
    #expect(bench.edges() == 0)
    _ = bench.read(0x05, 4)
    #expect(bench.read(0x09) == [0x01])
    bench.at(114)
    #expect(bench.edges() == 1)
    _ = bench.read(0x02)
    #expect(bench.read(0x09) == [0x03])
  }

  @Test func `a new gain holds from the second measurement on`() {
    bench.at(0)
    bench.world.held.magneticField = Vector3(100, 0, 0)
    bench.write(0x01, 0xE0)
    bench.write(0x02, 0x01)
    bench.at(7)
    #expect(bench.read(0x03, 6)[0...1] == [0x04, 0x42])
    bench.write(0x02, 0x01)
    bench.at(14)
    #expect(bench.read(0x03, 6)[0...1] == [0x00, 0xE6])
  }
}
