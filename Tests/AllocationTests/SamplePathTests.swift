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

/// From bus bytes through driver, decoding, mounting and fusion into the ring, nothing is
/// allocated. Calls of malloc on the reading thread are counted.
@Suite(.enabled(if: isOptimised, "unoptimised code allocates"))
struct SamplePathTests {
  /// The simulated board with the gyroscope at 1 kHz.
  static func board(readBy: String) throws -> Board {
    try BoardFile.parse(
      """
      otolith-board: 1
      name: A fast board
      buses:
        i2c1: { simulated: i2c }
      chips:
        imu:
          chip: invensense,mpu6050
          on: i2c1
          address: 0x68
          interrupt: simulated
          rate-hz: 1000
          read-by: \(readBy)
        compass:
          chip: st,lis3mdl
          on: i2c1
          address: 0x1C
          rate-hz: 80
          read-by: polling
      simulation: { motion: sway, noise: true }
      """, file: "fast.yaml", catalogue: ChipCatalog.descriptions)
  }

  @Test(arguments: ["fifo", "data-ready", "polling"])
  func `a second of samples at 1 kHz allocates nothing`(readBy: String) throws {
    let board = try Self.board(readBy: readBy)
    let clock = VirtualClock()
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let pipeline = MotionPipeline(chips: [[.acceleration, .rotationRate], .magneticField])
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
    // 5000 samples must have been delivered, except one batch at either end.
    #expect((4980...5020).contains(delivered))
    #expect(motions.missed == 0)
  }

  /// Each chip's samples go to the group, whose samples go to fusion.
  @Test func `a second of two IMUs as one allocates nothing`() throws {
    let board = try BoardFile.parse(
      """
      otolith-board: 1
      name: Two IMUs
      buses: { i2c1: { simulated: i2c } }
      chips:
        a: { chip: "invensense,mpu6050", on: i2c1, address: 0x68, rate-hz: 500 }
        b: { chip: "bosch,bmi160", on: i2c1, address: 0x69, rate-hz: 400 }
      simulation: { motion: sway, noise: true }
      """, file: "two.yaml", catalogue: ChipCatalog.descriptions)
    let clock = VirtualClock()
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let session = BoardSession(board)
    var motions = session.pipeline.motions.reader()
    bus.reader.start(at: clock.now)
    func run(_ span: TimeSpan) -> Int {
      let end = clock.now + span
      var count = 0
      while clock.now < end {
        clock.advance(to: min(bus.reader.turn(at: clock.now, to: session.pipeline), end))
        while motions.read() != nil { count += 1 }
      }
      return count
    }
    _ = run(.seconds(3))
    let before = otolith_allocations_of_thread()
    let delivered = run(.seconds(5))
    #expect(otolith_allocations_of_thread() - before == 0)
    // A sample of the faster chip gives one motion.
    #expect((2450...2550).contains(delivered))
  }

  @Test func `the counter sees an allocation`() {
    let before = otolith_allocations_of_thread()
    let array = [UInt8](repeating: 1, count: Int.random(in: 5000...6000))
    #expect(array.count > 0)
    #expect(otolith_allocations_of_thread() - before >= 1)
  }
}
