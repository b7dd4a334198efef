// SPDX-License-Identifier: Apache-2.0
import ChipModels
import Quantities
import Registers
import Testing

// Addresses typed from RM-MPU-6000A-00 revision 4.2, section 3.
@Suite struct MPU6050ModelTests {
  let bench = Bench { MPU6050Model($0) }

  /// Awake with the gyroscope's clock; the first sample comes 10 ms and a period later.
  func wake(divider: UInt8 = 0, filter: UInt8 = 1) {
    bench.at(0)
    bench.write(0x19, divider)
    bench.write(0x1A, filter)
    bench.write(0x6B, 0x01)
  }

  /// (address, what it is, what it holds after power-up).
  static let afterReset: [(UInt8, String, UInt8)] = [
    (0x19, "SMPLRT_DIV", 0x00), (0x1A, "CONFIG", 0x00),
    (0x1B, "GYRO_CONFIG", 0x00), (0x1C, "ACCEL_CONFIG", 0x00), (0x23, "FIFO_EN", 0x00),
    (0x37, "INT_PIN_CFG", 0x00), (0x38, "INT_ENABLE", 0x00), (0x3A, "INT_STATUS", 0x00),
    (0x3B, "ACCEL_XOUT_H", 0x00), (0x40, "ACCEL_ZOUT_L", 0x00), (0x41, "TEMP_OUT_H", 0x00),
    (0x48, "GYRO_ZOUT_L", 0x00), (0x6A, "USER_CTRL", 0x00), (0x6B, "PWR_MGMT_1", 0x40),
    (0x6C, "PWR_MGMT_2", 0x00), (0x72, "FIFO_COUNTH", 0x00), (0x73, "FIFO_COUNTL", 0x00),
    (0x75, "WHO_AM_I", 0x68),
  ]

  @Test(arguments: afterReset) func resetValue(row: (UInt8, String, UInt8)) {
    #expect(bench.read(row.0) == [row.2], "\(row.1)")
  }

  /// What can be written, bit by bit; the rest stays.
  @Test(
    arguments: [
      (0x19, 0xFF), (0x1A, 0x3F), (0x1B, 0xF8), (0x23, 0xFF), (0x6C, 0xFF), (0x75, 0x68),
      (0x3B, 0x00), (0x72, 0x00),
    ] as [(UInt8, UInt8)])
  func writableBits(register: UInt8, holds: UInt8) {
    bench.write(register, 0xFF)
    #expect(bench.read(register) == [holds])
  }

  @Test func asleepAtReset() {
    bench.ramp.force = Vector3(1, 1, 1)
    bench.write(0x38, 0x01)
    bench.at(1000)
    #expect(bench.read(0x3B, 14) == [UInt8](repeating: 0, count: 14))
    #expect(bench.read(0x3A) == [0])
    #expect(bench.edges() == 0)
  }

  @Test func aBurstIsOneSample() {
    bench.ramp.force = Vector3(1, -1, 0.5)
    bench.ramp.turn = Vector3(1, -1, 0) * (Double.pi / 180)
    bench.ramp.temperature = 36.53
    wake()
    bench.at(12)
    // 16384 LSB/g, 131 LSB/dps, high bytes first.
    #expect(
      bench.read(0x3B, 14) == [
        0x40, 0x00, 0xC0, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x83, 0xFF, 0x7D, 0x00, 0x00,
      ])
  }

  @Test func converterHoldsAtItsEnds() {
    bench.ramp.force = Vector3(3, -3, .nan)
    wake()
    bench.at(12)
    #expect(bench.read(0x3B, 6) == [0x7F, 0xFF, 0x80, 0x00, 0x00, 0x00])
  }

  @Test(arguments: [(0x00, 0x40), (0x08, 0x20), (0x10, 0x10), (0x18, 0x08)] as [(UInt8, UInt8)])
  func fullScales(code: UInt8, high: UInt8) {
    bench.ramp.force = Vector3(1, 0, 0)
    wake()
    bench.write(0x1C, code)
    bench.at(12)
    #expect(bench.read(0x3B, 2) == [high, 0x00])
  }

  /// Samples per second: base 1 kHz with the filter, 8 kHz with codes 0 and 7 (section 4.3).
  @Test(
    arguments: [
      (0, 1, 1000), (9, 1, 100), (0, 6, 1000), (0, 0, 8000), (0, 7, 8000), (7, 0, 1000),
      (79, 7, 100),
      (255, 2, 3),
    ] as [(UInt8, UInt8, Int)])
  func rates(divider: UInt8, filter: UInt8, perSecond: Int) {
    wake(divider: divider, filter: filter)
    bench.write(0x38, 0x01)
    var edges = 0
    // The queue of edges holds 16, as the kernel's does.
    for step in 0..<1000 {
      bench.at(10.01 + Double(step + 1))
      edges += bench.edges()
    }
    #expect(edges == perSecond)
  }

  @Test func edgesOnlyWhenEnabled() {
    wake()
    bench.at(50)
    #expect(bench.edges() == 0)
    #expect(bench.model.nextEdge == nil)
    #expect(bench.read(0x3A) == [0x00])
    bench.write(0x38, 0x01)
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 51_000_000))
    bench.at(51)
    #expect(bench.edges() == 1)
  }

  @Test func statusIsClearedByReading() {
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

  @Test func queueOrderIsThatOfTheRegisters() {
    bench.ramp.force = Vector3(1, -1, 0.5)
    bench.ramp.turn = Vector3(1, -1, 2) * (Double.pi / 180)
    bench.ramp.temperature = 37.53
    fill(0xF8)
    bench.at(11)
    #expect(bench.read(0x72, 2) == [0, 14])
    #expect(
      bench.read(0x74, 14) == [
        0x40, 0x00, 0xC0, 0x00, 0x20, 0x00, 0x01, 0x54, 0x00, 0x83, 0xFF, 0x7D, 0x01, 0x06,
      ])
    #expect(bench.read(0x72, 2) == [0, 0])
  }

  @Test(arguments: [(0x08, 6), (0x80, 2), (0x40, 2), (0x78, 12), (0x00, 0)] as [(UInt8, UInt8)])
  func sourcesMakeTheFrame(sources: UInt8, size: UInt8) {
    fill(sources)
    bench.at(11)
    #expect(bench.read(0x72, 2) == [0, size])
  }

  @Test func anEmptyQueueRepeatsItsLastByte() {
    bench.ramp.force = Vector3(0, 0, 0.0625 + 0.25 / 64)
    fill(0x08)
    bench.at(11)
    #expect(bench.read(0x74, 9) == [0, 0, 0, 0, 0x04, 0x40, 0x40, 0x40, 0x40])
    #expect(bench.read(0x74) == [0x40])
  }

  /// 1024 bytes are 170 frames of six and four bytes: the oldest frame's first two are gone.
  @Test func aFullQueueLosesItsOldest() {
    // One count a millisecond: frame n holds n.
    bench.ramp.slope = Vector3(0, 0, 1000.0 / 16384)
    fill(0x08)
    bench.at(10 + 171)
    #expect(bench.read(0x3A) == [0x10])
    #expect(bench.read(0x72, 2) == [0x04, 0x00])
    let bytes = bench.read(0x74, 1024)
    // 11 is the count of the first sample, of which four bytes are left.
    #expect(Array(bytes[0..<10]) == [0, 0, 0, 11, 0, 0, 0, 0, 0, 12])
    #expect(Array(bytes[1018..<1024]) == [0, 0, 0, 0, 0, 181])
    bench.at(182)
    #expect(bench.read(0x72, 2) == [0, 6])
    #expect(bench.read(0x3A) == [0x00])
  }

  @Test func aResetOfTheQueueIsHeededOnlyWhileItIsOff() {
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

  @Test func theHighCountLatchesTheLow() {
    fill(0xF8)
    bench.at(10 + 18)
    #expect(bench.read(0x72) == [0x00])
    bench.at(10 + 19)
    // 18 frames are 252, 19 are 266: 0x010A.
    #expect(bench.read(0x73) == [0xFC])
    #expect(bench.read(0x72, 2) == [0x01, 0x0A])
  }

  @Test func deviceResetRestoresTheRegisters() {
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

  @Test func sleepAndStoppedClocksTakeNoSamples() {
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

  @Test func standbyAxesAreSilent() {
    bench.ramp.force = Vector3(1, 1, 1)
    bench.ramp.turn = Vector3(1, 1, 1)
    wake()
    bench.write(0x6C, 0x22)
    bench.at(12)
    let bytes = bench.read(0x3B, 14)
    #expect(Array(bytes[0..<4]) == [0, 0, 0x40, 0])
    #expect(bytes[8] != 0 && bytes[10] == 0 && bytes[11] == 0 && bytes[12] != 0)
  }

  @Test func theClockErrorIsThatOfTheOscillator() {
    let bench = Bench { MPU6050Model($0, clockError: 0.02) }
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

  // MARK: Pins, relatives and what they add

  /// Latched (0x20): up until the status is read, or any register with 0x10.
  @Test(arguments: [(0x20, false), (0x30, true)] as [(UInt8, Bool)])
  func aHeldPin(config: UInt8, byAnyRead: Bool) {
    wake()
    bench.write(0x37, config)
    bench.write(0x38, 0x01)
    bench.at(15)
    #expect(bench.edges() == 1)
    #expect(bench.model.nextEdge == nil)
    _ = bench.read(0x3B, 14)
    bench.at(20)
    #expect(bench.edges() == (byAnyRead ? 1 : 0))
    #expect(bench.read(0x3A) == [0x01])
    #expect(bench.read(0x3A) == [0x00])
    bench.at(21)
    #expect(bench.edges() == 1)
  }

  @Test func activeLowAndPassThrough() {
    #expect(!bench.model.isActiveLow && !bench.model.passesThrough)
    bench.write(0x37, 0x82)
    #expect(bench.model.isActiveLow && bench.model.passesThrough)
    bench.write(0x6A, 0x20)
    #expect(!bench.model.passesThrough)
  }

  /// At 8 kHz the accelerometer's word changes with every eighth sample, the gyroscope's with each.
  @Test func repeatsAtEightKilohertz() {
    // Of 8 samples a millisecond each would be one count more.
    bench.ramp.slope = Vector3(8000.0 / 16384, 0, 0)
    wake(filter: 0)
    bench.write(0x6A, 0x40)
    bench.write(0x23, 0x08)
    bench.at(10 + 8)
    let bytes = bench.read(0x74, 64 * 6)
    var words: [Int] = []
    for frame in 0..<64 { words.append(Int(bytes[frame * 6]) << 8 | Int(bytes[frame * 6 + 1])) }
    var runs: [Int] = [1]
    for (previous, next) in zip(words, words.dropFirst()) {
      if next == previous { runs[runs.count - 1] += 1 } else { runs.append(1) }
    }
    #expect(runs.count == 9)
    #expect(runs.dropFirst().dropLast().allSatisfy { $0 == 8 })
  }

  /// Bytes that each part's queue holds: Linux' hardware table.
  @Test(
    arguments: [
      (0x68, 1024), (0x70, 512), (0x71, 512), (0x78, 4096), (0x98, 4096), (0x12, 1008),
      (0x20, 1024), (0xA9, 512),
    ] as [(UInt8, Int)])
  func capacities(identity: UInt8, bytes: Int) {
    let bench = Bench { MPU6050Model($0, identity: identity) }
    #expect(bench.read(0x75) == [identity])
    bench.write(0x1A, 0x01)
    bench.write(0x6B, 0x01)
    bench.write(0x6A, 0x40)
    bench.write(0x23, 0x08)
    bench.at(2000)
    let count = bench.read(0x72, 2)
    #expect(Int(count[0]) << 8 | Int(count[1]) == bytes)
    #expect(bench.read(0x3A)[0] & 0x10 == 0x10)
  }

  /// FIFO_MODE, CONFIG bit 6 of the MPU-6500: the oldest stay. The MPU-6050 has no such bit.
  @Test func stoppingWhenFull() {
    let bench = Bench { MPU6050Model($0, identity: 0x70) }
    bench.ramp.slope = Vector3(0, 0, 1000.0 / 16384)
    bench.write(0x1A, 0x41)
    bench.write(0x6B, 0x01)
    bench.write(0x6A, 0x40)
    bench.write(0x23, 0x08)
    bench.at(1000)
    #expect(bench.read(0x72, 2) == [0x02, 0x00])
    #expect(bench.read(0x74, 6) == [0, 0, 0, 0, 0, 11])
    wake()
    self.bench.write(0x1A, 0x41)
    #expect(self.bench.read(0x1A) == [0x01])
  }

  /// (PWR_MGMT_2 bits 7:6, samples in 8 s).
  @Test(arguments: [(0x07, 10), (0x47, 40), (0x87, 160), (0xC7, 320)] as [(UInt8, UInt64)])
  func cycleModeOfTheFirst(power2: UInt8, samples: UInt64) {
    bench.ramp.force = Vector3(1, 0, 0)
    bench.ramp.turn = Vector3(1, 1, 1)
    bench.at(0)
    bench.write(0x6C, power2)
    bench.write(0x6B, 0x28)
    bench.at(8011)
    #expect(bench.model.samplesTaken == samples)
    // The accelerometer alone.
    let bytes = bench.read(0x3B, 14)
    #expect(bytes[0] == 0x40 && bytes[6...13].allSatisfy { $0 == 0 })
  }

  /// (LP_ACCEL_ODR, samples in 8 s).
  @Test(arguments: [(0, 1), (4, 31), (7, 250), (11, 4000)] as [(UInt8, UInt64)])
  func cycleModeOfTheLater(code: UInt8, samples: UInt64) {
    let bench = Bench { MPU6050Model($0, identity: 0x71) }
    bench.at(0)
    bench.write(0x1E, code)
    bench.write(0x6B, 0x28)
    bench.at(8011)
    #expect(bench.model.samplesTaken == samples)
  }

  /// WOM_THR 25 is 100 mg; ACCEL_INTEL_CTRL 0xC0 and INT_ENABLE bit 6 arm it.
  @Test func wakeOnMotion() {
    let bench = Bench { MPU6050Model($0, identity: 0x70) }
    bench.at(0)
    bench.write(0x1F, 25)
    bench.write(0x69, 0xC0)
    bench.write(0x1A, 0x01)
    bench.write(0x6B, 0x01)
    bench.at(20)
    bench.ramp.force = Vector3(0, 0.2, 0)
    bench.at(30)
    #expect(bench.read(0x3A) == [0x00] && bench.edges() == 0)
    bench.write(0x38, 0x40)
    bench.ramp.force = Vector3(0, 0.29, 0)
    bench.at(40)
    #expect(bench.read(0x3A) == [0x00] && bench.edges() == 0)
    bench.ramp.force = Vector3(0, 0.4, 0)
    bench.at(50)
    #expect(bench.edges() == 1)
    #expect(bench.read(0x3A) == [0x40])
    #expect(bench.read(0x3A) == [0x00])
    bench.write(0x69, 0x00)
    bench.ramp.force = Vector3(0, 0, 0)
    bench.at(60)
    #expect(bench.edges() == 0)
  }

  /// Codes 17, 14, 19 and 13, 18, 21 by RM 4.1, at 8 g (4096 a g) and 250 deg/s (131): worked out by hand.
  @Test func selfTestMovesTheOutput() {
    wake()
    bench.write(0x1B, 0xE0)
    bench.write(0x1C, 0xF0)
    bench.at(12)
    let bytes = bench.read(0x3B, 14)
    let words = stride(from: 0, to: 14, by: 2).map {
      Int(Int16(bitPattern: UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])))
    }
    #expect(Array(words[0..<3]) == [2368, 2144, 2531])
    #expect(Array(words[4..<7]) == [5618, -7035, 8051])
    bench.write(0x1B, 0x40)
    bench.write(0x1C, 0x30)
    bench.at(14)
    #expect(bench.read(0x43, 6) == [0, 0, 0xE4, 0x85, 0, 0])
    #expect(bench.read(0x3B, 6) == [0, 0, 0, 0, 0x09, 0xE3])
  }

  /// SIGNAL_PATH_RESET clears what it names; USER_CTRL bit 0 clears all and itself.
  @Test func signalPathReset() {
    bench.ramp.force = Vector3(1, 1, 1)
    bench.ramp.turn = Vector3(1, 1, 1)
    bench.ramp.temperature = 60
    wake()
    bench.at(12)
    bench.write(0x68, 0x04)
    var bytes = bench.read(0x3B, 14)
    #expect(bytes[0] == 0x40 && bytes[6] != 0 && bytes[8...13].allSatisfy { $0 == 0 })
    bench.write(0x68, 0x03)
    bytes = bench.read(0x3B, 14)
    #expect(bytes.allSatisfy { $0 == 0 })
    bench.at(14)
    bench.write(0x6A, 0x01)
    #expect(bench.read(0x3B, 14).allSatisfy { $0 == 0 })
    #expect(bench.read(0x6A) == [0x00])
  }

  /// 11 ms after power-up it listens; what was set is gone.
  @Test func powerUp() {
    wake()
    bench.at(20)
    bench.model.powerCycle()
    #expect(bench.read(0x6B) == [0x40])
    bench.at(30)
    bench.write(0x6B, 0x01)
    #expect(bench.read(0x6B) == [0x40])
    bench.at(32)
    bench.write(0x6B, 0x01)
    #expect(bench.read(0x6B) == [0x01])
    #expect(bench.read(0x19) == [0x00])
  }

  /// I2C_IF_DIS: deaf on I2C until its supply fails; on SPI nothing changes.
  @Test func withoutI2C() {
    bench.write(0x6A, 0x10)
    bench.write(0x19, 0x05)
    #expect(bench.read(0x75) == [0xFF])
    bench.model.powerCycle()
    bench.at(20)
    #expect(bench.read(0x75) == [0x68] && bench.read(0x19) == [0x00])
    let spi = Bench { MPU6050Model($0, identity: 0x71) }
    spi.port.frame(([0x6A, 0x10] as [UInt8]).span)
    spi.port.frame(([0x19, 0x05] as [UInt8]).span)
    var bytes: [UInt8] = [0]
    var span = bytes.mutableSpan
    spi.port.frame(&span, after: 0x99, dummyBytes: 0)
    #expect(bytes == [0x05])
  }

  /// What is there after reset on an MPU-6500, beyond what all have.
  @Test func registersOfTheLater() {
    let bench = Bench { MPU6050Model($0, identity: 0x70) }
    for (register, written, holds) in [
      (0x1D, 0xFF, 0x0F), (0x1E, 0xFF, 0x0F), (0x1F, 0xFF, 0xFF), (0x69, 0xFF, 0xC0),
      (0x1B, 0xFF, 0xFB), (0x1A, 0xFF, 0x7F),
    ] as [(UInt8, UInt8, UInt8)] {
      #expect(bench.read(register) == [0x00])
      bench.write(register, written)
      #expect(bench.read(register) == [holds], "\(register)")
    }
  }
}
