// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

/// Tests the model with addresses and bytes typed from TDK's DS-000347 revision 1.7.
@Suite struct ICM42688PModelTests {
  let bench = ModelBench { ICM42688PModel($0) }

  /// Starts both sensors at 1 kHz, 16 g and 2000 degrees per second; the first sample comes after
  /// 31 ms.
  func start(fifo: UInt8 = 0x0F, watermark: UInt8 = 48) {
    bench.at(0)
    bench.world.held.specificForce = Vector3(1, -1, 0.5)
    bench.world.held.rotationRate = Vector3(10, -10, 0) * (.pi / 180)
    bench.world.held.temperature = 30
    bench.write(0x5F, fifo)
    bench.write(0x60, watermark)
    bench.write(0x16, 0x40)
    bench.write(0x65, 0x04)
    bench.write(0x4E, 0x0F)
  }

  static let resets: [(UInt8, UInt8)] = [
    (0x11, 0x00), (0x13, 0x05), (0x1D, 0x80), (0x2D, 0x10), (0x4C, 0x30), (0x4D, 0x91),
    (0x4E, 0x00), (0x4F, 0x06), (0x50, 0x06), (0x51, 0x16), (0x52, 0x11), (0x53, 0x0D),
    (0x54, 0x23), (0x64, 0x10), (0x65, 0x10), (0x75, 0x47), (0x76, 0x00),
  ]

  @Test(arguments: resets) func `it wakes with what the sheet says`(row: (UInt8, UInt8)) {
    #expect(bench.read(row.0) == [row.1])
  }

  @Test func `a bank hides the others, and a reset shows the first`() {
    bench.at(0)
    bench.write(0x76, 0x01)
    #expect(bench.read(0x0C) == [0x0D] && bench.read(0x7C) == [0x5F])
    #expect(bench.read(0x5F, 3) == [0x95, 0x8C, 0x99])
    bench.write(0x76, 0x02)
    #expect(
      bench.read(0x03, 3) == [0x30, 0x40, 0x62] && bench.read(0x3B, 3) == [0x7A, 0x80, 0x76])
    bench.write(0x76, 0x00)
    _ = bench.read(0x2D)
    bench.write(0x11, 0x01)
    #expect(bench.read(0x2D) == [0x00])
    bench.at(1)
    #expect(bench.read(0x2D) == [0x10] && bench.read(0x75) == [0x47])
  }

  /// 2048 counts per g, 16.4 per degree per second, 132.48 per degree of temperature.
  @Test func `samples come 30 ms after power, high bytes first`() {
    start()
    bench.at(29.9)
    #expect(bench.read(0x2D) == [0x10] && bench.read(0x2D) == [0x00])
    bench.at(30.1)
    #expect(bench.read(0x2D) == [0x08] && bench.read(0x2D) == [0x00])
    #expect(
      bench.read(0x1D, 14) == [
        0x02, 0x96, 0x08, 0x00, 0xF8, 0x00, 0x04, 0x00, 0x00, 0xA4, 0xFF, 0x5C, 0x00, 0x00,
      ])
  }

  /// ACCEL_CONFIG0 0x09 is 50 Hz. Linux reads 20 ms after it has switched on the accelerometer
  /// (inv_icm42600_core.c).
  @Test func `the accelerometer alone has its first sample after 10 ms, at a slow rate too`() {
    bench.at(0)
    bench.write(0x50, 0x09)
    bench.write(0x4E, 0x03)
    _ = bench.read(0x2D)
    bench.at(9.9)
    #expect(bench.read(0x2D) == [0x00])
    bench.at(10.1)
    #expect(bench.read(0x2D) == [0x08])
    bench.at(30.1)
    #expect(bench.read(0x2D) == [0x08] && bench.model.samplesTaken == 2)
  }

  @Test func `packets of 16 bytes tell by the line when three are there`() {
    start()
    bench.at(31.5)
    #expect(bench.read(0x2E, 2) == [0x00, 0x20] && bench.edges() == 0)
    bench.at(32.5)
    // The first watermark is signalled, and the line does not repeat it.
    #expect(bench.edges() == 1 && bench.read(0x2D) == [0x1C])
    bench.at(33.5)
    #expect(bench.edges() == 0 && bench.read(0x2E, 2) == [0x00, 0x40])
    let packet = bench.read(0x30, 16)
    #expect(
      packet[0..<14] == [
        0x68, 0x08, 0x00, 0xF8, 0x00, 0x04, 0x00, 0x00, 0xA4, 0xFF, 0x5C, 0x00, 0x00, 0x0A,
      ])
    // 30 ms are 1757.8 steps of 17.07 us.
    #expect((1757...1758).contains(Int(packet[14]) << 8 | Int(packet[15])))
    bench.write(0x4B, 0x02)
    #expect(bench.read(0x2E, 2) == [0x00, 0x00] && bench.read(0x30) == [0xFF])
  }

  /// 8192 counts per g and 131 per degree per second, shifted left by two bits and one bit.
  @Test func `packets of 20 bytes have more of each axis at their end`() {
    start(fifo: 0x1F)
    bench.world.held.specificForce = Vector3(1.0 / 8192, -1.0 / 8192, 20)
    bench.world.held.rotationRate = Vector3(1.0 / 131, -1.0 / 131, 10) * (.pi / 180)
    bench.at(31.5)
    let packet = bench.read(0x30, 20)
    #expect(
      packet[0..<15] == [
        0x78, 0x00, 0x00, 0xFF, 0xFF, 0x7F, 0xFF, 0x00, 0x00, 0xFF, 0xFF, 0x00, 0xA3, 0x02, 0x96,
      ])
    // 10 degrees per second are 2620 in 20 bits: 0x00A3C.
    #expect(packet[17...] == [0x42, 0xCE, 0xCC])
  }

  @Test func `a full queue loses its oldest, and counts them`() {
    start()
    // 128 packets of 16 bytes fill the FIFO.
    bench.at(30 + 127.5)
    #expect(bench.read(0x2E, 2) == [0x08, 0x00] && bench.read(0x6C, 2) == [0x00, 0x00])
    #expect(bench.read(0x2D)[0] & 0x02 == 0)
    bench.at(30 + 130.5)
    #expect(bench.read(0x6C, 2) == [0x03, 0x00] && bench.read(0x2D)[0] & 0x02 == 0x02)
    #expect(bench.read(0x2E, 2) == [0x08, 0x00])
  }

  @Test func `the accelerometer alone has packets of 8 bytes`() {
    start(fifo: 0x05)
    bench.write(0x4E, 0x02)
    bench.write(0x50, 0x68)
    bench.at(60)
    #expect(bench.read(0x30, 8) == [0x40, 0x40, 0x00, 0xC0, 0x00, 0x20, 0x00, 0x0A])
  }

  /// Measurements end at -32766 (section 14.34): -32768 is the code of a sensor without data, which
  /// a packet has for one that is off.
  @Test func `no measurement has the code of no data`() {
    start()
    bench.world.held.specificForce = Vector3(-20, 20, 0)
    bench.world.held.rotationRate = Vector3(-3000, 3000, 0) * (.pi / 180)
    bench.at(31.5)
    #expect(
      bench.read(0x1F, 12) == [0x80, 0x02, 0x7F, 0xFF, 0, 0, 0x80, 0x02, 0x7F, 0xFF, 0, 0])
    #expect(
      bench.read(0x30, 13) == [0x68, 0x80, 0x02, 0x7F, 0xFF, 0, 0, 0x80, 0x02, 0x7F, 0xFF, 0, 0])
    bench.write(0x4B, 0x02)
    bench.write(0x4E, 0x03)
    bench.at(45)
    #expect(
      bench.read(0x30, 13) == [
        0x68, 0x80, 0x02, 0x7F, 0xFF, 0, 0, 0x80, 0x00, 0x80, 0x00, 0x80, 0x00,
      ])
  }

  /// OFFSET_USER0 to 8, bank 4: 12 bits each, 1/32 degree per second and 0.5 mg. Bytes typed for +10,
  /// -10 and 0 degrees per second (0x140, 0xEC0) and +0.25, -0.25 and 0.5 g (0x1F4, 0xE0C, 0x3E8), as Linux's
  /// inv_icm42600_gyro.c and _accel.c put them together.
  @Test func `an offset moves its axis, and a reset takes it away`() {
    start()
    bench.world.held.specificForce = .zero
    bench.world.held.rotationRate = .zero
    bench.write(0x76, 0x04)
    bench.write(0x77, 0x40, 0xE1, 0xC0, 0x00, 0x10, 0xF4, 0x0C, 0x3E, 0xE8)
    bench.write(0x76, 0x00)
    bench.at(31.5)
    // 512 counts are 0.25 g at 16 g, 164 are 10 degrees per second at 2000.
    #expect(
      bench.read(0x1F, 12) == [
        0x02, 0x00, 0xFE, 0x00, 0x04, 0x00, 0x00, 0xA4, 0xFF, 0x5C, 0x00, 0x00,
      ])
    bench.write(0x11, 0x01)
    bench.at(33)
    bench.write(0x76, 0x04)
    #expect(bench.read(0x77, 9) == [UInt8](repeating: 0, count: 9))
  }
}
