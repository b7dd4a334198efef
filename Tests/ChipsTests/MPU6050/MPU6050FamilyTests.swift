// SPDX-License-Identifier: Apache-2.0
import Simulation
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Boards
import Testing

// Identities, FIFO sizes and temperature scales are typed from Linux's table of the family and from
// the data sheets; those of the MPU-6886 (0x19) from DS-000193 and M5Stack's driver.
@Suite struct MPU6050FamilyTests {
  struct Row: Sendable {
    var identity: UInt8
    var fifo: Int
    var perDegree: Double
    var atZero: Double
  }
  static let rows = [
    Row(identity: 0x68, fifo: 1024, perDegree: 340, atZero: 36.53),
    Row(identity: 0x70, fifo: 512, perDegree: 333.87, atZero: 21),
    Row(identity: 0x71, fifo: 512, perDegree: 333.87, atZero: 21),
    Row(identity: 0x73, fifo: 512, perDegree: 333.87, atZero: 21),
    Row(identity: 0x74, fifo: 512, perDegree: 333.87, atZero: 21),
    Row(identity: 0x78, fifo: 4096, perDegree: 333.87, atZero: 21),
    Row(identity: 0xAF, fifo: 512, perDegree: 326.8, atZero: 25),
    Row(identity: 0xAE, fifo: 512, perDegree: 326.8, atZero: 25),
    Row(identity: 0xA6, fifo: 4096, perDegree: 326.8, atZero: 25),
    Row(identity: 0x98, fifo: 4096, perDegree: 326.8, atZero: 25),
    Row(identity: 0x11, fifo: 1008, perDegree: 326.8, atZero: 25),
    Row(identity: 0x12, fifo: 1008, perDegree: 326.8, atZero: 25),
    Row(identity: 0x19, fifo: 1008, perDegree: 326.8, atZero: 25),
    Row(identity: 0x20, fifo: 1024, perDegree: 326.8, atZero: 25),
    Row(identity: 0xA9, fifo: 512, perDegree: 326.8, atZero: 25),
  ]

  @Test(arguments: rows) func `each part has its queue and its thermometer`(row: Row) throws {
    let part = try #require(MPU6050Part(identity: row.identity))
    #expect(part.fifoSize == row.fifo)
    #expect(part.thermometer == (row.perDegree, row.atZero))
  }

  /// A driver that expects an MPU-6050 detects the actual part on either wire, and reads it for a
  /// second.
  @Test(arguments: rows, [false, true])
  func `each part is recognised on either wire, and read right`(row: Row, isSPI: Bool) throws {
    let bench = Rig.mpu6050(row.identity, isSPI: isSPI)
    var driver = MPU6050(bench.wire())
    _ = try driver.configure(MPU6050RunningTests.settings(.fifo, rate: 500))
    driver.start()
    bench.run(&driver, for: .seconds(1))
    let identity = driver.identity
    #expect(identity == row.identity)
    #expect(bench.outcome.errors == [])
    #expect(bench.outcome.missing == 0)
    #expect(bench.outcome.frames.count > 330)
    for frame in bench.outcome.frames {
      #expect(abs(frame.reading.temperature - 25) <= 0.51 / row.perDegree)
      #expect((frame.reading.specificForce - Vector3(0.5, -1, 1)).norm < 1.0 / 16384)
      #expect((frame.reading.rotationRate - Vector3(1, -2, 3)).norm < radians(fromDegrees: 1 / 131))
    }
    // The later parts' own accelerometer filter is set to 184 Hz, like the gyroscope's.
    #expect(bench.written(0x1D) == (row.identity == 0x68 ? [] : [0x01]))
  }

  @Test func `an unknown clone is used only where the board file says so`() throws {
    let bench = Rig.mpu6050(0x72)
    var driver = MPU6050(bench.wire())
    driver.start()
    var batch = RawBatch()
    #expect(throws: ChipError.identity(found: 0x72, register: 0x75)) {
      _ = try driver.step(.due, into: &batch)
    }
    var settings = MPU6050RunningTests.settings(.fifo, rate: 500)
    settings.assumedIdentity = 0x70
    _ = try driver.configure(settings)
    driver.start()
    bench.run(&driver, for: .seconds(1))
    #expect(bench.outcome.errors == [])
    #expect(bench.outcome.frames.count > 330)
    let last = try #require(bench.outcome.frames.last)
    #expect(abs(last.reading.temperature - 25) < 0.6 / 333.87)
    // 0x72 is not the identity of a part that another could be treated as.
    settings.assumedIdentity = 0x72
    _ = try driver.configure(settings)
    driver.start()
    #expect(throws: ChipError.identity(found: 0x72, register: 0x75)) {
      _ = try driver.step(.due, into: &batch)
    }
  }

  /// A batch fits into the FIFO of each part, and a full FIFO is detected before frames are
  /// misaligned.
  @Test(arguments: rows) func `the queue has the length of the part`(row: Row) throws {
    let bench = Rig.mpu6050(row.identity)
    var driver = MPU6050(bench.wire(), expecting: row.identity)
    var settings = MPU6050RunningTests.settings(.fifo)
    settings.batchInterval = .seconds(1)
    let taken = try driver.configure(settings)
    #expect(taken.batchInterval.seconds * 1000 * 14 < Double(row.fifo) * 0.75)
    driver.start()
    bench.run(&driver, for: .seconds(2))
    let before = driver.health.overflows
    #expect(before == 0 && bench.outcome.missing == 0)
    #expect(bench.outcome.frames.count > 1700)
    bench.clock.advance(to: bench.clock.now + .milliseconds(Int64(row.fifo / 14 - 1)))
    bench.run(&driver, for: .milliseconds(200))
    let overflows = driver.health.overflows
    #expect(overflows == 1)
    #expect(bench.outcome.frames.allSatisfy { abs($0.reading.specificForce.y + 1) < 1e-4 })
  }
}
