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

// Addresses, bits and limits are typed from DS12144 revision 6 and AN5069, which ST's public driver
// `lis2mdl_reg.h` and its self-test example repeat.
@Suite struct LIS2MDLTests {
  func rig() -> Rig {
    let rig = Rig(at: 0x1E, WireFormat()) { LIS2MDLModel($0) }
    rig.world.held.magneticField = Vector3(30, -45, 60)
    return rig
  }

  static func settings(_ acquisition: Acquisition, rate: Double = 100) -> SensorSettings {
    SensorSettings(rate: rate, magneticFieldRange: 4915, acquisition: acquisition)
  }

  /// 0x03 is offset cancellation and filter, 0x10 block update, 0x8C compensation, 100 Hz and
  /// continuous. 30, -45 and 60 microtesla are 200, -300 and 400 counts at 1.5 mgauss.
  @Test func `identity, reset, configuration, then status and field in one burst`() throws {
    let rig = rig()
    var driver = LIS2MDL(rig.wire())
    let taken = try driver.configure(Self.settings(.polling))
    #expect(taken.rate == 100 && abs(taken.magneticFieldRange - 4915.05) < 1e-9)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [] && outcome.frames.count > 95 && outcome.missing == 0)
    let started: [Transaction] = [
      .read(0x4F, [0x40]), .write(0x60, 0x20), .read(0x60, [0x03]), .write(0x61, 0x03),
      .write(0x62, 0x10), .write(0x60, 0x8C), .read(0x61, [0x03]), .read(0x62, [0x10]),
      .read(0x60, [0x8C]),
    ]
    #expect(Array(rig.log.transactions.prefix(9)) == started)
    #expect(
      rig.log.transactions.contains(
        .read(0x67, [0x0F, 0xC8, 0x00, 0xD4, 0xFE, 0x90, 0x01])))
    let field = try #require(outcome.frames.last).reading.magneticField
    #expect((field - Vector3(30, -45, 60)).norm < 1e-9)
  }

  @Test(arguments: [(10, 0x80), (20, 0x84), (50, 0x88), (100, 0x8C)] as [(Double, UInt8)])
  func `each rate has its code, low power its bit, and the pin its bit`(rate: Double, code: UInt8)
    throws
  {
    for power in PowerMode.allCases {
      let rig = rig()
      var driver = LIS2MDL(rig.wire())
      var settings = Self.settings(.dataReady, rate: rate)
      settings.power = power
      _ = try driver.configure(settings)
      driver.start()
      let outcome = rig.run(&driver, for: .seconds(1))
      #expect(rig.written(0x60) == [0x20, code | (power == .low ? 0x10 : 0)])
      #expect(rig.written(0x62) == [0x11])
      #expect(outcome.frames.count >= Int(rate) - 2)
    }
  }

  @Test func `counts have 1_5 mgauss at both ends`() {
    var batch = RawBatch()
    (batch.frames, batch.frameSize) = (1, 6)
    for (index, byte) in ([0xFF, 0x7F, 0x00, 0x80, 0x01, 0x00] as [UInt8]).enumerated() {
      batch.bytes[index] = byte
    }
    let field = LIS2MDLDecoder.decode(batch, frame: 0).magneticField
    #expect((field - Vector3(4915.05, -4915.2, 0.15)).norm < 1e-9)
  }

  /// A response of each axis within 15 to 500 mgauss passes.
  @Test(
    arguments: [
      (Vector3(1.8, -1.8, 1.8), true), (Vector3(-49.5, 49.5, 49.5), true),
      (Vector3(1.2, 20, 20), false), (Vector3(20, 20, 51), false), (.zero, false),
    ] as [(Vector3, Bool)])
  func `the self-test has the limits of the application note`(response: Vector3, passes: Bool)
    throws
  {
    let rig = rig()
    let model = try #require(rig.model as? LIS2MDLModel)
    model.selfTestResponse = response
    var driver = LIS2MDL(rig.wire())
    try driver.startSelfTest()
    #expect(rig.run(&driver, for: .seconds(3)).errors == [])
    let found = driver.selfTest
    let report = try #require(found)
    #expect(report.count == 3 && report.isPassed == passes)
    for (item, expected) in zip(0..<3, [response.x, response.y, response.z]) {
      #expect(abs(report.items[item].response - abs(expected)) < 0.15)
    }
    // Afterwards the chip is reset and idle.
    #expect((0x60...0x62).map { rig.model.read($0) } == [0x03, 0x00, 0x00])
  }
}

/// Tests the model with bytes typed by hand.
@Suite struct LIS2MDLModelTests {
  let bench = ModelBench { LIS2MDLModel($0) }

  @Test func `it is idle, and then has a sample each period until it is reset`() {
    bench.at(0)
    bench.world.held.magneticField = Vector3(30, -45, 60)
    #expect(bench.read(0x4F) == [0x40] && bench.read(0x60, 4) == [0x03, 0x00, 0x00, 0xE0])
    bench.write(0x62, 0x11)
    bench.write(0x60, 0x8C)
    bench.at(9.9)
    #expect(bench.read(0x67) == [0x00] && bench.edges() == 0)
    bench.at(10.1)
    #expect(bench.read(0x67) == [0x0F] && bench.edges() == 1)
    bench.at(20.1)
    #expect(bench.read(0x67) == [0xFF] && bench.edges() == 0, "overrun, and no new edge")
    #expect(bench.read(0xE8, 6) == [0xC8, 0x00, 0xD4, 0xFE, 0x90, 0x01], "with bit 7, as ST")
    #expect(bench.read(0x67) == [0x00])
    bench.write(0x60, 0x20)
    bench.at(21)
    #expect(bench.read(0x60, 3) == [0x03, 0x00, 0x00])
  }

  /// As measured on an IIS2MDC (PX4 pull request 28336): ten bytes from 0x68 are X, Y, Z, X, Y.
  @Test(arguments: [0x68, 0xE8] as [UInt8])
  func `a burst wraps from Z to X`(register: UInt8) {
    bench.at(0)
    bench.world.held.magneticField = Vector3(30, -45, 60)
    bench.write(0x60, 0x8C)
    bench.at(11)
    let sample: [UInt8] = [0xC8, 0x00, 0xD4, 0xFE, 0x90, 0x01]
    #expect(bench.read(register, 10) == sample + sample.prefix(4))
  }

  @Test func `the hard-iron offset is subtracted`() {
    bench.at(0)
    bench.world.held.magneticField = Vector3(30, -45, 60)
    for (index, byte) in ([0x64, 0x00, 0x9C, 0xFF, 0x00, 0x00] as [UInt8]).enumerated() {
      bench.write(UInt8(0x45 + index), byte)
    }
    bench.write(0x60, 0x8C)
    bench.at(11)
    // 200 - 100, -300 + 100 and 400 counts.
    #expect(bench.read(0x68, 6) == [0x64, 0x00, 0x38, 0xFF, 0x90, 0x01])
  }

  @Test func `a single conversion ends idle`() {
    bench.at(0)
    bench.write(0x60, 0x8D)
    bench.at(11)
    #expect(bench.read(0x67) == [0x0F] && bench.read(0x60) == [0x8E])
  }
}
