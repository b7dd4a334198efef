// SPDX-License-Identifier: Apache-2.0
import Simulation
import Boards
import CAllocationCounter
import ChipCatalog
import Chips
import Quantities
import Registers
import MotionSources
import Sampling
import Sensors
import Testing

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// Samples over time: none is lost, each has its true time, and every lost one is counted.
@Suite struct LSM6DS3StreamTests {
  /// The numbers of the delivered samples, as `World.counting` made them.
  static func numbers(_ run: LSM6DS3Run) -> [Int] {
    run.readings.map { Int(($0.specificForce.x / 0.000061).rounded()) }
  }

  /// Returns the largest error of a sample's time, without the first `warm` samples.
  static func worstTime(_ run: LSM6DS3Run, _ world: World, warm: Int) -> TimeSpan {
    zip(numbers(run), run.times).dropFirst(warm)
      .map { number, time in
        max(time - world.times[number], world.times[number] - time)
      }.max() ?? .zero
  }

  /// ST's Linux driver of the LSM6DS3 discards 3 samples of the accelerometer after a change of rate
  /// (`ST_LSM6DS3_ACCEL_STD`).
  @Test(arguments: LSM6DS3Family.allCases, [12.5, 26, 104, 208])
  func `the first samples of the accelerometer are left out`(_ family: LSM6DS3Family, rate: Double)
    throws
  {
    for acquisition in [Acquisition.fifo, .dataReady, .polling] {
      for power in [PowerMode.normal, .low] {
        var settings = LSM6DS3Tests.settings(acquisition, rate: rate, g: 2)
        settings.power = power
        let run = try LSM6DS3Run(LSM6DS3Bench(family), settings)
        run.start()
        let first = try #require(run.readings.first).specificForce
        #expect((first - LSM6DS3Bench.held.specificForce).norm < 0.001)
      }
    }
  }

  @Test(.sweep, arguments: LSM6DS3Family.allCases, [false, true])
  func `at 1660 Hz every sample comes once, in order`(_ family: LSM6DS3Family, isWired: Bool) throws
  {
    let world = World.counting()
    let bench = LSM6DS3Bench(family, in: world, clockError: 0.02)
    let settings = LSM6DS3Tests.settings(.fifo, rate: 1660, g: 2, interval: .milliseconds(20))
    let run = try LSM6DS3Run(bench, settings, isWired: isWired)
    run.run(.seconds(8))
    let numbers = Self.numbers(run)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    #expect(numbers.count > 13_000)
    #expect(run.missing == 0 && run.health.missing == 0 && run.health.overflows == 0)
    #expect(run.errors.isEmpty && run.health.missedInterrupts == 0)
    #expect(run.smallestStep > .zero)
    // With edges the error is below 5 percent of a period of 602 us.
    let worst = Self.worstTime(run, world, warm: 3000)
    if isWired { #expect(worst < .microseconds(30), "\(worst)") }
    if !isWired { #expect(worst < .microseconds(310), "\(worst)") }
  }

  @Test(.sweep, arguments: LSM6DS3Family.allCases)
  func `data-ready and polling lose nothing at any speed`(_ family: LSM6DS3Family) throws {
    for acquisition in [Acquisition.dataReady, .polling] {
      for rate in [12.5, 104.0, 833, 1660] {
        let world = World.counting()
        let bench = LSM6DS3Bench(family, in: world, clockError: -0.01)
        let run = try LSM6DS3Run(
          bench, LSM6DS3Tests.settings(acquisition, rate: rate, g: 2),
          isWired: acquisition == .dataReady)
        run.run(.seconds(2))
        let numbers = Self.numbers(run)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(rate)")
        #expect(Double(numbers.count) > 1.7 * rate)
        #expect(run.missing == 0 && run.errors.isEmpty && run.smallestStep > .zero)
        if acquisition == .dataReady {
          // The time is that of the edge, except for a sample during the driver's first read.
          #expect(Self.worstTime(run, world, warm: 1) <= .microseconds(1))
          #expect(run.health.missedInterrupts == 0)
        }
      }
    }
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `an overrun is seen, and what it took is counted`(_ family: LSM6DS3Family) throws {
    let world = World.counting()
    let bench = LSM6DS3Bench(family, in: world)
    let run = try LSM6DS3Run(bench, LSM6DS3Tests.settings(.fifo, rate: 1660, g: 2))
    run.run(.seconds(2))
    // The host does not read for 700 ms; 4096 words are full after 411 ms.
    bench.now = bench.now + .milliseconds(700)
    run.run(.seconds(1))
    #expect(run.health.overflows == 1 && run.errors.isEmpty)
    let numbers = Self.numbers(run)
    // From the first to the last, each sample is delivered or counted as missing.
    #expect(try #require(numbers.last) - numbers[0] + 1 == numbers.count + run.missing)
    #expect(run.missing > 1000 && run.smallestStep > .zero)
    #expect(UInt64(run.missing) == run.health.missing)
    #expect(Self.worstTime(run, world, warm: 3000) < .microseconds(310))
  }

  @Test(arguments: LSM6DS3Family.allCases, 1...5)
  func `a reader that left the queue in the middle of a set finds the next`(
    _ family: LSM6DS3Family, words: Int
  ) throws {
    let world = World.counting()
    let bench = LSM6DS3Bench(family, in: world)
    let run = try LSM6DS3Run(bench, LSM6DS3Tests.settings(.fifo, rate: 416, g: 2))
    run.run(.seconds(1))
    bench.model.advance(to: bench.now + .milliseconds(30))
    for _ in 0..<words {
      _ = bench.model.read(0x3E)
      _ = bench.model.read(0x3F)
    }
    run.run(.seconds(1))
    let numbers = Self.numbers(run)
    #expect(run.missing == 1 && run.errors.isEmpty && run.health.overflows == 0)
    #expect(try #require(numbers.last) - numbers[0] + 1 == numbers.count + 1)
    // No set consists of the words of two samples.
    #expect(run.readings.allSatisfy { abs($0.rotationRate.z - 0.5) < 0.001 })
  }

  @Test(.sweep, arguments: LSM6DS3Family.allCases)
  func `a read that fails while it runs costs what it took`(_ family: LSM6DS3Family) throws {
    let world = World.counting()
    let bench = LSM6DS3Bench(family, in: world)
    let run = try LSM6DS3Run(bench, LSM6DS3Tests.settings(.fifo, rate: 833, g: 2))
    run.run(.seconds(1))
    for _ in 0..<40 {
      bench.failing = bench.log.count + 7
      run.run(.milliseconds(300))
    }
    let numbers = Self.numbers(run)
    #expect(run.errors.count == 40 && run.health.restarts == 0)
    #expect(try #require(numbers.last) - numbers[0] + 1 == numbers.count + run.missing)
    #expect(run.missing == 0)
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `a read that breaks off takes samples with it`(_ family: LSM6DS3Family) throws {
    let world = World.counting()
    let bench = LSM6DS3Bench(family, in: world)
    bench.failsHalfway = true
    let run = try LSM6DS3Run(bench, LSM6DS3Tests.settings(.fifo, rate: 833, g: 2), isWired: true)
    run.run(.seconds(1))
    var broken = 0
    while broken < 20 {
      // The next FIFO read fails, whichever transaction that is.
      let reads = bench.log.count
      bench.failing = reads + 1
      run.turn()
      if run.errors.count > broken { broken = run.errors.count }
      bench.failing = nil
      run.run(.milliseconds(200))
    }
    let numbers = Self.numbers(run)
    #expect(run.health.restarts == 0 && run.errors.allSatisfy { $0.busError == .timeout })
    let lost = try #require(numbers.last) - numbers[0] + 1 - numbers.count
    #expect(lost >= 20)
    #expect(run.missing == lost)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 > $0 })
    #expect(run.smallestStep > .zero)
    #expect(run.readings.allSatisfy { abs($0.rotationRate.z - 0.5) < 0.001 })
  }

  @Test(arguments: LSM6DS3Family.allCases, [Acquisition.dataReady, .fifo, .polling])
  func `a chip that lost its supply is found and set up again`(
    _ family: LSM6DS3Family, _ acquisition: Acquisition
  ) throws {
    let bench = LSM6DS3Bench(family)
    let run = try LSM6DS3Run(
      bench, LSM6DS3Tests.settings(acquisition), isWired: acquisition == .dataReady)
    run.run(.seconds(1))
    bench.model.write(0x01, to: 0x12)
    let lost = bench.now
    let count = run.readings.count
    while run.readings.count == count, bench.now - lost < .seconds(2) { run.turn() }
    run.run(.milliseconds(100))
    #expect(run.health.misconfigurations == 1 && run.health.restarts == 1)
    let gap = try #require(zip(run.times, run.times.dropFirst()).map { $1 - $0 }.max())
    // 200 ms and the gyroscope's start: 20 samples at 208 Hz.
    #expect(gap < .milliseconds(300), "\(gap)")
    #expect(abs(gap.seconds * 208 - 1 - Double(run.missing)) < 1.5)
  }

  @Test(arguments: [12, 30, 255])
  func `bursts keep to what the bus takes`(_ most: Int) throws {
    let bench = LSM6DS3Bench(.lsm6ds3)
    bench.longestRead = most
    let run = try LSM6DS3Run(bench, LSM6DS3Tests.settings(.fifo, rate: 416))
    run.run(.seconds(1))
    let reads = bench.log.compactMap { transaction -> Int? in
      if case .read(0x3E, let count) = transaction { count } else { nil }
    }
    #expect(reads.allSatisfy { $0 <= most && $0 % 12 == 0 } && reads.count > 10)
    #expect(run.missing == 0 && run.readings.count > 350)
  }

  // MARK: - On a board

  static func board(_ readBy: String, chip: String = "st,lsm6ds3tr-c", wire: String = "i2c") throws
    -> Board
  {
    try BoardFile.parse(
      """
      otolith-board: 1
      name: Fast
      buses:
        bus: { simulated: \(wire), speed-hz: \(wire == "i2c" ? 400_000 : 1_000_000) }
      chips:
        imu:
          chip: \(chip)
          on: bus
          \(wire == "i2c" ? "address: 0x6A" : "")
          interrupt: simulated
          rate-hz: 1660
          read-by: \(readBy)
          batch-interval-ms: 20
      simulation: { motion: sway, noise: true, clock-error-ppm: 20000 }
      """, file: "fast.yaml", catalogue: ChipCatalog.descriptions)
  }

  /// The bus time per second at 400 kHz I2C: 1660 * 1.02 sets of 12 bytes with 9 bits are 183 kHz
  /// of payload.
  @Test(
    .sweep,
    arguments: [
      ("st,lsm6ds3", "spi", isOptimised ? 60 : 10),
      ("st,lsm6ds3tr-c", "i2c", isOptimised ? 60 : 10),
      ("st,lsm6ds3", "i2c", 10),
      ("st,lsm6ds3tr-c", "spi", 10),
    ])
  func `a minute at 1660 Hz comes from the bus to fusion`(chip: String, wire: String, seconds: Int)
    throws
  {
    let clock = VirtualClock()
    let board = try Self.board("fifo", chip: chip, wire: wire)
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let collector = Collector()
    bus.reader.start(at: clock.now)
    let end = clock.now + .seconds(Int64(seconds))
    while clock.now < end {
      clock.advance(to: min(end, bus.reader.turn(at: clock.now, to: collector)))
    }
    #expect(collector.errors == 0 && collector.missing == 0 && collector.disorder == 0)
    // The chip samples at 1660 Hz plus 2 percent; up to 364 samples are missing during the start.
    let all = Int(1660 * 1.02 * Double(seconds))
    #expect((all - 364...all).contains(collector.samples), "\(collector.samples)")
    #expect(bus.reader.slots.allSatisfy { $0.late == 0 })
    let simulated = try #require(bus.simulated)
    // The number of bytes on the bus per byte of samples.
    let overhead = Double(simulated.bytes) / Double(collector.samples * 12)
    #expect(overhead < 1.10)
    let transactions = Double(simulated.transactions) / Double(collector.samples) * 1000
    #expect(transactions < 100)
    print("\(chip), \(wire): \(overhead) bytes a byte, \(transactions) transactions a thousand")
    #expect(bus.reader.stop() == nil)
  }

  @Test(.sweep, arguments: ["st,lsm6ds3", "st,lsm6ds3tr-c"])
  func `the steps of a walk are detected with samples and alone`(chip: String) throws {
    for readBy in ["fifo", "polling", "detections"] {
      let clock = VirtualClock()
      let board = try BoardFile.parse(
        """
        otolith-board: 1
        name: Moved
        buses:
          bus: { simulated: i2c }
        chips:
          imu:
            chip: \(chip)
            on: bus
            address: 0x6A
            interrupt: simulated
            rate-hz: 208
            read-by: \(readBy)
            detection: { kinds: [step, significant-motion] }
        simulation: { motion: walk }
        """, file: "moved.yaml", catalogue: ChipCatalog.descriptions)
      let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
      let collector = Collector()
      bus.reader.start(at: clock.now)
      let end = clock.now + .seconds(20)
      while clock.now < end {
        clock.advance(to: min(end, bus.reader.turn(at: clock.now, to: collector)))
      }
      #expect(collector.errors == 0 && collector.missing == 0)
      #expect((collector.samples > 4000) == (readBy != "detections"))
      let steps = collector.detections.filter { $0.kind == .step }.map(\.detail)
      // 1.8 steps per second, except one while the chip starts.
      #expect((35...36).contains(Int(try #require(steps.last))))
      #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 })
      // With samples on the first pin, significant motion is not latched, and so it is not offered.
      let isSignificant = collector.detections.contains { $0.kind == .significantMotion }
      #expect(isSignificant == (readBy != "fifo"))
    }
  }

  @Test(
    .enabled(if: isOptimised, "unoptimised code allocates"),
    arguments: ["fifo", "data-ready", "polling"], ["st,lsm6ds3", "st,lsm6ds3tr-c"])
  func `a second of samples at 1660 Hz allocates nothing`(readBy: String, chip: String) throws {
    let clock = VirtualClock()
    let board = try Self.board(readBy, chip: chip)
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let collector = Collector()
    bus.reader.start(at: clock.now)
    func run(_ span: TimeSpan) {
      let end = clock.now + span
      while clock.now < end {
        clock.advance(to: min(end, bus.reader.turn(at: clock.now, to: collector)))
      }
    }
    run(.seconds(2))
    let first = collector.samples
    let before = otolith_allocations_of_thread()
    run(.seconds(1))
    #expect(otolith_allocations_of_thread() - before == 0)
    #expect(collector.samples - first > 1600)
  }
}

private final class Collector: SampleConsumer {
  var samples = 0
  var missing = 0
  var disorder = 0
  var errors = 0
  var detections: [Detection] = []
  private var newest = Timestamp.zero

  func receive(_ sample: Sample, from source: Int) {
    samples += 1
    missing += Int(sample.missing)
    if sample.timestamp <= newest { disorder += 1 }
    newest = sample.timestamp
  }

  func receive(_ detection: Detection, from source: Int) { detections.append(detection) }

  func chip(_ source: Int, failed error: ChipError) { errors += 1 }
  func chipRecovered(_ source: Int) {}
}
