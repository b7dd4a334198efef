// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// The model with bytes typed from ST's driver (lsm6dsv16x_reg.h) and Betaflight's.
@Suite struct LSM6DSV16XModelTests {
  static func bench(clockError: Double = 0) -> ModelBench {
    let bench = ModelBench { LSM6DSV16XModel($0, clockError: clockError) }
    bench.world.held = .inertial(Vector3(0, 0.5, -1), Vector3(0, 0, 0), temperature: 25.5)
    bench.at(0)
    return bench
  }

  @Test func `it says who it is, and what it has after a reset`() {
    let bench = Self.bench()
    #expect(bench.read(0x0F) == [0x70])
    // IF_INC and BDU; the interface's register has its pull-ups and lines at 0.
    #expect(bench.read(0x12) == [0x44] && bench.read(0x02) == [0x23] && bench.read(0x03) == [0x00])
    bench.write(0x10, 0x06)
    bench.write(0x03, 0x18)
    bench.write(0x12, 0x05)
    bench.at(1)
    // SW_RESET leaves the lines active low and open-drain.
    #expect(bench.read(0x10) == [0x00] && bench.read(0x12) == [0x44] && bench.read(0x03) == [0x18])
    // SW_POR leaves nothing, and takes 30 ms.
    bench.write(0x01, 0x04)
    bench.at(29)
    #expect(bench.read(0x03) == [0x18])
    bench.at(32)
    #expect(bench.read(0x03) == [0x00] && bench.read(0x01) == [0x00])
  }

  @Test func `outputs are in counts, low bytes first, after the gyroscope woke up`() {
    let bench = Self.bench()
    // 120 Hz; 2 g and 125 degrees per second.
    bench.write(0x10, 0x06)
    bench.write(0x11, 0x06)
    #expect(bench.read(0x1E) == [0x00])
    bench.at(10)
    // The accelerometer and the thermometer have samples; GYRO_SETTLING is set for 50 ms.
    #expect(bench.read(0x1E) == [0x05] && bench.read(0x44) == [0x04])
    bench.at(60)
    #expect(bench.read(0x1E) == [0x07] && bench.read(0x44) == [0x00])
    // 128 counts above 25 degrees; 0.5 g at 61 micro-g is 8197, -1 g is -16393.
    #expect(
      bench.read(0x20, 14) == [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x05, 0x20, 0xF7, 0xBF])
    #expect(bench.read(0x1E) == [0x00])
  }

  @Test(arguments: [
    (UInt8(0x01), UInt8(0), 1.875), (0x02, 0, 7.5), (0x06, 0, 120), (0x0C, 0, 7680),
    (0x06, 1, 120), (0x16, 0, 120), (0x16, 1, 125), (0x16, 2, 100), (0x19, 1, 1000),
  ])
  func `a code is this rate, in high accuracy one of three sets`(
    _ code: UInt8, _ set: UInt8, _ hertz: Double
  ) {
    let bench = Self.bench()
    bench.write(0x62, set)
    bench.write(0x10, code)
    bench.at(4000)
    #expect(abs(Double(bench.model.samplesTaken) - 4 * hertz) <= 1)
  }

  @Test func `words of one time slot share a count, and bit 0 of a tag is 0`() {
    let bench = Self.bench()
    // Both sensors at 120 Hz, into the FIFO once the gyroscope woke up; 4 words make INT2 active.
    bench.write(0x07, 0x04)
    bench.write(0x09, 0x66)
    bench.write(0x0E, 0x08)
    bench.write(0x10, 0x06)
    bench.write(0x11, 0x06)
    bench.at(60)
    bench.write(0x0A, 0x06)
    bench.at(67)
    #expect(bench.read(0x1B, 2) == [0x02, 0x00])
    #expect(bench.model.takeEdges(of: 2).count == 0)
    bench.at(92)
    #expect(bench.read(0x1B, 2) == [0x08, 0x80])
    #expect(bench.model.takeEdges(of: 2).count == 1 && bench.model.takeEdges(of: 1).count == 0)
    // Four samples in one burst that wraps around: tags 00001 and 00010, counts 1, 2, 3, 0.
    let bytes = bench.read(0x78, 56)
    let tags = (0..<8).map { bytes[7 * $0] }
    #expect(tags == [0x0A, 0x12, 0x0C, 0x14, 0x0E, 0x16, 0x08, 0x10])
    #expect(Array(bytes[7..<14]) == [0x12, 0, 0, 0x05, 0x20, 0xF7, 0xBF])
    #expect(bench.read(0x1B, 2) == [0x00, 0x00])
    bench.at(110)
    bench.write(0x0A, 0x00)
    #expect(bench.read(0x1B, 2) == [0x00, 0x00])
  }

  @Test func `a full queue loses its oldest words and says so until it is asked`() {
    let bench = Self.bench()
    bench.write(0x09, 0x0A)
    // At 1920 Hz the accelerometer alone fills 256 words after 133.3 ms.
    bench.write(0x10, 0x0A)
    bench.write(0x0A, 0x06)
    bench.at(133)
    #expect(bench.read(0x1B, 2) == [0xFF, 0x00])
    bench.at(133.5)
    // The FIFO contains 256 words and is full.
    #expect(bench.read(0x1B, 2) == [0x00, 0x21])
    bench.at(136)
    #expect(bench.read(0x1B, 2) == [0x00, 0x69])
    #expect(bench.read(0x1B, 2) == [0x00, 0x61])
    _ = bench.read(0x78, 7)
    #expect(bench.read(0x1B, 2) == [0xFF, 0x00])
  }

  /// 46080 counts per second; a step of INTERNAL_FREQ_FINE is 0.13 percent (AN5763).
  @Test func `time stamps are words of their own, 21-7 us each, on the chip's clock`() {
    let bench = Self.bench(clockError: 0.013)
    #expect(bench.read(0x4F) == [10])
    bench.write(0x50, 0x40)
    bench.write(0x09, 0x06)
    bench.write(0x10, 0x06)
    bench.write(0x0A, 0x46)
    bench.at(10)
    let bytes = bench.read(0x78, 14)
    // Tag 00100 with one period of 120 Hz, 384 counts of 46080 Hz; then tag 00010.
    #expect(bytes[0] >> 3 == 4 && bytes[7] >> 3 == 2)
    let stamp = Int(bytes[1]) | Int(bytes[2]) << 8
    #expect((383...384).contains(stamp) && bytes[3] == 0 && bytes[4] == 0)
    bench.at(1000)
    let time = bench.read(0x40, 4)
    let ticks: Int = Int(time[0]) | Int(time[1]) << 8 | Int(time[2]) << 16
    // 46080 * 1.013 is 46679.
    #expect((46678...46680).contains(ticks))
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
      #expect(bench.read(0x0F) == [0x70] && bench.read(0x17) == [0x00])
    }
  }
}
