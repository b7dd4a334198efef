// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

/// Tests the model with addresses and bytes typed from BST-BMI270-DS000-07 and Bosch's
/// BMI270_SensorAPI (bmi2_defs.h, bmi270.h).
@Suite struct BMI270ModelTests {
  let bench = ModelBench { BMI270Model($0) }

  /// Loads 8192 bytes in bursts of 32, as Zephyr does: the word address in 0x5B (4 bits) and 0x5C,
  /// then the bytes to 0x5E. Without the burst `missing`.
  func load(savingPower: Bool = false, missing: Int? = nil) {
    bench.at(0)
    if !savingPower { bench.write(0x7C, 0x00) }
    bench.at(1)
    bench.write(0x59, 0x00)
    for burst in 0..<256 where burst != missing {
      bench.at(1)
      bench.write(0x5B, 0x00, UInt8(burst))
      bench.at(1)
      bench.port.write(([0x5E] + [UInt8](repeating: 0xC8, count: 32)).span)
    }
    bench.write(0x59, 0x01)
  }

  /// Starts both sensors at 100 Hz, 2 g and 2000 degrees per second at 30 ms.
  func start() {
    load()
    bench.at(30)
    bench.world.held.specificForce = Vector3(0.5, -0.5, 1)
    bench.world.held.rotationRate = Vector3(1000, -1000, 500) * (.pi / 180)
    bench.world.held.temperature = 33
    bench.write(0x40, 0xA8)
    bench.write(0x41, 0x00)
    bench.write(0x42, 0xE8)
    bench.write(0x7D, 0x0E)
  }

  static let resets: [(UInt8, UInt8)] = [
    (0x00, 0x24), (0x02, 0x00), (0x03, 0x10), (0x1B, 0x01), (0x21, 0x00), (0x22, 0x00),
    (0x23, 0x80), (0x40, 0xA8), (0x41, 0x02), (0x42, 0xA9), (0x43, 0x00), (0x44, 0x46),
    (0x45, 0x88), (0x46, 0x00), (0x47, 0x02), (0x48, 0x02), (0x49, 0x10), (0x4B, 0x20),
    (0x4C, 0x83), (0x4D, 0x42), (0x4E, 0x4C), (0x4F, 0x02), (0x58, 0x00), (0x68, 0x01),
    (0x6C, 0xFF), (0x7C, 0x03), (0x7D, 0x00),
  ]

  @Test(arguments: resets) func `it wakes with what the sheet says`(row: (UInt8, UInt8)) {
    #expect(bench.read(row.0) == [row.1])
  }

  /// INTERNAL_STATUS is 1 within 20 ms, for which Bosch's driver waits.
  @Test func `any firmware of 8192 bytes starts within 20 ms`() {
    load()
    #expect(bench.read(0x21) == [0x00])
    bench.at(1 + 14.9)
    #expect(bench.read(0x21) == [0x00])
    bench.at(1 + 20)
    #expect(bench.read(0x21) == [0x01])
  }

  /// Linux writes the file in one burst, without an address.
  @Test func `one burst may hold all of it`() {
    bench.at(0)
    bench.write(0x7C, 0x00)
    bench.at(1)
    bench.write(0x59, 0x00)
    bench.port.write(([0x5E] + [UInt8](repeating: 0x01, count: 8192)).span)
    bench.write(0x59, 0x01)
    bench.at(21)
    #expect(bench.read(0x21) == [0x01])
  }

  @Test func `a part of the firmware, or one loaded while it saves power, is refused`() {
    load(missing: 77)
    bench.at(21)
    #expect(bench.read(0x21) == [0x02])
    let other = BMI270ModelTests()
    other.load(savingPower: true)
    other.bench.at(21)
    // The writes came sooner than 450 us after one another, so that the chip lost most of them.
    #expect(other.bench.read(0x21) != [0x01])
  }

  @Test func `without firmware there are no samples`() {
    bench.at(0)
    bench.write(0x7D, 0x0E)
    bench.at(500)
    #expect(bench.read(0x03) == [0x10] && bench.model.samplesTaken == 0)
  }

  @Test func `a write within 450 us of one made while it saves power is lost`() {
    bench.at(0)
    bench.write(0x41, 0x00)
    bench.at(0.44)
    bench.write(0x43, 0x01)
    #expect(bench.read(0x41, 3) == [0x00, 0xA9, 0x00])
    bench.at(0.46)
    bench.write(0x43, 0x01)
    #expect(bench.read(0x43) == [0x01])
  }

  /// 16384 counts per g and 16.384 per degree per second: 8192, -8192, 16384; 16384, -16384, 8192.
  /// 33 degrees are 5120 counts of 1/512 above 23.
  @Test func `the accelerometer starts after 2 ms, the gyroscope after 45, low bytes first`() {
    start()
    bench.at(30 + 10.1)
    #expect(bench.read(0x03) == [0x90])
    #expect(bench.read(0x0C, 12) == [0x00, 0x20, 0x00, 0xE0, 0x00, 0x40] + [0, 0, 0, 0, 0, 0])
    #expect(bench.read(0x03) == [0x10])
    bench.at(30 + 44)
    #expect(bench.read(0x03) == [0x90])
    bench.at(30 + 50.1)
    #expect(bench.read(0x03) == [0xD0])
    #expect(bench.read(0x12, 6) == [0x00, 0x40, 0x00, 0xC0, 0x00, 0x20])
    #expect(bench.read(0x22, 2) == [0x00, 0x14])
  }

  /// Headers: 0x84 accelerometer, 0x8C gyroscope and accelerometer, gyroscope first.
  @Test func `the queue holds frames of the sensors that have started`() {
    start()
    // No frame with the time follows the last one.
    bench.write(0x48, 0x00)
    bench.write(0x49, 0xD0)
    bench.at(30 + 30.1)
    #expect(bench.read(0x24, 2) == [0x15, 0x00])
    #expect(bench.read(0x26, 7) == [0x84, 0x00, 0x20, 0x00, 0xE0, 0x00, 0x40])
    bench.write(0x7E, 0xB0)
    #expect(bench.read(0x24, 2) == [0x00, 0x00] && bench.read(0x26) == [0x80])
    bench.at(30 + 60.1)
    bench.write(0x7E, 0xB0)
    bench.at(30 + 70.1)
    #expect(
      bench.read(0x26, 13) == [
        0x8C, 0x00, 0x40, 0x00, 0xC0, 0x00, 0x20, 0x00, 0x20, 0x00, 0xE0, 0x00, 0x40,
      ])
  }

  /// 2048 bytes are 157 frames of 13. A frame of 0x40 says how many were lost.
  @Test func `a full queue drops its oldest frames and counts them`() {
    start()
    bench.at(30 + 100.1)
    bench.write(0x49, 0xD0)
    bench.at(30 + 100.1 + 1570)
    #expect(bench.read(0x24, 2) == [0xF9, 0x07])
    bench.at(30 + 100.1 + 1590)
    #expect(bench.read(0x26, 3) == [0x40, 0x02, 0x8C])
  }

  /// 0x46 and 0x47 are the watermark in bytes, 0x58 bit 1 routes it to INT1, 0x53 0x0A drives INT1,
  /// high while it is reached.
  @Test func `the line rises at the watermark`() {
    start()
    bench.at(30 + 100.1)
    bench.write(0x46, 38, 0x00)
    bench.write(0x53, 0x0A)
    bench.write(0x58, 0x02)
    bench.write(0x49, 0xD0)
    bench.at(30 + 120.1)
    #expect(bench.edges() == 0)
    bench.at(30 + 130.1)
    #expect(bench.edges() == 1)
    bench.at(30 + 140.1)
    #expect(bench.edges() == 0 && bench.read(0x1D)[0] & 0x02 == 0x02)
  }

  /// INT_STATUS_1: 0x80 and 0x40, whether or not the interrupt is routed; 0x58 bit 6 routes to INT2.
  @Test func `data-ready has its flags without a route, and a pulse for each sample with one`() {
    start()
    bench.at(30 + 100.1)
    _ = bench.read(0x1D)
    bench.at(30 + 110.1)
    #expect(bench.read(0x1D) == [0xC0] && bench.read(0x1D) == [0x00])
    bench.write(0x54, 0x0A)
    bench.write(0x58, 0x40)
    bench.at(30 + 140.1)
    #expect(bench.model.takeEdges(of: 2).count == 3 && bench.edges() == 0)
  }

  /// Bosch's driver subtracts GYR_CAS times z / 512 from x; GYR_CAS is at 0x3C of page 0.
  @Test func `the x axis senses a part of z that a register tells`() throws {
    let model = try #require(bench.model as? BMI270Model)
    model.crossSensitivity = -8
    start()
    #expect(bench.read(0x3C) == [0x78])
    bench.at(30 + 50.1)
    // 16384 - 8 / 512 * 8192 = 16256.
    #expect(bench.read(0x12, 6) == [0x80, 0x3F, 0x00, 0xC0, 0x00, 0x20])
  }

  /// Bit 2 of 0x69 is set while the test runs; G_TRIG_1 is at 0x32 of page 1; command 0x02 starts the
  /// test; 0x6E is 0x0F if all axes pass.
  @Test func `the gyroscope's self-test needs the firmware`() {
    bench.at(0)
    bench.write(0x7E, 0x02)
    bench.at(300)
    #expect(bench.read(0x6E) == [0x00])
    let other = BMI270ModelTests()
    other.start()
    other.bench.write(0x69, 0x04)
    other.bench.write(0x2F, 0x01)
    other.bench.write(0x32, 0x00, 0x01)
    other.bench.write(0x7E, 0x02)
    other.bench.at(200)
    #expect(other.bench.read(0x6E) == [0x00] && other.bench.read(0x32, 2) == [0x00, 0x01])
    other.bench.write(0x32, 0x00, 0x00)
    other.bench.write(0x7E, 0x02)
    other.bench.at(300)
    #expect(other.bench.read(0x6E) == [0x0F] && other.bench.read(0x69) == [0x00])
  }

  /// g_trigger_status is bits 5:3 of 0x38 on page 0: 0 without an error, 1 if a precondition is
  /// missing, 3 if it was aborted (Bosch's bmi2_defs.h).
  @Test func `the gyroscope's self-test says why it ended`() {
    start()
    func test(until end: Double) -> UInt8 {
      bench.write(0x69, 0x04)
      bench.write(0x7E, 0x02)
      bench.at(end)
      #expect(bench.read(0x69) == [0x00])
      return bench.read(0x38)[0]
    }
    #expect(test(until: 200) == 0x00 && bench.read(0x6E) == [0x0F])
    bench.world.changes = { time, _, reading in reading.specificForce.z += time.seconds * 3 }
    #expect(test(until: 300) == 0x18 && bench.read(0x6E)[0] & 0x01 == 0)
    bench.world.changes = nil
    // The deflection of the accelerometer's test ends less than 50 ms before.
    bench.write(0x6D, 0x0D)
    bench.at(360)
    bench.write(0x6D, 0x00)
    bench.at(380)
    #expect(test(until: 480) == 0x18)
    bench.write(0x7D, 0x00)
    #expect(test(until: 500) == 0x08)
  }

  /// ACC_SELF_TEST: enable, sign and amplitude are bits 0, 2 and 3. Bosch's limits for the
  /// difference are 16, -15 and 10 g.
  @Test func `the accelerometer's self-test deflects it both ways`() {
    start()
    bench.write(0x41, 0x03)
    bench.world.held.specificForce = .zero
    bench.write(0x6D, 0x0D)
    bench.at(100.1)
    // 9, -8.5 and 6 g at 2048 counts.
    #expect(bench.read(0x0C, 6) == [0x00, 0x48, 0x00, 0xBC, 0x00, 0x30])
    bench.write(0x6D, 0x09)
    bench.at(200.1)
    #expect(bench.read(0x0C, 6) == [0x00, 0xB8, 0x00, 0x44, 0x00, 0xD0])
  }

  @Test func `a reset forgets firmware and settings, and is over within 2 ms`() {
    start()
    bench.write(0x7E, 0xB6)
    #expect(bench.read(0x00) == [0xFF])
    bench.at(32)
    #expect(bench.read(0x00) == [0x24] && bench.read(0x21) == [0x00])
    #expect(bench.read(0x7C, 2) == [0x03, 0x00])
  }
}
