// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

// The offset registers of InvenSense's parts. Addresses and steps typed from i2cdevlib (setXAccelOffset, setXGyroOffset and
// their calibration: 2048 counts a g, 32.8 a degree per second), RM-MPU-9250A-00 section 4.3, and DS-000189 sections 9 and 10.
@Suite struct UserOffsetTests {
  /// (identity, the first register of each axis of the accelerometer).
  static let parts: [(identity: UInt8, accel: [UInt8])] = [
    (0x68, [0x06, 0x08, 0x0A]), (0x70, [0x77, 0x7A, 0x7D]), (0x71, [0x77, 0x7A, 0x7D]),
    (0x12, [0x77, 0x7A, 0x7D]),
  ]

  static func bench(_ identity: UInt8) -> ModelBench {
    let bench = ModelBench { MPU6050Model($0, identity: identity) }
    bench.at(0)
    bench.write(0x1A, 0x01)
    bench.write(0x6B, 0x01)
    bench.at(50)
    return bench
  }

  @Test(arguments: parts) func `an offset moves its axis at every range, and a reset takes it away`(
    part: (identity: UInt8, accel: [UInt8])
  ) {
    let bench = Self.bench(part.identity)
    #expect(bench.read(0x3B, 6) == [0, 0, 0, 0, 0, 0])
    for (axis, register) in part.accel.enumerated() {
      // The factory's word plus 512, which is a quarter of a g: 4096 counts at 2 g, 512 at 16 g.
      let word = bench.read(register, 2)
      let moved = UInt16(word[0]) << 8 | UInt16(word[1]) &+ 512
      bench.write(register, UInt8(moved >> 8), UInt8(moved & 0xFF))
      // 328 counts are 10 degrees per second: 1310 counts at 250, 164 at 2000.
      bench.write(0x13 + 2 * UInt8(axis), 0x01, 0x48)
      bench.at(52 + 4 * Double(axis))
      #expect(bench.read(0x3B + 2 * UInt8(axis), 2) == [0x10, 0x00], "\(axis)")
      #expect(bench.read(0x43 + 2 * UInt8(axis), 2) == [0x05, 0x1E], "\(axis)")
    }
    bench.write(0x1C, 0x18)
    bench.write(0x1B, 0x18)
    bench.at(64)
    #expect(bench.read(0x3B, 6) == [0x02, 0x00, 0x02, 0x00, 0x02, 0x00])
    #expect(bench.read(0x43, 6) == [0x00, 0xA4, 0x00, 0xA4, 0x00, 0xA4])
    bench.write(0x6B, 0x80)
    bench.at(66)
    #expect(bench.read(0x13, 6) == [0, 0, 0, 0, 0, 0])
    bench.write(0x6B, 0x01)
    bench.at(120)
    #expect(
      bench.read(0x3B, 6) == [0, 0, 0, 0, 0, 0] && bench.read(0x43, 6) == [0, 0, 0, 0, 0, 0])
  }

  /// The ICM-20948's are in bank 1 (0x14, 0x17, 0x1A) and bank 2 (0x03 to 0x08).
  @Test func `an ICM-20948 has them in banks of their own`() {
    let bench = ModelBench { ICM20948Model($0) }
    bench.at(0)
    bench.write(0x06, 0x01)
    bench.write(0x7F, 0x10)
    let word = bench.read(0x17, 2)
    let moved = UInt16(word[0]) << 8 | UInt16(word[1]) &+ 512
    bench.write(0x17, UInt8(moved >> 8), UInt8(moved & 0xFF))
    bench.write(0x7F, 0x20)
    bench.write(0x07, 0x01, 0x48)
    bench.write(0x7F, 0x00)
    bench.at(60)
    #expect(bench.read(0x2D, 12) == [0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x05, 0x1E])
  }

  /// Offsets that another program left in a board are gone with the reset of a start.
  @Test(arguments: [0x68, 0x70, 0x12] as [UInt8])
  func `a driver reads right on a board in which offsets were left`(identity: UInt8) throws {
    let bench = Rig.mpu6050(identity)
    let accel: UInt8 = identity == 0x68 ? 0x06 : 0x77
    for register in [accel, accel + 1, 0x13, 0x14, 0x15, 0x16] { bench.tamper(register, 0x11) }
    var driver = MPU6050(bench.wire(), expecting: identity)
    _ = try driver.configure(MPU6050RunningTests.settings(.polling, rate: 100))
    driver.start()
    let frames = bench.run(&driver, for: .milliseconds(500)).frames
    #expect(frames.count > 20)
    for frame in frames {
      #expect((frame.reading.specificForce - Vector3(0.5, -1, 1)).norm < 1.0 / 16384)
      #expect((frame.reading.rotationRate - Vector3(1, -2, 3)).norm < radians(fromDegrees: 1 / 131))
    }
  }

  /// From sleep and from standby: 30 ms (PS-MPU-6000A section 6.1), later parts 35 (PS-MPU-6500A table 1).
  @Test(arguments: [(0x68, 30), (0x70, 35), (0x12, 35)] as [(UInt8, Double)])
  func `a gyroscope takes its time to start`(identity: UInt8, milliseconds: Double) {
    let bench = ModelBench { MPU6050Model($0, identity: identity) }
    bench.world.held.specificForce = Vector3(1, 0, 0)
    bench.world.held.rotationRate = Vector3(1, 0, 0) * (Double.pi / 180)
    bench.at(0)
    bench.write(0x1A, 0x01)
    bench.write(0x6B, 0x01)
    bench.at(milliseconds - 0.5)
    #expect(bench.read(0x3B, 2) == [0x40, 0x00] && bench.read(0x43, 2) == [0x00, 0x00])
    bench.at(milliseconds + 1.5)
    #expect(bench.read(0x43, 2) == [0x00, 0x83])
    bench.write(0x6C, 0x07)
    bench.at(100)
    bench.write(0x6C, 0x00)
    bench.at(100 + milliseconds - 1)
    #expect(bench.read(0x43, 2) == [0x00, 0x00])
    bench.at(102 + milliseconds)
    #expect(bench.read(0x43, 2) == [0x00, 0x83])
  }
}
