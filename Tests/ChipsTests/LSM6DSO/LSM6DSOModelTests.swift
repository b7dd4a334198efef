// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// The model with bytes typed from DS12140 revision 2 (sections 6.5 and 9) and from ST's drivers.
@Suite struct LSM6DSOModelTests {
  static func bench(_ part: LSM6DSOPart = .lsm6dso) -> ModelBench {
    let bench = ModelBench { LSM6DSOModel($0, part: part) }
    bench.world.held = .inertial(Vector3(0, 0.5, -1), Vector3(0, 0, 0), temperature: 25.5)
    bench.at(0)
    return bench
  }

  @Test(arguments: [(LSM6DSOPart.lsm6dso, UInt8(0x6C)), (.lsm6dso32, 0x6C), (.ism330dhcx, 0x6B)])
  func `it says who it is, and what it has after a reset`(_ part: LSM6DSOPart, _ identity: UInt8) {
    let bench = Self.bench(part)
    #expect(bench.read(0x0F) == [identity])
    #expect(bench.read(0x12) == [0x04] && bench.read(0x18) == [0xE0] && bench.read(0x02) == [0x3F])
    bench.write(0x10, 0x40)
    bench.write(0x12, 0x05)
    bench.at(1)
    #expect(bench.read(0x10) == [0x00] && bench.read(0x12) == [0x04])
  }

  @Test func `outputs are in counts, low bytes first`() {
    let bench = Self.bench()
    // 104 Hz; 2 g and 250 degrees per second.
    bench.write(0x10, 0x40)
    bench.write(0x11, 0x40)
    #expect(bench.read(0x1E) == [0x00])
    bench.at(10)
    #expect(bench.read(0x1E) == [0x07])
    bench.at(30)
    // 128 counts above 25 degrees; 0.5 g at 61 micro-g is 8197, -1 g is -16393.
    #expect(
      bench.read(0x20, 14) == [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x05, 0x20, 0xF7, 0xBF])
    #expect(bench.read(0x1E) == [0x00])
  }

  @Test func `words of one time slot share a count, and ones are even in number`() {
    let bench = Self.bench()
    bench.write(0x12, 0x44)
    // Both sensors at 104 Hz into the FIFO, with a watermark of 4 words on INT2.
    bench.write(0x07, 0x04)
    bench.write(0x09, 0x44)
    bench.write(0x0E, 0x08)
    bench.write(0x10, 0x40)
    bench.write(0x11, 0x40)
    bench.write(0x0A, 0x06)
    bench.at(10)
    #expect(bench.read(0x3A, 2) == [0x02, 0x00])
    #expect(bench.model.takeEdges(of: 2).count == 0)
    bench.at(45)
    #expect(bench.read(0x3A, 2) == [0x08, 0x80])
    #expect(bench.model.takeEdges(of: 2).count == 1 && bench.model.takeEdges(of: 1).count == 0)
    // Four samples in one burst that wraps around: tags 00001 and 00010, counts 1, 2, 3, 0, and a
    // parity bit.
    let bytes = bench.read(0x78, 56)
    let tags = (0..<8).map { bytes[7 * $0] }
    #expect(tags == [0x0A, 0x12, 0x0C, 0x14, 0x0F, 0x17, 0x09, 0x11])
    // The accelerometer's first two samples are wrong.
    #expect(Array(bytes[7..<14]) == [0x12, 0, 0, 0, 0, 0, 0])
    #expect(Array(bytes[35..<42]) == [0x17, 0, 0, 0x05, 0x20, 0xF7, 0xBF])
    #expect(bench.read(0x3A, 2) == [0x00, 0x00])
    // Bypass mode empties the FIFO, and it counts nothing.
    bench.at(70)
    bench.write(0x0A, 0x00)
    #expect(bench.read(0x3A, 2) == [0x00, 0x00])
  }

  @Test func `a full queue loses its oldest words and says so until it is asked`() {
    let bench = Self.bench()
    bench.write(0x12, 0x44)
    bench.write(0x09, 0x08)
    // At 1660 Hz the accelerometer alone fills 512 words after 308 ms.
    bench.write(0x10, 0x80)
    bench.write(0x0A, 0x06)
    bench.at(308)
    #expect(bench.read(0x3A, 2) == [0xFF, 0x01])
    bench.at(309)
    // The FIFO contains 512 words and is full.
    #expect(bench.read(0x3A, 2) == [0x00, 0x22])
    bench.at(312)
    #expect(bench.read(0x3A, 2) == [0x00, 0x6A])
    #expect(bench.read(0x3A, 2) == [0x00, 0x62])
    _ = bench.read(0x78, 7)
    #expect(bench.read(0x3A, 2) == [0xFF, 0x01])
  }

  @Test func `time stamps are words of their own, 25 us each`() {
    let bench = Self.bench()
    bench.write(0x12, 0x44)
    bench.write(0x19, 0x20)
    bench.write(0x09, 0x04)
    bench.write(0x10, 0x40)
    bench.write(0x0A, 0x46)
    bench.at(10)
    let bytes = bench.read(0x78, 14)
    // Tag 00100 with 9615 us in steps of 25; then tag 00010.
    #expect(bytes[0] >> 3 == 4 && bytes[7] >> 3 == 2)
    #expect(bytes[1] == 0x80 && bytes[2] == 0x01 && bytes[3] == 0 && bytes[4] == 0)
    #expect(bench.read(0x40, 4) == [0x90, 0x01, 0x00, 0x00])
    bench.write(0x42, 0xAA)
    #expect(bench.read(0x40, 4) == [0x00, 0x00, 0x00, 0x00])
  }

  @Test func `pages hide the registers`() {
    let bench = Self.bench()
    for page in [UInt8(0x80), 0x40] {
      bench.write(0x01, page)
      #expect(bench.read(0x0F) == [0x00])
      bench.write(0x17, page)
      #expect(bench.read(0x17) == [page])
      bench.write(0x01, 0x00)
      #expect(bench.read(0x0F) == [0x6C] && bench.read(0x17) == [0x00])
    }
  }

  /// 35 ms (DS12140, turn-on time), and at 104 Hz five samples, which ST's Linux driver discards
  /// (`ST_LSM6DS3H_GYRO_STD_104HZ`). 10 degrees per second at 8.75 mdps are 1143, 20 are 2286.
  @Test(arguments: [0x6A, 0x6C] as [UInt8])
  func `a gyroscope takes its time to start, and again after a change of rate`(identity: UInt8) {
    let bench = ModelBench { world -> any ChipModel in
      if identity == 0x6C { return LSM6DSOModel(world, part: .lsm6dso) }
      return LSM6DS3Model(world, family: .lsm6ds3trc)
    }
    bench.world.held.specificForce = Vector3(0, 0, 1)
    bench.world.held.rotationRate = Vector3(radians(fromDegrees: 10), 0, 0)
    bench.at(0)
    bench.write(0x10, 0x40)
    bench.write(0x11, 0x40)
    bench.at(57)
    #expect(bench.read(0x22, 2) == [0, 0] && bench.read(0x2C, 2) == [0x09, 0x40])
    bench.at(58)
    #expect(bench.read(0x22, 2) == [0x77, 0x04])
    // 416 Hz.
    bench.world.held.rotationRate.x = radians(fromDegrees: 20)
    bench.write(0x11, 0x60)
    bench.at(92)
    #expect(bench.read(0x22, 2) == [0x77, 0x04])
    bench.at(96)
    #expect(bench.read(0x22, 2) == [0xEE, 0x08])
    // A change of the range does not change the rate.
    bench.write(0x11, 0x6C)
    bench.at(99)
    #expect(bench.read(0x22, 2) == [0x1E, 0x01])
  }

  /// ST's Linux drivers discard 1, 2 and 3 samples at 52, 104 and 208 Hz
  /// (`ST_LSM6DS3H_ACCEL_STD_52HZ`, `_104HZ`, `_208HZ`). CTRL1_XL has the rate in bits 7:4; of the
  /// LSM6DSV16X CTRL1 in bits 3:0: 60, 120 and 240 Hz. 1 g at 2 g is 16393 counts.
  @Test(
    arguments: [
      (0x6A, 0x30, 52, 1), (0x6A, 0x40, 104, 2), (0x6A, 0x50, 208, 3), (0x6C, 0x30, 52, 1),
      (0x6C, 0x40, 104, 2), (0x6C, 0x50, 208, 3), (0x70, 0x05, 60, 1), (0x70, 0x06, 120, 2),
      (0x70, 0x07, 240, 3),
    ] as [(UInt8, UInt8, Double, Int)])
  func `an accelerometer's first samples are wrong, also after a change of rate`(
    identity: UInt8, rate: UInt8, hertz: Double, wrong: Int
  ) {
    let bench = ModelBench { world -> any ChipModel in
      switch identity {
      case 0x6C: LSM6DSOModel(world, part: .lsm6dso)
      case 0x70: LSM6DSV16XModel(world)
      default: LSM6DS3Model(world, family: .lsm6ds3trc)
      }
    }
    bench.world.held.specificForce = Vector3(0, 0, 1)
    let period = 1000 / hertz
    bench.at(0)
    bench.write(0x10, rate)
    bench.at((Double(wrong) + 0.5) * period)
    #expect(bench.read(0x2C, 2) == [0, 0])
    bench.at((Double(wrong) + 1.5) * period)
    #expect(bench.read(0x2C, 2) == [0x09, 0x40])
    // Off, and on again.
    bench.world.held.specificForce = Vector3(0, 0, -1)
    bench.write(0x10, 0x00)
    bench.write(0x10, rate)
    bench.at((Double(2 * wrong) + 2) * period)
    #expect(bench.read(0x2C, 2) == [0x09, 0x40])
    bench.at((Double(2 * wrong) + 3) * period)
    #expect(bench.read(0x2C, 2) == [0xF7, 0xBF])
  }
}
