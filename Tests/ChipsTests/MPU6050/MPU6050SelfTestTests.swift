// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Boards
import Testing

// The factory trims are computed by hand from the codes: RM-MPU-6000A section 4.1, and 2620 *
// 1.01^(code - 1) for the MPU-6500.
@Suite struct MPU6050SelfTestTests {
  func run(_ identity: UInt8, isSPI: Bool = false) throws -> (SelfTestReport, Rig) {
    let bench = Rig.mpu6050(identity, isSPI: isSPI)
    bench.world.held.rotationRate = Vector3(0.02, -0.05, 0.01)
    bench.world.held.specificForce = Vector3(0.02, -0.01, 1)
    var driver = MPU6050(bench.wire(), expecting: identity)
    try driver.startSelfTest()
    let before = driver.selfTest?.count
    #expect(before == nil)
    bench.run(&driver, for: .seconds(5))
    let found = driver.selfTest
    let report = try #require(found)
    #expect(bench.outcome.errors == [] && bench.outcome.frames.isEmpty)
    #expect(bench.outcome.wakes.last == .never)
    return (report, bench)
  }

  /// Accelerometer codes 17, 14, 19, gyroscope codes 13, 18, 21: 0x8D, 0x72, 0x95, 0x1B.
  @Test func `a first part is tested against its trims`() throws {
    let (report, bench) = try run(0x68)
    let trims: [Double] = [
      0.578_154, 0.523_375, 0.617_823, radians(fromDegrees: 42.886_46),
      radians(fromDegrees: -53.700_54), radians(fromDegrees: 61.457_33),
    ]
    #expect(report.count == 6 && report.isPassed)
    for index in 0..<6 {
      let item = report.items[index]
      #expect(item.channel == (index < 3 ? .acceleration : .rotationRate))
      #expect(item.axis == UInt8(index % 3))
      #expect(abs(item.response - trims[index]) < 0.001)
      let ends = [trims[index] * 0.86, trims[index] * 1.14].sorted()
      #expect(abs(item.lowest - ends[0]) < 1e-5 && abs(item.highest - ends[1]) < 1e-5)
    }
    // Ranges of 250 deg/s and 8 g with all six self-test bits; then reset and asleep.
    #expect(bench.written(0x1B) == [0x00, 0xE0])
    #expect(bench.written(0x1C) == [0x10, 0xF0])
    #expect(bench.written(0x6B).suffix(2) == [0xC0, 0x40])
    #expect(bench.register(0x6B) == 0x40 && bench.register(0x1C) == 0x00)
  }

  /// Accelerometer codes 112, 106, 127, gyroscope codes 213, 207, 216, at +-2 g on either wire.
  @Test(arguments: [false, true])
  func `a later part is tested against its trims`(isSPI: Bool) throws {
    let (report, bench) = try run(0x70, isSPI: isSPI)
    let trims: [Double] = [
      0.482_563, 0.454_596, 0.560_240, radians(fromDegrees: 164.877_44),
      radians(fromDegrees: 155.322_01), radians(fromDegrees: 169.873_39),
    ]
    #expect(report.count == 6 && report.isPassed)
    for index in 0..<6 {
      let item = report.items[index]
      #expect(abs(item.response - trims[index]) < 0.001)
      #expect(abs(item.lowest - trims[index] / 2) < 1e-5)
      if index < 3 { #expect(abs(item.highest - trims[index] * 1.5) < 1e-5) }
    }
    #expect(bench.written(0x1C) == [0x00, 0xE0])
    #expect(bench.register(0x6B) == 0x40)
  }

  /// Returns the report for a fake chip: counts of each axis with the stimulus, and factory codes.
  func report(
    identity: UInt8, codes: [UInt8: UInt8], accel: [Int16], gyro: [Int16]
  ) throws -> SelfTestReport {
    let chip = FakeChip()
    chip.bytes[0x75] = identity
    chip.bytes[0x6B] = 0x40
    for (register, code) in codes { chip.bytes[Int(register)] = code }
    chip.onWrite = { register, value in
      if register == 0x1B || register == 0x1C {
        let words = register == 0x1B ? gyro : accel
        for axis in 0..<3 {
          let place = (register == 0x1B ? 0x43 : 0x3B) + 2 * axis
          let bits = UInt16(bitPattern: value & 0xE0 == 0xE0 ? words[axis] : 0)
          chip.bytes[place] = UInt8(bits >> 8)
          chip.bytes[place + 1] = UInt8(bits & 0xFF)
        }
      }
      return register == 0x6B && value & 0x80 != 0 ? 0x40 : nil
    }
    var driver = MPU6050(FakeBus(chip: chip), expecting: identity)
    try driver.startSelfTest()
    var batch = RawBatch()
    for _ in 0..<1000 where driver.selfTest == nil {
      chip.spend(try driver.step(.due, into: &batch))
    }
    let found = driver.selfTest
    return try #require(found)
  }

  func passes(_ report: SelfTestReport) -> [Bool] { (0..<6).map { report.items[$0].isPassed } }

  /// Without codes the limits are 0.3 to 0.95 g at 4096 counts, and 10 to 105 deg/s at 131.
  @Test func `a first part without codes has the absolute limits`() throws {
    let inside = try report(
      identity: 0x68, codes: [:], accel: [1230, -1230, 3890], gyro: [1312, -1312, 13750])
    #expect(passes(inside) == [true, true, true, true, true, true])
    let outside = try report(
      identity: 0x68, codes: [:], accel: [1228, 0, 3892], gyro: [1309, 0, 13756])
    #expect(passes(outside) == [false, false, false, false, false, false])
  }

  /// Without codes the limits are 0.225 to 0.675 g at 16384 counts, and at least 60 deg/s at 131.
  @Test func `a later part without codes has the absolute limits`() throws {
    let inside = try report(
      identity: 0x70, codes: [:], accel: [3687, -3687, 11059], gyro: [7861, -7861, 32000])
    #expect(passes(inside) == [true, true, true, true, true, true])
    let outside = try report(
      identity: 0x70, codes: [:], accel: [3686, 0, 11060], gyro: [7859, 0, -7859])
    #expect(passes(outside) == [false, false, false, false, false, false])
  }

  /// Code 1 is 1392.64 and 3275 counts, negative on y; 14 percent are allowed on either side.
  @Test func `a trim allows 14 % to either side`() throws {
    let codes: [UInt8: UInt8] = [0x0D: 0x01, 0x0E: 0x01, 0x0F: 0x01, 0x10: 0x15]
    let inside = try report(
      identity: 0x68, codes: codes, accel: [1198, 1393, 1587], gyro: [2817, -3275, 3733])
    #expect(passes(inside) == [true, true, true, true, true, true])
    let outside = try report(
      identity: 0x68, codes: codes, accel: [1197, -1393, 1588], gyro: [2816, 3275, 3734])
    #expect(passes(outside) == [false, false, false, false, false, false])
  }

  /// After a failed transaction the test restarts, and its outcome is unchanged.
  @Test func `a failure on the way begins the self-test again`() throws {
    for index in [0, 3, 10, 20, 40, 230, 260, 430] {
      let bench = Rig.mpu6050(0x68)
      bench.world.held.rotationRate = .zero
      var driver = MPU6050(bench.wire(failingAt: index..<(index + 1), throwing: .timeout))
      try driver.startSelfTest()
      bench.run(&driver, for: .seconds(5))
      #expect(bench.outcome.errors.count == 1, "\(index)")
      let found = driver.selfTest
      let report = try #require(found, "\(index)")
      #expect(report.isPassed, "\(index)")
      // Afterwards the chip samples as before.
      driver.start()
      bench.run(&driver, for: .seconds(1))
      #expect(bench.outcome.frames.count > 50, "\(index)")
    }
  }
}
