// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

/// Tests the model with addresses and bytes typed from TDK's DS-000489 revision 1.1.
@Suite struct ICM45686ModelTests {
  let bench = ModelBench { ICM45686Model($0) }

  func inner(_ address: UInt16) -> UInt8 {
    bench.write(0x7C, UInt8(address >> 8), UInt8(truncatingIfNeeded: address))
    bench.model.advance(to: later)
    defer { bench.model.advance(to: later) }
    return bench.read(0x7E)[0]
  }

  func setInner(_ address: UInt16, _ value: UInt8) {
    bench.write(0x7C, UInt8(address >> 8), UInt8(truncatingIfNeeded: address), value)
    bench.model.advance(to: later)
  }

  final class Clock { var now = Timestamp.zero }
  let clock = Clock()

  /// A time 5 us later.
  var later: Timestamp {
    clock.now = clock.now + .microseconds(5)
    return clock.now
  }

  func at(_ milliseconds: Double) {
    clock.now = Timestamp(nanoseconds: Int64((milliseconds * 1e6).rounded()))
    bench.at(milliseconds)
  }

  /// Starts both sensors at 1.6 kHz, 16 g and 2000 degrees per second, with data-ready and
  /// watermark on pin 1, active high.
  func start(fifo: UInt8 = 0x07, watermark: UInt8 = 3, mode: UInt8 = 0x80) {
    at(0)
    bench.world.held.specificForce = Vector3(1, -1, 0.5)
    bench.world.held.rotationRate = Vector3(10, -10, 0) * (.pi / 180)
    bench.world.held.temperature = 30
    bench.write(0x18, 0x01)
    bench.write(0x16, 0x06)
    bench.write(0x1E, watermark, 0x00)
    bench.write(0x1D, mode | 0x07)
    bench.write(0x21, fifo)
    bench.write(0x1B, 0x15, 0x15)
    bench.write(0x10, 0x0F)
    _ = bench.read(0x19)
  }

  static let resets: [(UInt16, UInt8)] = [
    (0x10, 0x00), (0x16, 0x80), (0x18, 0x04), (0x19, 0x80), (0x1B, 0x06), (0x1C, 0x06),
    (0x1D, 0x00), (0x20, 0x20), (0x26, 0x03), (0x2C, 0x9A), (0x2D, 0x0C), (0x32, 0x6C),
    (0x56, 0x80), (0x58, 0x04), (0x72, 0xE9), (0x7C, 0xAF), (0x7D, 0x06), (0x7E, 0x02),
    (0x7F, 0x01), (0xA258, 0x60), (0xA259, 0x04), (0xA267, 0x00), (0xA268, 0x23), (0xA297, 0x02),
    (0xA4A6, 0x1B), (0xA4AA, 0x0A), (0xA4AC, 0x80), (0xA57B, 0x14), (0xA581, 0x02), (0xA583, 0x00),
    (0xA584, 0x03),
  ]

  @Test(arguments: resets) func `it wakes with what the sheet says`(row: (UInt16, UInt8)) {
    at(0)
    #expect(row.0 > 0xFF ? inner(row.0) == row.1 : bench.read(UInt8(row.0)) == [row.1])
  }

  /// Section 13.5: the address advances after each read; 13.3: 4 us between requests.
  @Test func `inner registers take their time, one after the other`() {
    at(0)
    bench.write(0x7C, 0xA2, 0x67)
    #expect(bench.read(0x7F) == [0x00])
    at(0.005)
    #expect(bench.read(0x7F) == [0x01] && bench.read(0x7E) == [0x00])
    #expect(bench.read(0x7F) == [0x00])
    at(0.010)
    #expect(bench.read(0x7E) == [0x23])
    // A write in the transaction of its address, then one that comes too early, then one in time.
    at(0.015)
    bench.write(0x7C, 0xA4, 0xAB, 0x01)
    bench.write(0x7E, 0x83)
    at(0.020)
    #expect(inner(0xA4AB) == 0x01 && inner(0xA4AC) == 0x80)
    setInner(0xA4AB, 0x02)
    bench.write(0x7E, 0x83)
    bench.model.advance(to: later)
    #expect(inner(0xA4AB) == 0x02 && inner(0xA4AC) == 0x83)
  }

  /// SlimeVR-Tracker-nRF pull request 156: of a block only the first byte reaches an inner
  /// register, the next one REG_MISC2.
  @Test func `a block ends at the first byte`() {
    at(0)
    bench.write(0x7C, 0xA2, 0x7E, 0x11, 0x00)
    at(0.010)
    #expect(inner(0xA27E) == 0x11 && inner(0xA27F) == 0x00)
    #expect(bench.read(0x72) == [0xE9])
    bench.write(0x7C, 0xA2, 0x7E, 0x22, 0x02)
    at(2)
    #expect(inner(0xA27E) == 0x00)
  }

  @Test func `a soft reset takes less than a millisecond`() {
    at(0)
    #expect(bench.read(0x19) == [0x80] && bench.read(0x19) == [0x00])
    bench.write(0x1B, 0x15)
    bench.write(0x7F, 0x02)
    #expect(bench.read(0x7F)[0] & 0x02 == 0x02 && bench.read(0x19) == [0x00])
    at(1)
    #expect(bench.read(0x7F) == [0x01] && bench.read(0x19) == [0x80] && bench.read(0x1B) == [0x06])
  }

  /// 2048 counts per g, 16.384 per degree per second, 128 per degree of temperature; low bytes
  /// first until bit 1 of SREG_CTRL 0xA267.
  @Test func `the accelerometer wakes in 10 ms, the gyroscope in 35`() {
    start()
    at(9.9)
    #expect(bench.read(0x19) == [0x00])
    at(10.1)
    #expect(bench.read(0x19)[0] & 0x04 == 0x04 && bench.read(0x19) == [0x00])
    #expect(
      bench.read(0x00, 14) == [0x00, 0x08, 0x00, 0xF8, 0x00, 0x04, 0, 0, 0, 0, 0, 0, 0x80, 0x02])
    at(36)
    #expect(bench.read(0x06, 6) == [0xA4, 0x00, 0x5C, 0xFF, 0x00, 0x00])
    setInner(0xA267, 0x02)
    at(37)
    #expect(
      bench.read(0x00, 14) == [
        0x08, 0x00, 0xF8, 0x00, 0x04, 0x00, 0x00, 0xA4, 0xFF, 0x5C, 0x00, 0x00, 0x02, 0x80,
      ])
  }

  /// Section 16.21: a status bit is set only while it is enabled.
  @Test func `a status bit follows its enabling`() {
    start()
    bench.write(0x16, 0x00)
    bench.write(0x56, 0x04)
    _ = bench.read(0x59)
    at(12)
    #expect(bench.read(0x19) == [0x00] && bench.read(0x59) == [0x04])
    #expect(bench.model.takeEdges(of: 1).count == 0 && bench.model.takeEdges(of: 2).count > 0)
  }

  /// The gyroscope has no data in the first packet, whose time is off.
  @Test func `packets of 16 bytes tell by the line when three are there`() {
    start()
    bench.write(0x16, 0x02)
    at(11)
    #expect(bench.read(0x12, 2) == [0x02, 0x00] && bench.edges() == 0)
    at(11.3)
    #expect(bench.edges() == 1 && bench.read(0x19) == [0x02])
    #expect(
      bench.read(0x14, 16) == [
        0x68, 0x00, 0x08, 0x00, 0xF8, 0x00, 0x04, 0x00, 0x80, 0x00, 0x80, 0x00, 0x80, 0x0A, 0, 0,
      ])
    // Two are left; the third packet signals again, the fourth does not.
    at(12.6)
    #expect(bench.edges() == 1)
  }

  /// Bit 3 of FIFO_CONFIG2: from the watermark on, not only at it (section 16.31; TDK's driver,
  /// Linux and Zephyr set it).
  @Test(arguments: [(UInt8(0x20), 1), (0x28, 3)])
  func `the watermark signals once, or at each packet from it on`(row: (UInt8, Int)) {
    start()
    bench.write(0x20, row.0)
    bench.write(0x16, 0x02)
    // Packets come at 10.0, 10.625, 11.25, 11.875 and 12.5 ms; the third is the watermark.
    at(12.6)
    #expect(bench.edges() == row.1)
  }

  /// TDK's driver reads bit 7 of FIFO_CONFIG2 until the chip has cleared it.
  @Test func `the queue is empty when its bit says so`() {
    start()
    at(11.3)
    bench.write(0x20, 0xA0)
    at(11.35)
    #expect(bench.read(0x20) == [0xA0])
    at(11.45)
    #expect(bench.read(0x20) == [0x20] && bench.read(0x14) == [0xFF])
    _ = bench.read(0x12, 2)
    #expect(bench.read(0x12, 2) == [0x00, 0x00])
  }

  /// Section 16.32: first the FIFO, then the flow into it, bit 0 of FIFO_CONFIG3.
  @Test func `a flow that is enabled before the queue gives no packets`() {
    start(mode: 0x00)
    bench.write(0x1D, 0x87)
    at(15)
    _ = bench.read(0x12, 2)
    #expect(bench.read(0x12, 2) == [0x00, 0x00])
    bench.write(0x21, 0x07)
    at(16)
    _ = bench.read(0x12, 2)
    #expect(bench.read(0x12, 2) == [0x01, 0x00])
  }

  /// The chip has 8 kB (section 16.28), whatever a reserved code says.
  @Test func `the deepest queue has 512 packets of 16 bytes`() {
    start()
    bench.write(0x21, 0x06)
    bench.write(0x1D, 0xBF)
    bench.write(0x21, 0x07)
    bench.write(0x16, 0x01)
    at(10 + 0.625 * 700)
    _ = bench.read(0x12, 2)
    #expect(bench.read(0x12, 2) == [0x00, 0x02] && bench.read(0x19) == [0x01])
  }

  /// PX4: the watermark counts when its high byte is written (section 16.29).
  @Test func `a watermark's low byte alone counts for nothing`() {
    start(watermark: 0)
    bench.write(0x1E, 0x01)
    at(20)
    #expect(bench.read(0x19)[0] & 0x02 == 0)
    bench.write(0x20, 0xA0)
    bench.write(0x1F, 0x00)
    at(21.4)
    #expect(bench.read(0x19)[0] & 0x02 == 0x02)
  }

  /// 16384 counts per g and 131.072 per degree per second in 20 bits, at any range.
  @Test func `packets of 20 bytes have more of each axis at their end`() {
    start(fifo: 0x0F)
    setInner(0xA267, 0x02)
    setInner(0xA258, 0x61)
    bench.write(0x22, 0x02)
    bench.world.held.specificForce = Vector3(1.0 / 16384, -1.0 / 16384, 40)
    bench.world.held.rotationRate = Vector3(1, -1, 10 * 131.072) / 131.072 * (.pi / 180)
    at(35.9)
    bench.write(0x20, 0xA0)
    at(36.5)
    let packet = bench.read(0x14, 20)
    #expect(
      packet[0..<15] == [
        0x78, 0x00, 0x00, 0xFF, 0xFF, 0x7F, 0xFF, 0x00, 0x00, 0xFF, 0xFF, 0x00, 0x51, 0x02, 0x80,
      ])
    // Samples come each 625 us from 10 ms on: 36250 us are 0x8D9A. 1310.72 counts are 0x0051F.
    #expect(packet[15..<17] == [0x8D, 0x9A] && packet[17...] == [0x11, 0xFF, 0xFF])
  }

  /// 2048 bytes are 128 packets of 16 bytes.
  @Test func `a full queue keeps its oldest, a stream its newest`() {
    for (mode, isStream) in [(0x80, false), (0x40, true)] as [(UInt8, Bool)] {
      let tests = ICM45686ModelTests()
      let bench = tests.bench
      tests.start(mode: mode)
      bench.write(0x16, 0x01)
      tests.at(10 + 0.625 * 127.5)
      #expect(bench.read(0x12, 2) == [0x80, 0x00] && bench.read(0x19) == [0x00])
      bench.world.held.specificForce = Vector3(2, 0, 0)
      tests.at(10 + 0.625 * 129.5)
      #expect(bench.read(0x19) == [0x01])
      _ = bench.read(0x12, 2)
      #expect(bench.read(0x12, 2) == [0x80, 0x00])
      var packets: [[UInt8]] = []
      for _ in 0..<128 { packets.append(bench.read(0x14, 16)) }
      #expect(packets.filter { $0[2] == 0x10 }.count == (isStream ? 2 : 0))
    }
  }

  /// AN-000364, section 2.2, by TDK's driver and PX4's: the second of two reads is right.
  @Test func `now and then the first read of the count is an old one`() {
    start()
    var old = 0
    for sample in 1...20 {
      at(10 + 0.625 * (Double(sample) - 0.5))
      let (first, second) = (bench.read(0x12, 2), bench.read(0x12, 2))
      #expect(second == [UInt8(sample), 0x00])
      if first != second { old += 1 }
      _ = bench.read(0x10)
    }
    #expect(old == 4)
  }

  @Test func `a latched pin stays until its status is read`() {
    start()
    bench.write(0x16, 0x04)
    bench.write(0x18, 0x03)
    at(13)
    #expect(bench.edges() == 1)
    at(14)
    #expect(bench.edges() == 0 && bench.read(0x19) == [0x04])
    at(15)
    #expect(bench.edges() == 1)
  }
}
