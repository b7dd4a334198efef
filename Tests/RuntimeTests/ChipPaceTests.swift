// SPDX-License-Identifier: Apache-2.0
import Runtime
import Sampling
import Simulation
import Boards
import ChipCatalog
import Foundation
import Quantities
import MotionSources
import Sensors
import Testing

/// Tests of the rate at which a chip runs as demands come and go, and of what a change of the rate
/// costs.
@Suite struct ChipPaceTests {
  private func pace(maySleep: Bool = true) -> ChipPace {
    ChipPace(
      rates: [200, 100, 50, 25, 12.5], channels: [.acceleration, .rotationRate],
      maySleep: maySleep)
  }

  @Test func `the pace is the slowest rate that satisfies`() {
    let pace = pace()
    let rates: [(Double, Double)] = [
      (.infinity, 200), (1000, 200), (200, 200), (100.5, 200), (100, 100), (1 / 0.01, 100),
      (60, 100), (1 / 0.02, 50), (12, 12.5), (0.1, 12.5), (0, 0),
    ]
    for (wanted, rate) in rates {
      #expect(pace.needed(for: SampleDemand(.rotationRate, at: wanted)) == rate, "\(wanted)")
    }
    // A demand for another chip's channels does not concern this chip, but a demand for motion
    // does.
    #expect(pace.needed(for: SampleDemand(.pressure)) == 0)
    #expect(pace.needed(for: SampleDemand([], motion: 0.1)) == 200)
    #expect(self.pace(maySleep: false).needed(for: .nothing) == 12.5)
    // A chip without channels serves no demand, so that even one for everything needs no rate of
    // it.
    let spare = ChipPace(rates: [100, 50], channels: [], maySleep: true)
    #expect(spare.needed(for: .everything) == 0)
  }

  /// A higher rate is taken at once. A lower rate is taken when five seconds have passed in which
  /// no more was needed, and it is the highest that was needed in those seconds.
  @Test func `a pace gets faster at once, and slower five seconds later`() {
    var pace = pace()
    let delay = TimeSpan.seconds(5)
    func at(_ seconds: Int64) -> Timestamp { .zero + .seconds(seconds) }
    func changes(_ rate: Double, _ seconds: Int64) -> Bool {
      pace.changes(
        for: SampleDemand(.acceleration, at: rate), at: at(seconds), delay: delay)
    }
    pace.begin(SampleDemand(.acceleration, at: 50))
    #expect(pace.rate == 50 && pace.nextCheck(delay: delay) == .distantFuture)
    #expect(changes(150, 1) && pace.rate == 200)
    // Less is needed from second 2 on, but more again in second 4: the five seconds start again.
    #expect(!changes(20, 2) && pace.nextCheck(delay: delay) == at(7))
    #expect(!changes(200, 4) && pace.nextCheck(delay: delay) == .distantFuture)
    #expect(!changes(20, 5) && !changes(80, 6) && !changes(20, 7) && !changes(20, 9))
    // 80 Hz were needed within the last five seconds, so the pace falls to 100 Hz only.
    #expect(changes(20, 10) && pace.rate == 100)
    #expect(pace.nextCheck(delay: delay) == at(15))
    #expect(!changes(20, 14) && changes(20, 15) && pace.rate == 25)
    #expect(!changes(0, 16) && !changes(0, 20) && changes(0, 21) && pace.rate == 0)
    #expect(changes(1, 21) && pace.rate == 12.5)
  }

  private static var root: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path()
  }

  /// The rates below follow from the data sheets: 1 kHz divided by 1 to 256 (RM-MPU-6000A-00, 4.2);
  /// 25 Hz and more for the gyroscope (BST-BMI160-DS000, GYR_CONF); 12.5, 26, 52 and 104 Hz
  /// (LSM6DS3, CTRL1_XL); 0.625 to 80 Hz (LIS3MDL, CTRL_REG1); a BMP280 converts for at most 37.5
  /// ms and then pauses for 0.5 ms, or for 62.5 ms and more.
  private static let mpu = [100, 50, 25, 12.5, 6.25, 3.91]
  private static let bmi = [100.0, 50, 25]
  private static let lsm = [104, 52, 26, 12.5]
  private static let lis = [80, 40, 20, 10, 5, 2.5, 1.25]
  private static let bmp = [26.32, 10, 3.48, 1.86]
  private static let bme = [44.44, 16.67, 9.76, 3.45, 1.85]

  /// For every chip, its steps are about halves of each other, down to its slowest rate or 1 Hz.
  /// The pause that a change of the rate causes is over soon, loses no samples other than those of
  /// the pause, and is not reported as a failure.
  @Test(arguments: [
    ("mpu6050", mpu), ("bmi160", bmi), ("lsm6ds3tr-c", lsm), ("lsm6ds3", lsm), ("lis3mdl", lis),
    ("bmp280", bmp), ("bme280", bme), ("mpu6500-spi", mpu), ("lsm6ds3-spi", lsm),
    ("bmi160-spi", bmi), ("lis3mdl-spi", lis), ("bmp280-spi", bmp),
  ])
  func `a change of rate pauses a chip for a moment and is no failure`(
    of name: String, rates: [Double]
  ) throws {
    var board = try BoardFile.load(
      path: Self.root + "boards/simulated-all.yaml", catalogue: ChipCatalog.descriptions)
    board.chips = board.chips.filter { $0.name == name }
    let chip = try #require(board.chips.first)
    let clock = VirtualClock()
    let built = try BoardBuilder(board, clock: clock).build(
      try #require(board.bus(chip.bus)))
    let slot = built.reader.slots[0]
    let steps = ChipPace.ladder(of: slot.driver, chip.settings)
    #expect(steps.map { ($0.rate * 100).rounded() / 100 } == rates)
    let pipeline = MotionPipeline(chips: [slot.driver.channels])
    var samples = pipeline.samples.reader()
    built.reader.start(at: clock.now)
    SessionTests.run(built.reader, clock, for: .seconds(3), pipeline)
    let changes = pipeline.chipChanges
    var last = Timestamp.zero
    for step in [steps[1], steps[0]] {
      while let sample = samples.read() { last = sample.sample.timestamp }
      let begin = clock.now
      built.reader.restart(
        slot, with: step.settings, latenessLimit: { _ in .seconds(1) }, at: clock.now)
      #expect(slot.rate == step.rate)
      SessionTests.run(built.reader, clock, for: .seconds(3), pipeline)
      let next = samples.read()
      let first = try #require(next).sample
      #expect(first.missing == 0)
      let pause = first.timestamp - last
      #expect(first.timestamp > begin && pause < .milliseconds(500))
      var count = 1.0
      last = first.timestamp
      while let sample = samples.read() {
        count += 1
        last = sample.sample.timestamp
      }
      // The number of samples is the one that this rate gives.
      #expect(abs((last - first.timestamp).seconds * step.rate - (count - 1)) < 1.5)
    }
    #expect(slot.rateChanges == 2)
    let health = slot.driver.health
    #expect(health.missing == 0 && health.busErrors == 0 && health.misconfigurations == 0)
    #expect(health.restarts == 0 && health.received == pipeline.samples.count)
    #expect(pipeline.chipChanges == changes, "no listener was woken for it")
  }
}
