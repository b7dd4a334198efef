// SPDX-License-Identifier: Apache-2.0
import Simulation
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

// Addresses and bits are typed from QST's data sheet 13-52-19 revision C, sections 7 and 9, which
// Adafruit's driver and INAV's repeat.
@Suite struct QMC5883PTests {
  func rig() -> Rig {
    let rig = Rig(at: 0x2C, WireFormat()) { QMC5883PModel($0) }
    rig.world.held.magneticField = Vector3(20, -45, 60)
    return rig
  }

  static func settings(rate: Double = 200, range: Double = 800) -> SensorSettings {
    SensorSettings(rate: rate, magneticFieldRange: range, acquisition: .polling)
  }

  /// The example of section 7.1: 0x29 is 0x06, 0x0B is 0x08 and 0x0A is 0xCD, which are 8 gauss, 200
  /// Hz and normal mode. 20, -45 and 60 microtesla are 750, -1688 and 2250 counts at 3750 per gauss.
  @Test func `identity, reset, signs, configuration, then status and field`() throws {
    let rig = rig()
    var driver = QMC5883P(rig.wire())
    let taken = try driver.configure(Self.settings())
    #expect(taken.rate == 200 && taken.magneticFieldRange == 800)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [] && outcome.frames.count > 185 && outcome.missing == 0)
    let started: [Transaction] = [
      .read(0x00, [0x80]), .write(0x0B, 0x80), .write(0x0B, 0x00), .read(0x0B, [0x00]),
      .write(0x29, 0x06), .write(0x0B, 0x08), .write(0x0A, 0xCD), .read(0x0B, [0x08]),
      .read(0x0A, [0xCD]),
    ]
    #expect(Array(rig.log.transactions.prefix(9)) == started)
    let sample = try #require(
      rig.log.transactions.firstIndex(of: .read(0x01, [0xEE, 0x02, 0x68, 0xF9, 0xCA, 0x08])))
    #expect(rig.log.transactions[sample - 1] == .read(0x09, [0x01]))
    let field = try #require(outcome.frames.last).reading.magneticField
    #expect((field - Vector3(20, -168.8 / 3.75, 60)).norm < 1e-9)
  }

  /// Registers 0x0A and 0x0B, tables 17 and 18.
  @Test(
    arguments: [(10, 0x01), (50, 0x05), (100, 0x09), (200, 0x0D)] as [(Double, UInt8)],
    [(3000, 0x00, 1000), (1200, 0x04, 2500), (800, 0x08, 3750), (200, 0x0C, 15000)]
      as [(Double, UInt8, Double)])
  func `each rate and range has its register, and each range its scale`(
    rate: (Double, UInt8), range: (Double, UInt8, Double)
  ) throws {
    for power in PowerMode.allCases {
      let rig = rig()
      var driver = QMC5883P(rig.wire())
      var settings = Self.settings(rate: rate.0, range: range.0)
      settings.power = power
      _ = try driver.configure(settings)
      driver.start()
      _ = rig.run(&driver, for: .milliseconds(300))
      let filters: UInt8 = power == .low ? 0x30 : 0xC0
      #expect(rig.written(0x0A) == [rate.1 | filters])
      #expect(rig.written(0x0B) == [0x80, 0x00, range.1])
    }
    var batch = RawBatch()
    (batch.frames, batch.frameSize) = (1, 6)
    batch.format[0] = range.1 >> 2
    for (index, byte) in ([0xFF, 0x7F, 0x00, 0x80, 0x01, 0x00] as [UInt8]).enumerated() {
      batch.bytes[index] = byte
    }
    let field = QMC5883PDecoder.decode(batch, frame: 0).magneticField * (range.2 / 100)
    #expect((field - Vector3(32767, -32768, 1)).norm < 1e-9)
  }

  /// Section 9.2.2: the flag is for more than 30000 counts, here 2 gauss.
  @Test(arguments: [(199.0, true), (201.0, false)])
  func `the overflow flag leaves a sample without a field`(microtesla: Double, hasField: Bool)
    throws
  {
    let rig = rig()
    rig.world.held.magneticField = Vector3(0, 0, -microtesla)
    var driver = QMC5883P(rig.wire())
    _ = try driver.configure(Self.settings(range: 200))
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(300))
    #expect(outcome.frames.count > 20)
    #expect(
      outcome.frames.allSatisfy { $0.reading.channels == (hasField ? .magneticField : []) })
    #expect(rig.log.transactions.contains(.read(0x09, [0x03])) == !hasField)
  }

  @Test func `a late reader counts what was skipped`() throws {
    let rig = rig()
    var driver = QMC5883P(rig.wire())
    _ = try driver.configure(Self.settings())
    driver.start()
    let last = try #require(rig.run(&driver, for: .seconds(2)).frames.last)
    rig.clock.advance(to: rig.clock.now + .milliseconds(100))
    rig.model.advance(to: rig.clock.now)
    let first = try #require(rig.run(&driver, for: .seconds(1)).frames.first)
    #expect(Double(first.missing) == ((first.time - last.time).seconds * 200).rounded() - 1)
    #expect(first.missing >= 18)
  }
}

/// Tests the model with bytes typed by hand.
@Suite struct QMC5883PModelTests {
  let bench = ModelBench { QMC5883PModel($0) }

  @Test func `it is suspended, and in normal mode has a sample each period until it is reset`() {
    bench.at(0)
    bench.world.held.magneticField = Vector3(100, -100, 0)
    #expect(bench.read(0x00) == [0x80] && bench.read(0x09) == [0x00])
    bench.write(0x0B, 0x08)
    bench.write(0x0A, 0xCD)
    bench.at(4.9)
    #expect(bench.read(0x09) == [0x00])
    bench.at(5.1)
    #expect(bench.read(0x01, 6) == [0xA6, 0x0E, 0x5A, 0xF1, 0x00, 0x00])
    #expect(bench.read(0x09) == [0x01], "a read of the outputs leaves the flag")
    #expect(bench.read(0x09) == [0x00], "a read of the status clears it")
    bench.write(0x0B, 0x80)
    bench.at(20)
    #expect(bench.read(0x0A, 2) == [0x00, 0x00] && bench.read(0x09) == [0x00])
  }

  @Test func `a single measurement ends suspended, and continuous mode ignores the rate`() {
    bench.at(0)
    bench.write(0x0A, 0x02)
    bench.at(1)
    #expect(bench.read(0x09) == [0x01] && bench.read(0x0A) == [0x00])
    bench.at(200)
    #expect(bench.read(0x09) == [0x00])
    bench.write(0x0A, 0x03)
    bench.at(201)
    #expect(bench.read(0x09) == [0x01])
  }
}
