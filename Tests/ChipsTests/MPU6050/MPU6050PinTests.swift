// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

/// Tests of one MPU-6050 model.
protocol MPU6050ModelBench {
  var bench: ModelBench { get }
}

extension MPU6050ModelBench {
  /// Wakes the model with the gyroscope's clock; the first sample comes after 10 ms and a period.
  func wake(divider: UInt8 = 0, filter: UInt8 = 1) {
    bench.at(0)
    bench.write(0x19, divider)
    bench.write(0x1A, filter)
    bench.write(0x6B, 0x01)
  }
}

// The pins, and the relatives with their additions. Addresses are typed from RM-MPU-6000A-00
// revision 4.2, section 3.
@Suite struct MPU6050PinTests: MPU6050ModelBench {
  let bench = ModelBench { MPU6050Model($0) }

  /// The latched pin (0x20) stays active until the status is read; with 0x10, until any register is
  /// read.
  @Test(arguments: [(0x20, false), (0x30, true)] as [(UInt8, Bool)])
  func `a latched pin stays up until it is read`(config: UInt8, byAnyRead: Bool) {
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

  @Test func `bits of the pin make it active low and pass the bus through`() {
    #expect(!bench.model.isActiveLow && !bench.model.passesThrough)
    bench.write(0x37, 0x82)
    #expect(bench.model.isActiveLow && bench.model.passesThrough)
    bench.write(0x6A, 0x20)
    #expect(!bench.model.passesThrough)
  }

  /// At 8 kHz the accelerometer's word changes with every eighth sample, the gyroscope's with each.
  @Test func `at 8 kHz the accelerometer repeats each word eight times`() {
    // With 8 different samples per millisecond, each would be one count more.
    bench.ramp(Vector3(8000.0 / 16384, 0, 0))
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

  /// The FIFO size of each part in bytes, from Linux's table of the family.
  @Test(
    arguments: [
      (0x68, 1024), (0x70, 512), (0x71, 512), (0x78, 4096), (0x98, 4096), (0x12, 1008),
      (0x20, 1024), (0xA9, 512),
    ] as [(UInt8, Int)])
  func `each part's queue holds its bytes`(identity: UInt8, bytes: Int) {
    let bench = ModelBench { MPU6050Model($0, identity: identity) }
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

  /// With FIFO_MODE, bit 6 of CONFIG on the MPU-6500, the oldest frames are kept. The MPU-6050 has
  /// no such bit.
  @Test func `a queue that stops when full keeps the oldest`() {
    let bench = ModelBench { MPU6050Model($0, identity: 0x70) }
    bench.ramp(Vector3(0, 0, 1000.0 / 16384))
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

  /// PWR_MGMT_2 bits 7:6, and the number of samples in 8 s.
  @Test(arguments: [(0x07, 10), (0x47, 40), (0x87, 160), (0xC7, 320)] as [(UInt8, UInt64)])
  func `a first part samples at the rate of its cycle`(power2: UInt8, samples: UInt64) {
    bench.world.held.specificForce = Vector3(1, 0, 0)
    bench.world.held.rotationRate = Vector3(1, 1, 1)
    bench.at(0)
    bench.write(0x6C, power2)
    bench.write(0x6B, 0x28)
    bench.at(8011)
    #expect(bench.model.samplesTaken == samples)
    // Only the accelerometer is sampled.
    let bytes = bench.read(0x3B, 14)
    #expect(bytes[0] == 0x40 && bytes[6...13].allSatisfy { $0 == 0 })
  }

  /// LP_ACCEL_ODR, and the number of samples in 8 s.
  @Test(arguments: [(0, 1), (4, 31), (7, 250), (11, 4000)] as [(UInt8, UInt64)])
  func `a later part samples at the rate of its cycle`(code: UInt8, samples: UInt64) {
    let bench = ModelBench { MPU6050Model($0, identity: 0x71) }
    bench.at(0)
    bench.write(0x1E, code)
    bench.write(0x6B, 0x28)
    bench.at(8011)
    #expect(bench.model.samplesTaken == samples)
  }

  /// WOM_THR 25 is 100 mg; ACCEL_INTEL_CTRL 0xC0 and INT_ENABLE bit 6 enable the detection.
  @Test func `motion beyond the threshold wakes`() {
    let bench = ModelBench { MPU6050Model($0, identity: 0x70) }
    bench.at(0)
    bench.write(0x1F, 25)
    bench.write(0x69, 0xC0)
    bench.write(0x1A, 0x01)
    bench.write(0x6B, 0x01)
    bench.at(20)
    bench.world.held.specificForce = Vector3(0, 0.2, 0)
    bench.at(30)
    #expect(bench.read(0x3A) == [0x01] && bench.edges() == 0)
    bench.write(0x38, 0x40)
    bench.world.held.specificForce = Vector3(0, 0.29, 0)
    bench.at(40)
    #expect(bench.read(0x3A) == [0x01] && bench.edges() == 0)
    bench.world.held.specificForce = Vector3(0, 0.4, 0)
    bench.at(50)
    #expect(bench.edges() == 1)
    #expect(bench.read(0x3A) == [0x41])
    #expect(bench.read(0x3A) == [0x00])
    bench.write(0x69, 0x00)
    bench.world.held.specificForce = Vector3(0, 0, 0)
    bench.at(60)
    #expect(bench.edges() == 0)
  }

  /// Codes 17, 14, 19 and 13, 18, 21 (RM 4.1) at 8 g (4096 counts per g) and 250 deg/s (131),
  /// computed by hand.
  @Test func `the self-test moves the output`() {
    wake()
    bench.write(0x1B, 0xE0)
    bench.write(0x1C, 0xF0)
    bench.at(42)
    let bytes = bench.read(0x3B, 14)
    let words = stride(from: 0, to: 14, by: 2).map {
      Int(Int16(bitPattern: UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])))
    }
    #expect(Array(words[0..<3]) == [2368, 2144, 2531])
    #expect(Array(words[4..<7]) == [5618, -7035, 8051])
    bench.write(0x1B, 0x40)
    bench.write(0x1C, 0x30)
    bench.at(44)
    #expect(bench.read(0x43, 6) == [0, 0, 0xE4, 0x85, 0, 0])
    #expect(bench.read(0x3B, 6) == [0, 0, 0, 0, 0x09, 0xE3])
  }

  /// SIGNAL_PATH_RESET clears the named paths; bit 0 of USER_CTRL clears all and itself.
  @Test func `a reset of the signal path clears what it names`() {
    bench.world.held.specificForce = Vector3(1, 1, 1)
    bench.world.held.rotationRate = Vector3(1, 1, 1)
    bench.world.held.temperature = 60
    wake()
    bench.at(42)
    bench.write(0x68, 0x04)
    var bytes = bench.read(0x3B, 14)
    #expect(bytes[0] == 0x40 && bytes[6] != 0 && bytes[8...13].allSatisfy { $0 == 0 })
    bench.write(0x68, 0x03)
    bytes = bench.read(0x3B, 14)
    #expect(bytes.allSatisfy { $0 == 0 })
    bench.at(44)
    bench.write(0x6A, 0x01)
    #expect(bench.read(0x3B, 14).allSatisfy { $0 == 0 })
    #expect(bench.read(0x6A) == [0x00])
  }

  /// 11 ms after power-up the model responds, with reset values.
  @Test func `a chip listens 11 ms after power-up, its settings gone`() {
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

  /// With I2C_IF_DIS the model ignores I2C until a power cycle; SPI is not affected.
  @Test func `a chip that is deaf on I2C hears it again after a power cycle`() {
    bench.write(0x6A, 0x10)
    bench.write(0x19, 0x05)
    #expect(bench.read(0x75) == [0xFF])
    bench.model.powerCycle()
    bench.at(20)
    #expect(bench.read(0x75) == [0x68] && bench.read(0x19) == [0x00])
    let spi = ModelBench { MPU6050Model($0, identity: 0x71) }
    spi.port.frame(([0x6A, 0x10] as [UInt8]).span)
    spi.port.frame(([0x19, 0x05] as [UInt8]).span)
    var bytes: [UInt8] = [0]
    var span = bytes.mutableSpan
    spi.port.frame(&span, after: 0x99, dummyBytes: 0)
    #expect(bytes == [0x05])
  }

  /// The additional registers of an MPU-6500 after reset.
  @Test func `an MPU-6500 has registers of its own`() {
    let bench = ModelBench { MPU6050Model($0, identity: 0x70) }
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
