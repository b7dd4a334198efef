// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

// Addresses are typed from DocID024204 revision 6, section 6.
@Suite struct LIS3MDLModelTests {
  let bench = ModelBench(WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40)) { LIS3MDLModel($0) }

  /// Starts continuous mode at 80 Hz: a sample every 12.5 ms.
  func start() {
    bench.at(0)
    bench.world.held.magneticField = Vector3(100, -100, 50)
    bench.write(0x20, 0x7C)
    bench.write(0x22, 0x00)
  }

  static let sample: [UInt8] = [0xBA, 0x1A, 0x46, 0xE5, 0x5D, 0x0D]

  static let afterReset: [(UInt8, String, UInt8)] = [
    (0x0F, "WHO_AM_I", 0x3D), (0x20, "CTRL_REG1", 0x10), (0x21, "CTRL_REG2", 0x00),
    (0x22, "CTRL_REG3", 0x03), (0x23, "CTRL_REG4", 0x00), (0x24, "CTRL_REG5", 0x00),
    (0x27, "STATUS_REG", 0x00), (0x28, "OUT_X_L", 0x00), (0x2D, "OUT_Z_H", 0x00),
    (0x2E, "TEMP_OUT_L", 0x00), (0x2F, "TEMP_OUT_H", 0x00), (0x31, "INT_SRC", 0x00),
    (0x32, "INT_THS_L", 0x00), (0x33, "INT_THS_H", 0x00),
  ]

  @Test(arguments: afterReset)
  func `each register has its reset value`(row: (UInt8, String, UInt8)) {
    #expect(bench.read(row.0) == [row.2], "\(row.1)")
  }

  @Test(
    arguments: [
      (0x20, 0xFF), (0x23, 0x0E), (0x24, 0xC0), (0x0F, 0x3D), (0x27, 0x00), (0x28, 0x00),
    ] as [(UInt8, UInt8)])
  func `each register takes only the bits that can be written`(register: UInt8, holds: UInt8) {
    bench.write(register, 0xFF)
    #expect(bench.read(register) == [holds])
  }

  @Test func `after a reset the chip is powered down`() {
    bench.world.held.magneticField = Vector3(100, 100, 100)
    bench.at(10_000)
    #expect(bench.read(0xA7, 7) == [0, 0, 0, 0, 0, 0, 0])
    #expect(bench.edges() == 0)
    #expect(bench.model.nextEdge == nil)
  }

  /// Existing drivers read bursts with or without the increment bit, and the chip supports both.
  @Test(arguments: [0x28, 0xA8] as [UInt8]) func `both sub-addresses advance`(register: UInt8) {
    start()
    bench.at(13)
    #expect(bench.read(register, 6) == Self.sample)
  }

  /// As in the trace of a real part in PX4 issue 12514: X, Y and Z, then X again.
  @Test func `a burst wraps from Z to X, and leaves out the temperature`() {
    start()
    bench.write(0x20, 0xFC)
    bench.world.held.temperature = 30
    bench.at(13)
    #expect(bench.read(0xA8, 8) == Self.sample + Self.sample.prefix(2))
    #expect(bench.read(0xAE, 2) == [0x28, 0x00])
  }

  @Test func `data ready clears when the outputs are read`() {
    start()
    bench.at(13)
    #expect(bench.read(0x27) == [0x0F])
    #expect(bench.read(0x27) == [0x0F])
    _ = bench.read(0xA8, 2)
    #expect(bench.read(0x27) == [0x0E])
    _ = bench.read(0xAA, 4)
    #expect(bench.read(0x27) == [0x00])
  }

  @Test func `the status within a burst is the one before it`() {
    start()
    bench.at(13)
    #expect(bench.read(0xA7, 7) == [0x0F] + Self.sample)
    #expect(bench.read(0xA7, 7) == [0x00] + Self.sample)
  }

  @Test func `an overrun is reported until it is read`() {
    start()
    bench.at(13)
    #expect(bench.read(0x27) == [0x0F])
    bench.at(26)
    #expect(bench.read(0x27) == [0xFF])
    _ = bench.read(0xA8, 6)
    #expect(bench.read(0x27) == [0x00])
    bench.at(38)
    #expect(bench.read(0x27) == [0x0F])
  }

  /// The pin is a level: there is an edge only if it fell before.
  @Test func `edges of the pin come with transitions of the status`() {
    start()
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 12_500_000))
    bench.at(60)
    #expect(bench.edges() == 1)
    #expect(bench.model.nextEdge == nil)
    _ = bench.read(0xA8, 6)
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 62_500_000))
    bench.at(70)
    #expect(bench.edges() == 1)
  }

  @Test func `words can have the high byte first`() {
    start()
    bench.write(0x23, 0x0E)
    bench.at(13)
    #expect(bench.read(0xA8, 6) == [0x1A, 0xBA, 0xE5, 0x46, 0x0D, 0x5D])
    _ = bench.read(0xA8, 6)
    #expect(bench.read(0x27) == [0x00])
  }

  @Test func `a single conversion powers down`() {
    bench.world.held.magneticField = Vector3(100, -100, 50)
    bench.write(0x20, 0x7C)
    bench.write(0x22, 0x01)
    bench.at(20)
    #expect(bench.read(0x22) == [0x03])
    #expect(bench.read(0xA7, 7) == [0x0F] + Self.sample)
    bench.at(200)
    #expect(bench.read(0x27) == [0x00])
  }

  @Test(arguments: [(0x00, 6842), (0x20, 3421), (0x40, 2281), (0x60, 1711)] as [(UInt8, Int)])
  func `each full scale has its counts per gauss`(code: UInt8, countsPerGauss: Int) {
    start()
    bench.write(0x21, code)
    bench.at(13)
    let bytes = bench.read(0xA8, 2)
    #expect(Int(bytes[1]) << 8 | Int(bytes[0]) == countsPerGauss)
  }

  /// CTRL_REG1: with FAST_ODR (bit 1) OM sets the rate (table 22).
  @Test(
    arguments: [
      (0x60, 0.625), (0x64, 1.25), (0x68, 2.5), (0x6C, 5), (0x70, 10), (0x74, 20), (0x78, 40),
      (0x7C, 80), (0x1C, 80), (0x02, 1000), (0x22, 560), (0x42, 300), (0x62, 155), (0x7E, 155),
    ] as [(UInt8, Double)])
  func `each rate code has its rate`(control: UInt8, hertz: Double) throws {
    bench.at(0)
    bench.write(0x20, control)
    bench.write(0x22, 0x00)
    let first = try #require(bench.model.nextEdge)
    #expect(abs(Double(first.nanoseconds) - 1e9 / hertz) <= 1)
    // Read every sample for 16 s: their number agrees with the rate.
    var count = 0
    var next: Timestamp? = first
    while let time = next, time.seconds <= 1.6 {
      bench.model.advance(to: time)
      count += bench.edges()
      _ = bench.read(0xA8, 6)
      next = bench.model.nextEdge
    }
    #expect(count == Int((hertz * 1.6).rounded(.down)))
  }

  @Test func `temperature is measured only where it is enabled`() {
    bench.world.held.temperature = 26
    start()
    bench.at(13)
    #expect(bench.read(0xAE, 2) == [0, 0])
    bench.write(0x20, 0xFC)
    bench.at(26)
    #expect(bench.read(0xAE, 2) == [8, 0])
  }

  /// The self-test bit is bit 0 of CTRL_REG1. The change is within the data sheet's limits: 1 to 3
  /// gauss on X and Y, 0.1 to 1 on Z.
  @Test func `the self-test moves the field`() throws {
    bench.world.held.magneticField = Vector3(10, 10, 10)
    bench.write(0x21, 0x40)
    func sample(_ control: UInt8, at milliseconds: Double) -> [Int] {
      bench.write(0x20, control)
      bench.write(0x22, 0x00)
      bench.at(milliseconds)
      let bytes = bench.read(0xA8, 6)
      return [0, 2, 4].map {
        Int(Int16(bitPattern: UInt16(bytes[$0 + 1]) << 8 | UInt16(bytes[$0])))
      }
    }
    let calm = sample(0x1C, at: 13)
    #expect(calm == [228, 228, 228])
    let moved = zip(sample(0x1D, at: 26), calm).map { abs($0 - $1) }
    #expect(moved[0] > 2281 && moved[0] < 6843)
    #expect(moved[1] > 2281 && moved[1] < 6843)
    #expect(moved[2] > 228 && moved[2] < 2281)
    #expect(sample(0x1C, at: 39) == calm)
  }

  /// CTRL_REG3, bit 5: the rate is 0.625 Hz, whatever the rate field is.
  @Test func `low power has one rate`() {
    bench.at(0)
    bench.write(0x20, 0x7C)
    bench.write(0x22, 0x20)
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 1_600_000_000))
    bench.write(0x22, 0x00)
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 12_500_000))
  }

  @Test func `temperature follows the byte order`() {
    bench.world.held.temperature = -25
    bench.write(0x23, 0x0E)
    bench.write(0x20, 0xFC)
    bench.write(0x22, 0x00)
    bench.at(13)
    #expect(bench.read(0xAE, 2) == [0xFE, 0x70])
  }

  @Test func `a power cycle forgets everything`() {
    start()
    bench.at(100)
    #expect(bench.model.samplesTaken == 8)
    bench.model.powerCycle()
    #expect(bench.read(0xA0, 5) == [0x10, 0x00, 0x03, 0x00, 0x00])
    #expect(bench.model.nextEdge == nil)
    bench.at(1000)
    #expect(bench.model.samplesTaken == 8)
  }

  @Test func `soft reset restores the registers`() {
    start()
    bench.write(0x23, 0x0C)
    bench.at(13)
    bench.write(0x21, 0x64)
    bench.at(23)
    #expect(bench.read(0xA0, 5) == [0x10, 0x00, 0x03, 0x00, 0x00])
    #expect(bench.read(0x27) == [0x00])
    bench.at(100)
    #expect(bench.edges() <= 1)
    #expect(bench.read(0x27) == [0x00])
  }

  @Test func `SPI advances with bit six only`() {
    start()
    bench.at(13)
    var bytes: [UInt8] = [0, 0, 0]
    var span = bytes.mutableSpan
    bench.port.frame(&span, after: 0x80 | 0x20, dummyBytes: 0)
    #expect(bytes == [0x7C, 0x7C, 0x7C])
    span = bytes.mutableSpan
    bench.port.frame(&span, after: 0xC0 | 0x20, dummyBytes: 0)
    #expect(bytes == [0x7C, 0x00, 0x00])
    bench.port.frame(([0x24, 0x40] as [UInt8]).span)
    #expect(bench.read(0x24) == [0x40])
    bench.port.frame(([0x40 | 0x23, 0x04, 0x80] as [UInt8]).span)
    #expect(bench.read(0x23, 2) == [0x04, 0x80])
  }

  /// DocID025715, section 8.1: the offset registers, 0x05 to 0x0A, are subtracted; a soft reset clears
  /// them, as the driver's start does.
  @Test func `the user's offsets are subtracted until a reset`() {
    let bench = ModelBench(WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40)) {
      LIS3MDLModel($0, part: .lsm9ds1)
    }
    bench.at(0)
    // 4 gauss, 14 nT a count: 7143, -7143 and 3571 counts.
    bench.world.held.magneticField = Vector3(100, -100, 50)
    // -200, 100 and -1 counts.
    bench.write(0x85, 0x38, 0xFF, 0x64, 0x00, 0xFF, 0xFF)
    bench.write(0x20, 0x7C)
    bench.write(0x22, 0x00)
    bench.at(13)
    func field() -> [Int16] {
      let bytes = bench.read(0xA8, 6)
      return [0, 2, 4].map { Int16(bitPattern: UInt16(bytes[$0 + 1]) << 8 | UInt16(bytes[$0])) }
    }
    #expect(field() == [7343, -7243, 3572])
    bench.write(0x21, 0x04)
    bench.at(20)
    bench.write(0x20, 0x7C)
    bench.write(0x22, 0x00)
    bench.at(40)
    #expect(field() == [7143, -7143, 3571])
  }
}
