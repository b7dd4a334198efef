// SPDX-License-Identifier: Apache-2.0
import Simulation
import Boards
import ChipCatalog
import Quantities
import Registers
import MotionSources
import Sampling
import Sensors
import Testing

private let fast = SensorSettings(
  rate: 1600, accelerationRange: 2, rotationRateRange: radians(fromDegrees: 2000),
  acquisition: .fifo, batchInterval: .milliseconds(20))

/// Counts the samples of a board.
private final class Counter: SampleConsumer {
  var samples = 0
  var missing = 0
  var newest = Timestamp.zero
  var backwards = 0
  var failures = 0

  func receive(_ sample: Sample, from source: Int) {
    samples += 1
    missing += Int(sample.missing)
    if sample.timestamp <= newest { backwards += 1 }
    newest = sample.timestamp
  }
  func chip(_ source: Int, failed error: ChipError) { failures += 1 }
  func chipRecovered(_ source: Int) {}
}

@Suite struct BMI160StreamTests {
  @Test(.sweep, arguments: ["interrupt: simulated", "mounting: [x, y, z]"])
  func `ten seconds of a board lose nothing, and overhead is small`(_ line: String) throws {
    let board = try BoardFile.parse(
      """
      otolith-board: 1
      name: A fast board
      buses:
        spi0: { simulated: spi }
      chips:
        imu:
          chip: bosch,bmi160
          on: spi0
          \(line)
          rate-hz: 1600
          batch-interval-ms: 20
          read-by: fifo
      simulation: { motion: sway, noise: true, clock-error-ppm: 20000 }
      """, file: "fast.yaml", catalogue: ChipCatalog.descriptions)
    let clock = VirtualClock()
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let counter = Counter()
    bus.reader.start(at: clock.now)
    let end = clock.now + .seconds(10)
    while clock.now < end {
      clock.advance(to: min(bus.reader.turn(at: clock.now, to: counter), end))
    }
    // 1600 Hz plus 2 percent, less 90 ms of start-up and the last batch.
    #expect((16100...16180).contains(counter.samples))
    #expect(counter.missing == 0)
    #expect(counter.backwards == 0)
    #expect(counter.failures == 0)
    let simulated = try #require(bus.simulated)
    let payload = Double(counter.samples * 12)
    #expect(Double(simulated.bytes) / payload < 1.10)
    #expect(simulated.transactions * 1000 / counter.samples < 80)
  }

  @Test(.sweep, arguments: [true, false], [-0.02, 0, 0.02])
  func `times of the queue are right within a twentieth of a period`(
    _ isWired: Bool, _ clockError: Double
  ) throws {
    let rig = try BMI160Rig(fast, clockError: clockError, isWired: isWired)
    rig.world.tellTime()
    rig.run(.seconds(8))
    #expect(rig.missing == 0)
    #expect(rig.isStrictlyIncreasing)
    #expect(rig.driver.health.missedInterrupts == 0)
    let worst = rig.worstTimeError(skippingFirst: 3200, countsPerG: 16384)
    #expect(worst < 0.05, "\(worst) of a period")
  }

  @Test(arguments: [Acquisition.dataReady, .polling])
  func `times of registers are right within a twentieth of a period`(_ way: Acquisition) throws {
    var settings = fast
    settings.acquisition = way
    let rig = try BMI160Rig(settings, clockError: 0.02)
    rig.world.tellTime()
    rig.run(.seconds(5))
    #expect(rig.missing == 0)
    #expect((7950...8030).contains(rig.samples.count))
    #expect(rig.isStrictlyIncreasing)
    let worst = rig.worstTimeError(skippingFirst: 3200, countsPerG: 16384)
    #expect(worst < 0.05, "\(worst) of a period")
  }

  /// The host does not read for a while: the FIFO holds 78 frames, and the chip counts the frames
  /// that it drops.
  @Test(.sweep, arguments: [true, false], [60, 100, 190, 400])
  func `what a stalled reader loses is counted`(_ isWired: Bool, _ stall: Int64) throws {
    let rig = try BMI160Rig(fast, clockError: 0.02, isWired: isWired)
    rig.world.tellTime()
    rig.run(.seconds(2))
    for _ in 0..<5 {
      rig.clock.advance(to: rig.clock.now + .milliseconds(stall))
      rig.run(.milliseconds(500))
    }
    #expect(rig.driver.health.overflows == 5)
    #expect(rig.missing > 0)
    #expect(rig.driver.health.missing == UInt64(rig.missing))
    #expect(rig.isStrictlyIncreasing)
    #expect(rig.errors == [])
    expectAccounted(rig, within: 0)
    let worst = rig.worstTimeError(skippingFirst: 1600, countsPerG: 16384)
    #expect(worst < 0.25, "\(worst) of a period")
  }

  /// Between the first and the last sample, the chip's periods equal the samples received and
  /// missing.
  private func expectAccounted(_ rig: BMI160Rig, within slack: Int) {
    // The first times are less accurate.
    let settled = rig.samples.dropFirst(1600)
    guard let first = settled.first, let last = settled.last else { return }
    let periods = (last.timestamp - first.timestamp).seconds * 1600 * 1.02
    let said = settled.dropFirst().reduce(0) { $0 + 1 + Int($1.missing) }
    #expect(abs(Int(periods.rounded()) - said) <= slack)
  }

  @Test func `what a broken header costs is counted, and times stay right`() throws {
    let rig = try BMI160Rig(fast, clockError: 0.02)
    rig.world.tellTime()
    rig.run(.seconds(2))
    var bursts = 0
    rig.port.bend = { register, bytes in
      guard register == 0x24 else { return }
      bursts += 1
      // Corrupt the eleventh frame of some bursts.
      if bursts % 20 == 5, bytes.count > 140 { bytes[130] = 0x13 }
    }
    rig.run(.seconds(3))
    rig.port.bend = { _, _ in }
    rig.run(.milliseconds(200))
    #expect(rig.driver.health.misconfigurations >= 5)
    #expect(rig.driver.health.restarts == 0)
    #expect(rig.missing > 0)
    #expect(rig.isStrictlyIncreasing)
    expectAccounted(rig, within: 0)
    #expect(rig.worstTimeError(skippingFirst: 1600, countsPerG: 16384) < 0.25)
  }

  @Test func `errors on the wire lose no sample uncounted`() throws {
    let rig = try BMI160Rig(fast, clockError: 0.02)
    rig.world.tellTime()
    rig.run(.seconds(2))
    for _ in 0..<40 {
      rig.port.failing = rig.port.log.count + 1
      rig.run(.milliseconds(53))
    }
    rig.run(.milliseconds(100))
    #expect(rig.driver.health.busErrors == 40)
    #expect(rig.driver.health.restarts == 0)
    #expect(rig.isStrictlyIncreasing)
    expectAccounted(rig, within: 0)
  }

  /// A chip that lost power is suspended, and on SPI it does not respond yet.
  @Test(arguments: [Acquisition.fifo, .dataReady, .polling])
  func `a chip after a brown-out samples again, what it missed counted`(_ way: Acquisition) throws {
    var settings = fast
    settings.acquisition = way
    let rig = try BMI160Rig(settings)
    rig.run(.seconds(1))
    let before = rig.samples.count
    rig.model.write(0xB6, to: 0x7E)
    let died = rig.clock.now
    rig.run(.seconds(2))
    let after = try #require(rig.samples.dropFirst(before).first { $0.missing > 100 })
    #expect(rig.samples.allSatisfy { abs($0.acceleration.y - 0.5) < 0.001 })
    // Twelve comparisons at most, and the start.
    #expect((after.timestamp - died).seconds < 1.4)
    #expect(after.missing > 100)
    #expect(rig.driver.health.restarts > 0)
    #expect(rig.isStrictlyIncreasing)
  }

  @Test func `a dead interrupt line is reported, and no sample is lost`() throws {
    let rig = try BMI160Rig(fast)
    rig.run(.seconds(1))
    rig.edges.isCut = true
    rig.run(.seconds(1))
    rig.edges.isCut = false
    rig.run(.seconds(1))
    // Each fill of 32 samples that no edge signalled is counted, until edges return.
    #expect((35...50).contains(rig.driver.health.missedInterrupts))
    #expect(rig.missing == 0)
    #expect(rig.samples.count > 1600 * 29 / 10 - 32)
  }

  @Test(arguments: [13, 31, 64, 255], [true, false])
  func `bursts keep to what a narrow bus takes`(_ longest: Int, _ isWired: Bool) throws {
    var settings = fast
    settings.rate = 400
    let rig = try BMI160Rig(settings, isWired: isWired)
    rig.port.longestRead = longest
    rig.world.tellTime()
    rig.run(.seconds(1))
    // The FIFO is far above its watermark, and is emptied by many reads after one edge.
    rig.clock.advance(to: rig.clock.now + .milliseconds(100))
    rig.run(.seconds(4))
    #expect(rig.errors == [])
    #expect(rig.missing == 0)
    #expect(rig.driver.health.missedInterrupts == 0)
    #expect(rig.samples.count > 1940)
    #expect(rig.worstTimeError(skippingFirst: 1000, countsPerG: 16384) < 0.05)
    #expect(
      rig.port.log.allSatisfy {
        if case .read(0x24, let count) = $0 { count <= longest } else { true }
      })
  }
}
