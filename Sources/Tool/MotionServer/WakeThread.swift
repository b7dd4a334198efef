// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import LinuxSystem
internal import Quantities
internal import Service
internal import Synchronization

/// A thread that wakes clients when the rings have items for them. Because this thread is separate,
/// the threads that read the buses signal only one event, whatever the number of clients.
final class WakeThread: Sendable {
  private final class Shared: Sendable {
    let clients = Mutex<[ClientSession]>([])
    let version = Atomic<UInt64>(0)
    let isWanted = Atomic<Bool>(true)
    let waker: Waker

    init(_ waker: Waker) { self.waker = waker }
  }
  private let shared: Shared
  private let pipeline: MotionPipeline
  private let thread: ThreadHandle

  /// Starts the thread; the event `chipEvent` is signalled each time a chip's state has changed.
  init(_ pipeline: MotionPipeline, chipEvent: WakeEvent) throws(ResourceError) {
    let shared = Shared(try Waker())
    self.shared = shared
    self.pipeline = pipeline
    pipeline.add(shared.waker)
    do {
      thread = ThreadHandle(
        try startThread(name: "otolith wake", realtimePriority: 9) {
          Self.run(pipeline, shared, chipEvent)
        })
    } catch {
      pipeline.remove(shared.waker)
      throw error
    }
  }

  deinit { end() }

  func add(_ client: ClientSession) {
    shared.clients.withLock { $0.append(client) }
    shared.version.add(1, ordering: .releasing)
    // Wake the thread at once, because the rings may already contain items that the new client
    // waits for.
    shared.waker.wake()
  }

  func remove(_ client: ClientSession) {
    shared.clients.withLock { $0.removeAll { $0 === client } }
    shared.version.add(1, ordering: .releasing)
    // Signal the wake thread's event, so that the thread releases the client's socket now instead
    // of with the next sample.
    shared.waker.wake()
  }

  /// Ends the thread, and returns after it has ended.
  func end() {
    pipeline.remove(shared.waker)
    shared.isWanted.store(false, ordering: .releasing)
    shared.waker.wake()
    thread.join()
  }

  private static func run(_ pipeline: MotionPipeline, _ shared: Shared, _ chipEvent: WakeEvent) {
    var clients: [ClientSession] = []
    var version = UInt64.max
    var chips = pipeline.chipChanges
    var seen: UInt64 = 0
    var detections = pipeline.detections.count
    while shared.isWanted.load(ordering: .acquiring) {
      let changes = pipeline.chipChanges
      if changes != chips {
        chips = changes
        chipEvent.signal()
      }
      let present = shared.version.load(ordering: .acquiring)
      if present != version {
        version = present
        clients = shared.clients.withLock { $0 }
      }
      seen = pipeline.published
      // This fence makes published items visible before the sleep flags are read; see
      // `ClientPage.sleep`.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      // A detection wakes all clients immediately.
      let count = pipeline.detections.count
      let newest = count == detections ? pipeline.newest : .distantFuture
      detections = count
      for client in clients { client.wake(at: newest) }
      shared.waker.wait(until: .distantFuture) { pipeline.published != seen }
    }
  }
}
