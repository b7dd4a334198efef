// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// Bus errors and brown-outs during sampling at 1660 Hz: every sample that the chip took is
/// delivered or counted as missing.
@Suite struct LSM6DS3FaultTests {
  /// Runs a driver on a fast bus: 8 bits per byte at 1 MHz.
  static func run(
    _ family: LSM6DS3Family, _ world: World, _ acquisition: Acquisition = .fifo,
    rate: Double = 1660
  ) throws -> LSM6DS3Run {
    let bench = LSM6DS3Bench(family, in: world, clockError: 0.01)
    bench.perByte = .microseconds(8)
    return try LSM6DS3Run(
      bench, LSM6DS3Tests.settings(acquisition, rate: rate, g: 2, interval: .milliseconds(20)),
      isWired: acquisition != .polling)
  }

  /// Returns how many samples, between the first and the last delivered, are counted wrongly.
  static func imbalance(_ run: LSM6DS3Run, _ world: World) throws -> Int {
    #expect(UInt64(world.times.count) == run.bench.model.samplesTaken)
    let numbers = LSM6DS3StreamTests.numbers(run)
    #expect(UInt64(run.missing) == run.health.missing)
    return try #require(numbers.last) - numbers[0] + 1 - numbers.count - run.missing
  }

  /// Returns the longest time without a delivery.
  static func longestSilence(_ run: LSM6DS3Run) -> TimeSpan {
    zip(run.deliveries, run.deliveries.dropFirst()).map { $1 - $0 }.max() ?? .zero
  }

  @Test(
    .sweep,
    arguments: LSM6DS3Family.allCases,
    [Acquisition.fifo, .polling, .dataReady])
  func `where one transaction in a hundred fails every loss is counted`(
    _ family: LSM6DS3Family, _ acquisition: Acquisition
  ) throws {
    let world = World.counting()
    let rate = acquisition == .fifo ? 1660.0 : 208
    let run = try Self.run(family, world, acquisition, rate: rate)
    run.start()
    run.bench.failureChance = 0.01
    run.run(.seconds(15))
    #expect(run.errors.count > 10 && run.errors.allSatisfy { $0.busError == .noAcknowledge })
    #expect(abs(try Self.imbalance(run, world)) <= 1)
    #expect(run.smallestStep > .zero)
    // One error in a hundred does not cause a restart.
    #expect(run.health.restarts == 0)
    #expect(Self.longestSilence(run) < .milliseconds(200))
  }

  @Test(.sweep, arguments: LSM6DS3Family.allCases)
  func `a queue that ran over costs what is counted`(_ family: LSM6DS3Family) throws {
    let world = World.counting()
    let run = try Self.run(family, world)
    run.run(.seconds(2))
    for _ in 0..<5 {
      run.bench.model.overrunQueue()
      run.run(.milliseconds(700))
    }
    #expect(run.health.overflows == 5 && run.errors.isEmpty && run.missing > 0)
    #expect(abs(try Self.imbalance(run, world)) <= 1)
    #expect(Self.longestSilence(run) < .milliseconds(200) && run.smallestStep > .zero)
  }

  @Test(
    .sweep,
    arguments: LSM6DS3Family.allCases,
    [Acquisition.fifo, .polling, .dataReady])
  func `a supply that fails for a moment costs one gap, which is counted`(
    _ family: LSM6DS3Family, _ acquisition: Acquisition
  ) throws {
    for rate in [208.0, 1660] {
      let world = World.counting()
      let run = try Self.run(family, world, acquisition, rate: rate)
      run.run(.seconds(2))
      let steady = run.readings.count
      run.bench.model.powerCycle()
      run.run(.seconds(2))
      #expect(run.health.restarts == 1 && run.health.misconfigurations == 1)
      // 200 ms, plus the start: 35 ms or the gyroscope's samples (20 at 208 Hz, 144 at 1660 Hz),
      // and a batch.
      let begin = max(0.035, (rate == 208 ? 20 : 144) / rate) + 0.02
      let silence = Self.longestSilence(run)
      #expect(silence.seconds < 0.2 + begin, "\(rate) Hz: \(silence)")
      // Samples of the time without power count as missing, although the chip took none.
      let gap = run.times[steady] - run.times[steady - 1]
      #expect(abs(gap.seconds * rate * 1.01 - 1 - Double(run.missing)) < 1.5)
      // The sample numbers continue, and no sample is made up.
      let numbers = LSM6DS3StreamTests.numbers(run)
      #expect(zip(numbers, numbers.dropFirst()).count { $1 != $0 + 1 } == 1)
    }
  }

  /// With the older register map, the line stays active until it is read, so a delayed edge is the
  /// last one.
  @Test func `a late edge of a line that stays up costs samples of that time alone`() throws {
    let rig = Rig(at: 0x6A, WireFormat()) { LSM6DS3Model($0, family: .lsm6ds3) }
    var edges = 0
    rig.latency = { _ in
      edges += 1
      return edges % 100 == 0 ? .microseconds(1150) : .microseconds(20)
    }
    var driver = LSM6DS3(rig.wire(), expecting: .lsm6ds3)
    _ = try driver.configure(SensorSettings(rate: 833, acquisition: .dataReady))
    driver.start()
    rig.run(&driver, for: .seconds(5))
    let outcome = rig.outcome
    #expect(outcome.errors == [] && outcome.isOrdered)
    #expect(edges > 3000 && outcome.frames.count > 3700)
    // A wait for the line's next edge would lose thirty samples.
    #expect(outcome.missing <= edges / 100 * 5, "\(outcome.missing) of \(edges)")
  }
}
