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

// Addresses and bits are typed from QST's data sheet 1.0, section 9.
@Suite struct QMC5883LTests {
  func rig() -> Rig {
    let rig = Rig(at: 0x0D, WireFormat()) { QMC5883LModel($0) }
    rig.world.held.magneticField = Vector3(20, -45, 60)
    return rig
  }

  static func settings(
    _ acquisition: Acquisition, rate: Double = 200, range: Double = 200
  ) -> SensorSettings {
    SensorSettings(rate: rate, magneticFieldRange: range, acquisition: acquisition)
  }

  /// 512 samples, 2 gauss, 200 Hz and continuous mode are 0x0D; 0x01 turns the pin off. 20, -45 and
  /// 60 microtesla are 2400, -5400 and 7200 counts at 12000 per gauss.
  @Test func `register 0, identity, reset, configuration, then status and field`() throws {
    let rig = rig()
    var driver = QMC5883L(rig.wire())
    let taken = try driver.configure(Self.settings(.polling))
    #expect(taken.rate == 200 && taken.magneticFieldRange == 200)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [] && outcome.frames.count > 190)
    let started: [Transaction] = [
      .read(0x00, [0x00]), .read(0x0D, [0xFF]), .write(0x0A, 0x80), .read(0x0A, [0x00]),
      .write(0x0B, 0x01), .write(0x0A, 0x01), .write(0x09, 0x0D), .read(0x0B, [0x01]),
      .read(0x0A, [0x01]), .read(0x09, [0x0D]),
    ]
    #expect(Array(rig.log.transactions.prefix(10)) == started)
    let sample = try #require(
      rig.log.transactions.firstIndex(of: .read(0x00, [0x60, 0x09, 0xE8, 0xEA, 0x20, 0x1C])))
    #expect(rig.log.transactions[sample - 1] == .read(0x06, [0x01]))
    let field = try #require(outcome.frames.last).reading.magneticField
    #expect((field - Vector3(20, -45, 60)).norm < 1e-9)
  }

  /// Register 0x09, table 18.
  @Test(
    arguments: [(10, 0x01), (50, 0x05), (100, 0x09), (200, 0x0D)] as [(Double, UInt8)],
    [(200, 0x00, 12000), (800, 0x10, 3000)] as [(Double, UInt8, Double)])
  func `each rate and range has its register, and each range its scale`(
    rate: (Double, UInt8), range: (Double, UInt8, Double)
  ) throws {
    for power in PowerMode.allCases {
      let rig = rig()
      var driver = QMC5883L(rig.wire())
      var settings = Self.settings(.dataReady, rate: rate.0, range: range.0)
      settings.power = power
      _ = try driver.configure(settings)
      driver.start()
      _ = rig.run(&driver, for: .milliseconds(300))
      let oversampling: UInt8 = power == .low ? 0xC0 : 0x00
      #expect(rig.written(0x09) == [rate.1 | range.1 | oversampling])
      #expect(rig.written(0x0A) == [0x80, 0x00], "the pin is on")
    }
    var batch = RawBatch()
    (batch.frames, batch.frameSize) = (1, 6)
    batch.format[0] = range.1 >> 4
    for (index, byte) in ([0xFF, 0x7F, 0x00, 0x80, 0x01, 0x00] as [UInt8]).enumerated() {
      batch.bytes[index] = byte
    }
    let field = QMC5883LDecoder.decode(batch, frame: 0).magneticField * (range.2 / 100)
    #expect((field - Vector3(32767, -32768, 1)).norm < 1e-9)
  }

  @Test func `the overflow flag leaves a sample without a field`() throws {
    let rig = rig()
    rig.world.held.magneticField = Vector3(0, 0, -280)
    var driver = QMC5883L(rig.wire())
    _ = try driver.configure(Self.settings(.dataReady))
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(200))
    #expect(outcome.frames.count > 20)
    #expect(outcome.frames.allSatisfy { $0.reading.channels == [] })
    #expect(rig.log.transactions.contains(.read(0x06, [0x03])))
  }

  @Test func `a late reader counts what was skipped`() throws {
    let rig = rig()
    var driver = QMC5883L(rig.wire())
    _ = try driver.configure(Self.settings(.dataReady))
    driver.start()
    let last = try #require(rig.run(&driver, for: .seconds(2)).frames.last)
    rig.clock.advance(to: rig.clock.now + .milliseconds(100))
    // The reader does not get the edges either.
    rig.model.advance(to: rig.clock.now)
    _ = rig.model.takeEdges()
    let first = try #require(rig.run(&driver, for: .seconds(1)).frames.first)
    #expect(Double(first.missing) == ((first.time - last.time).seconds * 200).rounded() - 1)
    #expect(first.missing >= 18)
  }
}

/// Tests the model with bytes typed by hand.
@Suite struct QMC5883LModelTests {
  let bench = ModelBench { QMC5883LModel($0) }

  @Test func `it stands by, and once continuous has a sample each period until it is reset`() {
    bench.at(0)
    bench.world.held.magneticField = Vector3(100, -100, 0)
    #expect(bench.read(0x0D) == [0xFF] && bench.read(0x06) == [0x00])
    bench.write(0x09, 0x1D)
    bench.at(4.9)
    #expect(bench.read(0x06) == [0x00] && bench.edges() == 0)
    bench.at(5.1)
    #expect(bench.read(0x06) == [0x01] && bench.edges() == 1)
    bench.at(10.1)
    #expect(bench.read(0x06) == [0x05] && bench.edges() == 0, "skipped, and no new edge")
    #expect(bench.read(0x00, 6) == [0xB8, 0x0B, 0x48, 0xF4, 0x00, 0x00])
    #expect(bench.read(0x06) == [0x00])
    bench.write(0x0A, 0x80)
    bench.at(20)
    #expect(bench.read(0x09, 2) == [0x00, 0x00] && bench.read(0x06) == [0x00])
  }

  @Test func `the pin can be off, and the pointer can roll over behind the status`() {
    bench.at(0)
    bench.world.held.magneticField = Vector3(100, 0, 0)
    bench.write(0x0A, 0x41)
    bench.write(0x09, 0x1D)
    bench.at(6)
    #expect(bench.edges() == 0)
    #expect(bench.read(0x06, 4) == [0x01, 0xB8, 0x0B, 0x00])
  }
}
