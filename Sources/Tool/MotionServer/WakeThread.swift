// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import LinuxSystem
internal import Quantities
internal import Service
internal import Synchronization

/// Wakes clients when the rings have items for them. It uses a separate thread, so that the threads
/// that read the buses signal one event however many clients there are.
final class WakeThread: Sendable {
  private final class Shared: Sendable {
    let clients = Mutex<[ClientSession]>([])
    let version = Atomic<UInt64>(0)
    let isWanted = Atomic<Bool>(true)
    let listener: Waker

    init(_ listener: Waker) { self.listener = listener }
  }
  private let shared: Shared
  private let pipeline: MotionPipeline
  private let thread: ThreadHandle

  /// Starts the thread; the event `updates` is signalled each time a chip's state has changed.
  init(_ pipeline: MotionPipeline, updates: WakeEvent) throws(ResourceError) {
    let shared = Shared(try Waker())
    self.shared = shared
    self.pipeline = pipeline
    pipeline.add(shared.listener)
    do {
      thread = ThreadHandle(
        try startThread(name: "otolith wake", realtimePriority: 9) {
          Self.run(pipeline, shared, updates)
        })
    } catch {
      pipeline.remove(shared.listener)
      throw error
    }
  }

  deinit { end() }

  func add(_ client: ClientSession) {
    shared.clients.withLock { $0.append(client) }
    shared.version.add(1, ordering: .releasing)
    // Wake the thread at once, because the rings may already contain items that the new client
    // waits for.
    shared.listener.wake()
  }

  func remove(_ client: ClientSession) {
    shared.clients.withLock { $0.removeAll { $0 === client } }
    shared.version.add(1, ordering: .releasing)
    // Signal the wake thread's event, so that the thread releases the client's socket now and not
    // with the next sample.
    shared.listener.wake()
  }

  /// Ends the thread, and returns after it has ended.
  func end() {
    pipeline.remove(shared.listener)
    shared.isWanted.store(false, ordering: .releasing)
    shared.listener.wake()
    thread.join()
  }

  private static func run(_ pipeline: MotionPipeline, _ shared: Shared, _ updates: WakeEvent) {
    var clients: [ClientSession] = []
    var version = UInt64.max
    var chips = pipeline.chipChanges
    var seen: UInt64 = 0
    var detections = pipeline.detections.count
    while shared.isWanted.load(ordering: .acquiring) {
      let changes = pipeline.chipChanges
      if changes != chips {
        chips = changes
        updates.signal()
      }
      let present = shared.version.load(ordering: .acquiring)
      if present != version {
        version = present
        clients = shared.clients.withLock { $0 }
      }
      seen = pipeline.published
      // This fence makes published items visible before the sleep flags are read: see
      // `ClientPage.sleep`.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      // A detection wakes all clients immediately.
      let count = pipeline.detections.count
      let newest = count == detections ? pipeline.newest : .distantFuture
      detections = count
      for client in clients { client.wake(at: newest) }
      shared.listener.wait(until: .distantFuture) { pipeline.published != seen }
    }
  }
}
