// SPDX-License-Identifier: Apache-2.0
import Simulation
import BusTraces
import Boards
import CAllocationCounter
import ChipCatalog
import Quantities
import Registers
import MotionSources
import Sampling
import Testing

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// The cost of a recorder per sample, and the size of a trace.
@Suite(.enabled(if: isOptimised, "unoptimised code allocates"))
struct RecordingCostTests {
  /// Reads an MPU-6050 for ten seconds of its clock, and counts from the third second on.
  static func run(
    _ keys: String, _ recorder: TraceRecorder?
  ) throws -> (samples: Int, allocations: UInt64, seconds: Double, bytes: Int, events: Int) {
    let board = try BoardFile.parse(
      Recorded.board("invensense,mpu6050", "address: 0x68\n" + keys), file: "cost.yaml",
      catalogue: ChipCatalog.descriptions)
    let clock = VirtualClock()
    let bus = try BoardBuilder(board, clock: clock, recorder: recorder)
      .build(try #require(board.buses.first))
    let counter = Counter()
    bus.reader.start(at: clock.now)
    func run(_ span: TimeSpan) {
      let end = clock.now + span
      while clock.now < end {
        clock.advance(to: min(bus.reader.turn(at: clock.now, to: counter), end))
      }
    }
    run(.seconds(3))
    var text: [UInt8] = []
    _ = recorder?.take(from: .zero, into: &text)
    text.removeAll()
    let (allocations, samples) = (otolith_allocations_of_thread(), counter.count)
    let time = ContinuousClock.now
    run(.seconds(7))
    let seconds = (ContinuousClock.now - time) / .seconds(1)
    let count = UInt64(otolith_allocations_of_thread() - allocations)
    let events = recorder?.take(from: .zero, into: &text).events ?? 0
    return (counter.count - samples, count, seconds, text.count, events)
  }

  @Test(arguments: [
    "read-by: fifo\nrate-hz: 200", "read-by: data-ready\ninterrupt: simulated\nrate-hz: 200",
  ])
  func `a recorder allocates nothing and takes no sample away`(keys: String) throws {
    let bare = try Self.run(keys, nil)
    let recorded = try Self.run(keys, TraceRecorder())
    #expect(recorded.allocations == 0 && bare.allocations == 0)
    #expect(recorded.samples == bare.samples && recorded.samples > 1300)
    let cost = (recorded.seconds - bare.seconds) / Double(recorded.samples) * 1e9
    print(
      "trace: \(keys.split(separator: "\n")[0]): \(cost.rounded()) ns a sample more,",
      "\(Double(recorded.events) / Double(recorded.samples)) events a sample,",
      "\(recorded.bytes / 7) bytes a second")
  }
}

private final class Counter: SampleConsumer {
  var count = 0
  func receive(_ sample: Sample, from source: Int) { count += 1 }
  func chip(_ source: Int, failed error: ChipError) {}
  func chipRecovered(_ source: Int) {}
}
