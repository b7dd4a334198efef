// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

// Addresses are typed from RM-MPU-6000A-00 revision 4.2, section 3.
@Suite struct MPU6050ModelTests: MPU6050ModelBench {
  let bench = ModelBench { MPU6050Model($0) }

  /// Address, name and power-up value of each register.
  static let afterReset: [(UInt8, String, UInt8)] = [
    (0x19, "SMPLRT_DIV", 0x00), (0x1A, "CONFIG", 0x00),
    (0x1B, "GYRO_CONFIG", 0x00), (0x1C, "ACCEL_CONFIG", 0x00), (0x23, "FIFO_EN", 0x00),
    (0x37, "INT_PIN_CFG", 0x00), (0x38, "INT_ENABLE", 0x00), (0x3A, "INT_STATUS", 0x00),
    (0x3B, "ACCEL_XOUT_H", 0x00), (0x40, "ACCEL_ZOUT_L", 0x00), (0x41, "TEMP_OUT_H", 0x00),
    (0x48, "GYRO_ZOUT_L", 0x00), (0x6A, "USER_CTRL", 0x00), (0x6B, "PWR_MGMT_1", 0x40),
    (0x6C, "PWR_MGMT_2", 0x00), (0x72, "FIFO_COUNTH", 0x00), (0x73, "FIFO_COUNTL", 0x00),
    (0x75, "WHO_AM_I", 0x68),
  ]

  @Test(arguments: afterReset)
  func `each register has its reset value`(row: (UInt8, String, UInt8)) {
    #expect(bench.read(row.0) == [row.2], "\(row.1)")
  }

  /// The writable bits; all others keep their values.
  @Test(
    arguments: [
      (0x19, 0xFF), (0x1A, 0x3F), (0x1B, 0xF8), (0x23, 0xFF), (0x6C, 0xFF), (0x75, 0x68),
      (0x3B, 0x00), (0x72, 0x00),
    ] as [(UInt8, UInt8)])
  func `each register takes only the bits that can be written`(register: UInt8, holds: UInt8) {
    bench.write(register, 0xFF)
    #expect(bench.read(register) == [holds])
  }

  @Test func `after a reset the chip is asleep`() {
    bench.world.held.specificForce = Vector3(1, 1, 1)
    bench.write(0x38, 0x01)
    bench.at(1000)
    #expect(bench.read(0x3B, 14) == [UInt8](repeating: 0, count: 14))
    #expect(bench.read(0x3A) == [0])
    #expect(bench.edges() == 0)
  }

  @Test func `a burst is one sample`() {
    bench.world.held.specificForce = Vector3(1, -1, 0.5)
    bench.world.held.rotationRate = Vector3(1, -1, 0) * (Double.pi / 180)
    bench.world.held.temperature = 36.53
    wake()
    bench.at(42)
    // 16384 LSB/g, 131 LSB/dps, high bytes first.
    #expect(
      bench.read(0x3B, 14) == [
        0x40, 0x00, 0xC0, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x83, 0xFF, 0x7D, 0x00, 0x00,
      ])
  }

  @Test func `the converter holds at the ends of its range`() {
    bench.world.held.specificForce = Vector3(3, -3, .nan)
    wake()
    bench.at(12)
    #expect(bench.read(0x3B, 6) == [0x7F, 0xFF, 0x80, 0x00, 0x00, 0x00])
  }

  @Test(arguments: [(0x00, 0x40), (0x08, 0x20), (0x10, 0x10), (0x18, 0x08)] as [(UInt8, UInt8)])
  func `each range has its counts`(code: UInt8, high: UInt8) {
    bench.world.held.specificForce = Vector3(1, 0, 0)
    wake()
    bench.write(0x1C, code)
    bench.at(12)
    #expect(bench.read(0x3B, 2) == [high, 0x00])
  }

  /// The sample rate: the base is 1 kHz with the filter, and 8 kHz with codes 0 and 7 (section
  /// 4.3).
  @Test(
    arguments: [
      (0, 1, 1000), (9, 1, 100), (0, 6, 1000), (0, 0, 8000), (0, 7, 8000), (7, 0, 1000),
      (79, 7, 100),
      (255, 2, 3),
    ] as [(UInt8, UInt8, Int)])
  func `each divider and filter has its rate`(divider: UInt8, filter: UInt8, perSecond: Int) {
    wake(divider: divider, filter: filter)
    bench.write(0x38, 0x01)
    var edges = 0
    // The queue of edges holds 16, like the kernel's.
    for step in 0..<1000 {
      bench.at(10.01 + Double(step + 1))
      edges += bench.edges()
    }
    #expect(edges == perSecond)
  }

  @Test func `edges come only when they are enabled`() {
    wake()
    bench.at(50)
    #expect(bench.edges() == 0)
    #expect(bench.model.nextEdge == nil)
    // The flag rises all the same: i2cdevlib's getIntDataReadyStatus and Bolder Flight's Read poll it
    // without enabling the interrupt.
    #expect(bench.read(0x3A) == [0x01] && bench.read(0x3A) == [0x00])
    bench.write(0x38, 0x01)
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 51_000_000))
    bench.at(51)
    #expect(bench.edges() == 1)
  }

  @Test func `status is cleared by reading`() {
    wake()
    bench.write(0x38, 0x01)
    bench.at(11)
    #expect(bench.read(0x3A) == [0x01])
    #expect(bench.read(0x3A) == [0x00])
    bench.at(12)
    #expect(bench.read(0x3A, 2)[0] == 0x01)
    #expect(bench.read(0x3A) == [0x00])
  }

  func fill(_ sources: UInt8) {
    wake()
    bench.write(0x6A, 0x04)
    bench.write(0x6A, 0x40)
    bench.write(0x23, sources)
  }

  @Test func `queue order is that of the registers`() {
    bench.world.held.specificForce = Vector3(1, -1, 0.5)
    bench.world.held.rotationRate = Vector3(1, -1, 2) * (Double.pi / 180)
    bench.world.held.temperature = 37.53
    fill(0xF8)
    bench.at(40)
    bench.write(0x6A, 0x04)
    bench.write(0x6A, 0x40)
    bench.at(41)
    #expect(bench.read(0x72, 2) == [0, 14])
    #expect(
      bench.read(0x74, 14) == [
        0x40, 0x00, 0xC0, 0x00, 0x20, 0x00, 0x01, 0x54, 0x00, 0x83, 0xFF, 0x7D, 0x01, 0x06,
      ])
    #expect(bench.read(0x72, 2) == [0, 0])
  }

  @Test(arguments: [(0x08, 6), (0x80, 2), (0x40, 2), (0x78, 12), (0x00, 0)] as [(UInt8, UInt8)])
  func `the enabled sources make up the frame`(sources: UInt8, size: UInt8) {
    fill(sources)
    bench.at(11)
    #expect(bench.read(0x72, 2) == [0, size])
  }

  @Test func `an empty queue repeats its last byte`() {
    bench.world.held.specificForce = Vector3(0, 0, 0.0625 + 0.25 / 64)
    fill(0x08)
    bench.at(11)
    #expect(bench.read(0x74, 9) == [0, 0, 0, 0, 0x04, 0x40, 0x40, 0x40, 0x40])
    #expect(bench.read(0x74) == [0x40])
  }

  /// 1024 bytes are 170 frames of six bytes and four more: the first two bytes of the oldest frame
  /// are lost.
  @Test func `a full queue loses its oldest`() {
    // The force rises by one count per millisecond, so frame n contains n.
    bench.ramp(Vector3(0, 0, 1000.0 / 16384))
    fill(0x08)
    bench.at(10 + 171)
    #expect(bench.read(0x3A) == [0x11])
    #expect(bench.read(0x72, 2) == [0x04, 0x00])
    let bytes = bench.read(0x74, 1024)
    // The first sample has count 11, and four of its bytes are left.
    #expect(Array(bytes[0..<10]) == [0, 0, 0, 11, 0, 0, 0, 0, 0, 12])
    #expect(Array(bytes[1018..<1024]) == [0, 0, 0, 0, 0, 181])
    bench.at(182)
    #expect(bench.read(0x72, 2) == [0, 6])
    #expect(bench.read(0x3A) == [0x01])
  }

  @Test func `a reset of the queue has an effect only while it is off`() {
    fill(0x08)
    bench.at(13)
    #expect(bench.read(0x72, 2) == [0, 18])
    bench.write(0x6A, 0x44)
    #expect(bench.read(0x72, 2) == [0, 18])
    #expect(bench.read(0x6A) == [0x40])
    bench.write(0x6A, 0x04)
    #expect(bench.read(0x72, 2) == [0, 0])
    #expect(bench.read(0x6A) == [0x00])
    bench.at(20)
    #expect(bench.read(0x72, 2) == [0, 0])
  }

  @Test func `the high count latches the low`() {
    fill(0xF8)
    bench.at(10 + 18)
    #expect(bench.read(0x72) == [0x00])
    bench.at(10 + 19)
    // 18 frames are 252 bytes, 19 frames are 266: 0x010A.
    #expect(bench.read(0x73) == [0xFC])
    #expect(bench.read(0x72, 2) == [0x01, 0x0A])
  }

  @Test func `device reset restores the registers`() {
    fill(0xF8)
    bench.write(0x1B, 0x18)
    bench.write(0x38, 0x01)
    bench.at(30)
    bench.write(0x6B, 0x80)
    #expect(bench.read(0x6B)[0] & 0x80 == 0x80)
    bench.at(130)
    #expect(bench.read(0x6B) == [0x40])
    for register: UInt8 in [0x19, 0x1A, 0x1B, 0x23, 0x38, 0x6A] {
      #expect(bench.read(register) == [0x00])
    }
    #expect(bench.read(0x72, 2) == [0, 0])
    #expect(bench.read(0x3B, 14) == [UInt8](repeating: 0, count: 14))
    #expect(bench.read(0x75) == [0x68])
  }

  /// Bolder Flight's library and PX4's drivers write again 1 ms after a reset.
  @Test(arguments: [0x68, 0x70, 0x71] as [UInt8])
  func `1 ms after a reset it takes what is written`(identity: UInt8) {
    let bench = ModelBench { MPU6050Model($0, identity: identity) }
    bench.at(0)
    bench.write(0x6B, 0x80)
    bench.at(0.5)
    bench.write(0x19, 0x07)
    bench.at(1)
    #expect(bench.read(0x19) == [0x00] && bench.read(0x6B) == [0x40])
    bench.write(0x6B, 0x01)
    #expect(bench.read(0x6B) == [0x01])
  }

  @Test func `sleep and stopped clocks take no samples`() {
    wake()
    bench.write(0x38, 0x01)
    bench.at(20)
    _ = bench.edges()
    bench.write(0x6B, 0x41)
    bench.at(40)
    #expect(bench.edges() == 0)
    bench.write(0x6B, 0x07)
    bench.at(60)
    #expect(bench.edges() == 0)
    bench.write(0x6B, 0x01)
    bench.at(75)
    #expect(bench.edges() == 5)
  }

  @Test func `standby axes are silent`() {
    bench.world.held.specificForce = Vector3(1, 1, 1)
    bench.world.held.rotationRate = Vector3(1, 1, 1)
    wake()
    bench.write(0x6C, 0x22)
    bench.at(42)
    let bytes = bench.read(0x3B, 14)
    #expect(Array(bytes[0..<4]) == [0, 0, 0x40, 0])
    #expect(bytes[8] != 0 && bytes[10] == 0 && bytes[11] == 0 && bytes[12] != 0)
  }

  @Test func `the clock error is that of the oscillator`() {
    let bench = ModelBench { MPU6050Model($0, clockError: 0.02) }
    bench.write(0x1A, 0x01)
    bench.write(0x38, 0x01)
    bench.write(0x6B, 0x01)
    var edges = 0
    for step in 1...1000 {
      bench.at(10 + Double(step))
      edges += bench.edges()
    }
    #expect(edges == 1020)
  }
}
