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

// Disturbances of real boards: late callers, full FIFOs, brown-outs, addresses that are not
// acknowledged.
@Suite struct MPU6050FaultTests {
  static func saw(_ time: Timestamp) -> Double {
    (time.seconds - time.seconds.rounded(.down)) * 3.8 - 1.9
  }

  /// The accelerometer shows the time of measurement, so that a sample's time can be checked for
  /// any delay of the caller.
  @Test(arguments: [0, 200, 900, 1400, 2600] as [Int64])
  func `a sample's time is its own, however late its edge is answered`(most: Int64) throws {
    let bench = Rig.mpu6050(0x68)
    bench.world.changes = { time, _, reading in reading.specificForce.x = Self.saw(time) }
    var state: UInt64 = 1
    bench.latency = { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return .microseconds(most == 0 ? 0 : Int64(state >> 33) % most)
    }
    var driver = MPU6050(bench.wire())
    _ = try driver.configure(MPU6050RunningTests.settings(.dataReady))
    driver.start()
    bench.run(&driver, for: .seconds(5))
    let frames = bench.outcome.frames
    #expect(bench.outcome.errors == [] && bench.outcome.isOrdered)
    #expect(frames.count > (most <= 200 ? 4790 : 1500), "\(frames.count)")
    var wrong = 0
    for frame in frames.dropFirst(200) {
      // The sawtooth rises by 3.8 mg per millisecond, so half a period is 1.9 mg.
      if abs(frame.reading.specificForce.x - Self.saw(frame.time)) > 0.0019 { wrong += 1 }
    }
    #expect(wrong == 0, "of \(frames.count)")
    // No sample is delivered twice, and none is lost.
    let first = try #require(frames.first)
    let last = try #require(frames.last)
    let span = ((last.time - first.time).seconds * 1000).rounded()
    #expect(abs(span + 1 - Double(frames.count + bench.outcome.missing)) <= 1)
  }

  /// Each sample that the chip took is read or counted as missing, within one.
  @Test(arguments: [0x68, 0x70, 0x98] as [UInt8], [100.0, 1000]) func `lost samples are counted`(
    identity: UInt8, rate: Double
  ) throws {
    let bench = Rig.mpu6050(identity, clockError: -0.02)
    var driver = MPU6050(bench.wire())
    _ = try driver.configure(MPU6050RunningTests.settings(.fifo, rate: rate))
    driver.start()
    bench.run(&driver, for: .seconds(10))
    var waiting = MPU6050WireTests.waiting(bench)
    var (health, taken) = (driver.health, bench.model.samplesTaken)
    for fault in 0..<3 {
      if fault == 1 {
        bench.model.overrunQueue()
      } else {
        // 11 s are longer than any of these FIFOs holds at 1 kHz; at 100 Hz, longer than all FIFOs
        // with fewer than 1100 frames.
        bench.clock.advance(to: bench.clock.now + .seconds(11))
      }
      bench.run(&driver, for: .seconds(1))
      let after = driver.health
      let left = MPU6050WireTests.waiting(bench)
      let sent = Int(bench.model.samplesTaken - taken) + waiting - left
      let reported = after.received - health.received + after.missing - health.missing
      #expect(after.overflows == health.overflows + 1)
      #expect(abs(sent - Int(reported)) <= 1, "\(fault): \(sent) \(reported)")
      (health, taken) = (after, bench.model.samplesTaken)
      waiting = left
    }
  }

  /// A brown-out is detected by missing samples, long before the configuration is compared.
  @Test(
    arguments: [0x68, 0x70] as [UInt8], [Acquisition.fifo, .dataReady, .polling])
  func `a chip that lost its supply is soon set up again`(identity: UInt8, acquisition: Acquisition)
    throws
  {
    let bench = Rig.mpu6050(identity)
    var driver = MPU6050(bench.wire())
    _ = try driver.configure(MPU6050RunningTests.settings(acquisition, rate: 500))
    driver.start()
    bench.run(&driver, for: .seconds(3))
    let before = bench.takeOutcome()
    let then = bench.clock.now
    bench.model.powerCycle()
    bench.run(&driver, for: .seconds(1))
    let after = bench.takeOutcome()
    let noticed = try #require(after.errorTimes.first)
    #expect(noticed - then < .milliseconds(60), "\((noticed - then).seconds)")
    #expect(after.errors.count == 1)
    let last = try #require(before.frames.last)
    // A batch that was read just before the brown-out is still valid.
    let gap = try #require(after.frames.first { $0.missing > 0 })
    let previous = after.frames.last { $0.time < gap.time } ?? last
    let skipped = ((gap.time - previous.time).seconds * 500).rounded() - 1
    #expect(abs(Double(gap.missing) - skipped) <= 1)
    #expect(gap.time - then < .milliseconds(300))
    #expect(after.isOrdered)
  }

  /// An address that is not acknowledged removes nothing from the FIFO; an interrupted burst may
  /// have.
  @Test(arguments: [BusError.noAcknowledge, .timeout])
  func `a failure in the queue asks for no new start`(error: BusError) throws {
    let rehearsal = Rig.mpu6050(0x68)
    var first = MPU6050(rehearsal.wire())
    _ = try first.configure(MPU6050RunningTests.settings(.fifo))
    first.start()
    rehearsal.run(&first, for: .milliseconds(400))
    let index = try #require(
      rehearsal.log.transactions.lastIndex { if case .read(0x74, _) = $0 { true } else { false } })
    let bench = Rig.mpu6050(0x68)
    var driver = MPU6050(bench.wire(failingAt: index..<(index + 1), throwing: error))
    _ = try driver.configure(MPU6050RunningTests.settings(.fifo))
    driver.start()
    bench.run(&driver, for: .seconds(1))
    #expect(bench.outcome.errors == [.bus(error, register: 0x74)])
    let resets = bench.written(0x6A).filter { $0 == 0x04 }.count
    let refused = error == .noAcknowledge
    #expect(resets == (refused ? 1 : 2))
    #expect((bench.outcome.missing == 0) == refused)
    let restarts = driver.health.restarts
    #expect(restarts == 0)
  }

  /// A changed setting is detected within a second, however low the sample rate is.
  @Test(
    arguments: [Acquisition.fifo, .dataReady, .polling],
    [(0x1C, 0x18), (0x1B, 0x18), (0x37, 0x02)] as [(UInt8, UInt8)])
  func `tampering is noticed at slow rates too`(acquisition: Acquisition, change: (UInt8, UInt8))
    throws
  {
    for low in [false, true] {
      let bench = Rig.mpu6050(0x70)
      var driver = MPU6050(bench.wire(), expecting: 0x70)
      var settings = MPU6050RunningTests.settings(acquisition, rate: 4)
      settings.batchInterval = .seconds(10)
      if low {
        settings.power = .low
        settings.rate = 0.25
      }
      _ = try driver.configure(settings)
      driver.start()
      bench.run(&driver, for: .seconds(7))
      let then = bench.clock.now
      bench.model.advance(to: then)
      bench.model.write(change.1, to: change.0)
      bench.run(&driver, for: .seconds(3))
      let noticed = try #require(bench.outcome.errorTimes.first)
      #expect(noticed - then <= .seconds(1), "\(low) \((noticed - then).seconds)")
    }
  }
}
