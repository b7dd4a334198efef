// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// ST's self-test: its bytes and limits are typed from AN5130 and the data sheets.
@Suite struct LSM6DS3SelfTestTests {
  /// Runs a self-test until it has ended, or for some seconds.
  static func test(_ bench: LSM6DS3Bench, _ acquisition: Acquisition = .polling) throws
    -> LSM6DS3Run
  {
    let run = try LSM6DS3Run(bench, LSM6DS3Tests.settings(acquisition))
    try run.startSelfTest()
    let end = bench.now + .seconds(10)
    while run.selfTest == nil, bench.now < end { run.turn() }
    return run
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `a sound part passes its self-test`(_ family: LSM6DS3Family) throws {
    let bench = LSM6DS3Bench(family)
    let began = bench.now
    let run = try Self.test(bench)
    let report = try #require(run.selfTest)
    #expect(report.count == 6 && report.isPassed && run.errors.isEmpty)
    // The model's stimulus: 0.5, 0.6 and 0.4 g, 400, 350 and 300 degrees per second, within two
    // counts.
    let pushes = [0.5, 0.6, 0.4, 400 * degree, 350 * degree, 300 * degree]
    for index in 0..<6 {
      let item = report.items[index]
      #expect(item.channel == (index < 3 ? .acceleration : .rotationRate))
      #expect(item.axis == UInt8(index % 3))
      #expect(abs(item.response - pushes[index]) < (index < 3 ? 0.00025 : 0.14 * degree))
      #expect(abs(item.lowest - (index < 3 ? 0.09 : 150 * degree)) < 1e-9)
      #expect(abs(item.highest - (index < 3 ? 1.7 : 700 * degree)) < 1e-9)
    }
    // 52 Hz, 4 g; ST_XL; off; 208 Hz, 2000 dps; ST_G; off, and a reset.
    let axes: [LSM6DS3Bench.Transaction] =
      family == .lsm6ds3 ? [.write(0x18, 0x38), .write(0x19, 0x38)] : []
    let writes = bench.log.filter { if case .write = $0 { true } else { false } }
    #expect(
      writes == [.write(0x01, 0x00), .write(0x12, 0x05), .write(0x12, 0x44)] + axes + [
        .write(0x14, 0x00), .write(0x11, 0x00), .write(0x10, 0x38), .write(0x14, 0x01),
        .write(0x14, 0x00), .write(0x10, 0x00), .write(0x11, 0x5C), .write(0x14, 0x04),
        .write(0x12, 0x05),
      ])
    // Waits of 100, 100, 150 and 50 ms, and at most six samples at each stage.
    #expect(bench.now - began > .milliseconds(400) && bench.now - began < .milliseconds(900))
    // Afterwards the chip is asleep and reset.
    for register in [UInt8(0x10), 0x11, 0x14] { #expect(bench.model.read(register) == 0) }
    #expect(bench.model.read(0x12) == 0x04)
    let transactions = bench.log.count
    run.turn()
    #expect(bench.log.count == transactions)
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `a part outside the limits fails its self-test`(_ family: LSM6DS3Family) throws {
    let parts: [(Vector3, Vector3, Int)] = [
      // The limits are 80 and 1750 mg, 140 and 710 degrees per second.
      (Vector3(0.08, 0.5, 0.5), Vector3(400, 400, 400), 0),
      (Vector3(0.5, 1.75, 0.5), Vector3(400, 400, 400), 1),
      (Vector3(0.5, 0.5, 0.5), Vector3(400, 400, 140), 5),
      (Vector3(0.5, 0.5, 0.5), Vector3(710, 400, 400), 3),
    ]
    for (accel, gyro, failed) in parts {
      let bench = LSM6DS3Bench(family)
      bench.model.accelSelfTest = accel
      bench.model.gyroSelfTest = gyro * degree
      let report = try #require(try Self.test(bench).selfTest)
      #expect(!report.isPassed)
      for index in 0..<6 { #expect(report.items[index].isPassed == (index != failed)) }
    }
    // A change in the opposite direction also passes.
    let bench = LSM6DS3Bench(family)
    bench.model.accelSelfTest = Vector3(-0.5, 0.5, -0.5)
    #expect(try Self.test(bench).selfTest?.isPassed == true)
  }

  @Test(.sweep, arguments: LSM6DS3Family.allCases)
  func `an error at any transaction starts the self-test again`(_ family: LSM6DS3Family) throws {
    let whole = LSM6DS3Bench(family)
    _ = try Self.test(whole)
    for index in 0..<whole.log.count {
      let bench = LSM6DS3Bench(family)
      bench.failing = index
      let run = try Self.test(bench)
      #expect(run.errors.count == 1 && run.selfTest?.isPassed == true, "transaction \(index)")
      #expect(bench.model.read(0x14) == 0 && bench.model.read(0x11) == 0)
    }
  }

  @Test(
    arguments: LSM6DS3Family.allCases
  )
  func `a sensor that gives nothing ends in an error, not in a wait`(_ family: LSM6DS3Family) throws
  {
    let bench = LSM6DS3Bench(family)
    bench.overrides = [0x1E: 0]
    let run = try LSM6DS3Run(bench, LSM6DS3Tests.settings(.polling))
    try run.startSelfTest()
    let end = bench.now + .milliseconds(500)
    while run.errors.isEmpty, bench.now < end { run.turn() }
    #expect(run.errors == [.unexpected(register: 0x1E, wanted: 0x01, found: 0x00)])
    #expect(run.selfTest == nil)
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `after a self-test samples come as before`(_ family: LSM6DS3Family) throws {
    let bench = LSM6DS3Bench(family)
    let run = try Self.test(bench, .fifo)
    run.restart()
    run.run(.seconds(1))
    #expect(run.errors.isEmpty && run.readings.count > 150)
    #expect(run.readings.allSatisfy { abs($0.specificForce.z - 0.97) < 0.001 })
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `the model is pushed the other way too, and a reset ends it`(_ family: LSM6DS3Family) {
    let start = Timestamp(nanoseconds: 1_000_000_000)
    let model = LSM6DS3Model(World(LSM6DS3Bench.held), family: family)
    model.advance(to: start)
    model.write(0x38, to: 0x10)
    model.write(0x5C, to: 0x11)
    // ST_XL 10 and ST_G 11: x is 0.1 - 0.5 g at 0.122 mg, z is 57.296 - 300 degrees per second at
    // 70 mdps.
    model.write(0x0E, to: 0x14)
    // The gyroscope's ninth sample is the first after its start.
    model.advance(to: start + .milliseconds(45))
    func word(_ low: UInt8) -> Int16 {
      Int16(bitPattern: UInt16(model.read(low + 1)) << 8 | UInt16(model.read(low)))
    }
    #expect(word(0x28) == -3279 && word(0x26) == -3467)
    model.write(0x01, to: 0x12)
    model.advance(to: start + .milliseconds(46))
    #expect(model.read(0x14) == 0)
  }
}
