// SPDX-License-Identifier: Apache-2.0
import Simulation
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Boards
import Testing

/// Data-ready with the FIFO as a buffer. Addresses and bits are typed from RM-MPU-6000A: 0x23
/// FIFO_EN, 0x38 INT_ENABLE, 0x6A USER_CTRL, 0x72 FIFO_COUNTH, 0x74 FIFO_R_W.
@Suite struct MPU6050LateTests {
  private static func rig() -> Rig { Rig(at: 0x68, WireFormat()) { MPU6050Model($0) } }

  private static func settings(_ rate: Scalar) -> SensorSettings {
    var settings = SensorSettings(rate: rate, acquisition: .dataReady)
    settings.keepsLateSamples = true
    return settings
  }

  /// Returns the reads of the FIFO: address, the first two bytes as a number, and the number of
  /// bytes.
  private static func reads(_ log: TransactionLog) -> [[Int]] {
    log.transactions.compactMap { transaction in
      guard case .read(let address, let bytes) = transaction, [0x72, 0x74].contains(address)
      else { return nil }
      return [Int(address), Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count]
    }
  }

  @Test func `the pin tells of each frame of a queue of accelerometer and gyroscope`() throws {
    let rig = Self.rig()
    var driver = MPU6050(rig.wire())
    let granted = try driver.configure(Self.settings(1000))
    #expect(granted.acquisition == .dataReady && granted.keepsLateSamples)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(400))
    #expect(rig.model.read(0x23) == 0x78 && rig.model.read(0x38) == 0x01)
    #expect(rig.model.read(0x6A) == 0x40)
  }

  @Test func `on time the count and the frame are one burst`() throws {
    let rig = Self.rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(Self.settings(1000))
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(500))
    let reads = Self.reads(rig.log)
    #expect(outcome.frames.count >= 300 && reads.count == outcome.frames.count)
    #expect(reads.allSatisfy { $0 == [0x72, 12, 14] })
    #expect(driver.health.missedInterrupts == 0 && outcome.errors == [])
  }

  @Test func `late, the count says how many more wait, and they are a second burst`() throws {
    let rig = Self.rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(Self.settings(1000))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(400))
    rig.log.removeAll()
    rig.clock.advance(to: rig.clock.now + .milliseconds(7) + .microseconds(300))
    rig.model.advance(to: rig.clock.now)
    let edges = rig.model.takeEdges()
    var batch = RawBatch()
    _ = try driver.step(Event(edges: edges.count, edgeTime: edges.newest), into: &batch)
    let waiting = batch.frames
    #expect((7...8).contains(waiting) && batch.missing == 0)
    // The rest begins with the accelerometer of the second frame.
    let reads = Self.reads(rig.log)
    #expect(reads.map { $0[0] } == [0x72, 0x74])
    #expect(reads.map { $0[2] } == [14, (waiting - 1) * 12])
    #expect(reads.first?[1] == waiting * 12)
    // Frames contain accelerometer and gyroscope; the temperature is read from its registers.
    #expect(batch.frameSize == 12)
    #expect([batch.format[3], batch.format[4]] == [0x41, 0x42].map { rig.model.read($0) })
    for frame in 0..<waiting {
      let bytes = (0..<12).map { batch.byte(frame * 12 + $0) }
      #expect(bytes[0...5].elementsEqual((0..<6).map { rig.model.read(0x3B + UInt8($0)) }))
      #expect(bytes[6...11].elementsEqual((0..<6).map { rig.model.read(0x43 + UInt8($0)) }))
    }
    #expect(batch.newest - edges.newest < .microseconds(20))
    #expect(edges.newest - batch.newest < .microseconds(20))
  }

  /// 1024 bytes are 85 frames, so at 1 kHz a stop of 85 ms is too long.
  @Test func `later than the queue is long, what is lost is counted`() throws {
    let rig = Self.rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(Self.settings(1000))
    driver.start()
    let before = rig.run(&driver, for: .milliseconds(400))
    rig.clock.advance(to: rig.clock.now + .milliseconds(100))
    let after = rig.run(&driver, for: .milliseconds(100))
    #expect(driver.health.overflows == 1 && after.errors == [])
    let last = try #require(before.frames.last).time
    let first = try #require(after.frames.first)
    #expect((99...103).contains(Int(first.missing)))
    // The gap as a number of periods of 1 ms.
    let periods = Double((first.time - last).nanoseconds) / 1e6
    #expect(abs(periods - Double(first.missing + 1)) < 0.1)
  }

  @Test func `in cycle mode there is no queue to keep them`() throws {
    var driver = MPU6050(Self.rig().wire())
    var settings = Self.settings(20)
    settings.power = .low
    let granted = try driver.configure(settings)
    #expect(granted.acquisition == .dataReady && !granted.keepsLateSamples)
  }
}
