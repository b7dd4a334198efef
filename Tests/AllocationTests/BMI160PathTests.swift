// SPDX-License-Identifier: Apache-2.0
import Runtime
import Sampling
import Simulation
import Boards
import CAllocationCounter
import ChipCatalog
import Quantities
import MotionSources
import Testing

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// The same test as `SamplePathTests`, for the BMI160 on SPI at its highest rate.
@Suite(.enabled(if: isOptimised, "unoptimised code allocates"))
struct BMI160PathTests {
  @Test(arguments: ["fifo", "data-ready", "polling"])
  func `five seconds of samples at 1600 Hz allocate nothing`(readBy: String) throws {
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
          interrupt: simulated
          rate-hz: 1600
          read-by: \(readBy)
      simulation: { motion: sway, noise: true }
      """, file: "fast.yaml", catalogue: ChipCatalog.descriptions)
    let clock = VirtualClock()
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let pipeline = MotionPipeline(chips: [[.acceleration, .rotationRate]])
    var motions = pipeline.motions.reader()

    bus.reader.start(at: clock.now)
    /// Runs for `span`, and returns the number of motions delivered.
    func run(_ span: TimeSpan) -> Int {
      let end = clock.now + span
      var count = 0
      while clock.now < end {
        let next = bus.reader.turn(at: clock.now, to: pipeline)
        clock.advance(to: min(next, end))
        while motions.read() != nil { count += 1 }
      }
      return count
    }
    // Exclude the reset, the start-up and the first fill of every filter.
    _ = run(.seconds(3))
    let before = otolith_allocations_of_thread()
    let delivered = run(.seconds(5))
    let allocations = otolith_allocations_of_thread() - before

    #expect(allocations == 0)
    // 8000 samples must have been delivered, except one batch at either end.
    #expect((7980...8020).contains(delivered))
    #expect(motions.missed == 0)
  }
}
