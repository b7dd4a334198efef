// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import CoreMotion
import Otolith
import Synchronization
import Testing

/// Counts the allocations from the ring to a handler: Core Motion's classes are objects, and an
/// operation queue creates operations. All threads are counted, so this test runs alone:
/// OTOLITH_ALLOCATIONS=1 swift test -c release --filter DeliveryTests
@Suite(.enabled(if: ProcessInfo.processInfo.environment["OTOLITH_ALLOCATIONS"] != nil))
struct DeliveryTests {
  @Test func `a device motion delivered at 1 kHz allocates what it may`() async throws {
    let hub = MotionHub()
    try hub.use(SamplePathTests.board(readBy: "fifo"))
    let manager = CMMotionManager(hub: hub)
    manager.deviceMotionUpdateInterval = 0.001
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let delivered = Atomic<Int>(0)
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in
      if motion != nil { delivered.add(1, ordering: .relaxed) }
    }
    defer { manager.stopDeviceMotionUpdates() }

    // Wait until the start-up is over and every cache is filled.
    try await Task.sleep(for: .seconds(2))
    let first = delivered.load(ordering: .relaxed)
    let before = otolith_allocations_of_process()
    try await Task.sleep(for: .seconds(3))
    let allocations = otolith_allocations_of_process() - before
    let count = delivered.load(ordering: .relaxed) - first

    #expect(count > 2900)
    let each = Double(allocations) / Double(max(count, 1))
    print("allocations per device motion delivered: \(each) (\(allocations) for \(count))")
    #expect(each < Self.most)
  }

  /// The number stated in docs/performance.md; one allocation more per sample fails.
  static let most = 20.0
}
