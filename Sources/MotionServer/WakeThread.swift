// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import LinuxBus
internal import Quantities
internal import Service
internal import Synchronization

/// Wakes programs when there is something in the rings for them. On a thread of its own, so that it
/// costs the threads that read the buses one ring of a bell, however many programs there are.
final class WakeThread: Sendable {
  private final class Shared: Sendable {
    let members = Mutex<[Member]>([])
    let version = Atomic<UInt64>(0)
    let isWanted = Atomic<Bool>(true)
    let listener: Listener
    /// Samples for programs of versions 1 and 2, from when the first of them came.
    let samplesOfSix = Mutex<RingOfSix?>(nil)

    func followSix() { samplesOfSix.withLock { $0?.follow() } }

    init(_ listener: Listener) { self.listener = listener }
  }
  private let shared: Shared
  private let pipeline: MotionPipeline
  private let thread: ThreadHandle

  /// `news` is rung when the state of a chip has changed.
  init(_ pipeline: MotionPipeline, news: Doorbell) throws(OpenError) {
    let shared = Shared(try Listener())
    self.shared = shared
    self.pipeline = pipeline
    pipeline.add(shared.listener)
    do {
      thread = ThreadHandle(
        try startThread(name: "otolith wake", realtimePriority: 9) {
          Self.run(pipeline, shared, news)
        })
    } catch {
      pipeline.remove(shared.listener)
      throw error
    }
  }

  deinit { end() }

  /// The ring of samples for programs of versions 1 and 2, filled from now on; `nil` where there is
  /// no memory for it.
  var ringOfSix: SharedMemory? {
    shared.samplesOfSix.withLock { ring in
      if ring == nil { ring = RingOfSix(of: pipeline) }
      return ring?.ring.owner as? SharedMemory
    }
  }

  /// Brings that ring up to date: what was measured before this call is in it.
  func followSix() { shared.followSix() }

  func add(_ member: Member) {
    shared.members.withLock { $0.append(member) }
    shared.version.add(1, ordering: .releasing)
    // What it waits for may be there already.
    shared.listener.wake()
  }

  func remove(_ member: Member) {
    shared.members.withLock { $0.removeAll { $0 === member } }
    shared.version.add(1, ordering: .releasing)
    // Or its socket would stay open until the next sample.
    shared.listener.wake()
  }

  /// Ends the thread. Returns when that is done.
  func end() {
    pipeline.remove(shared.listener)
    shared.isWanted.store(false, ordering: .releasing)
    shared.listener.wake()
    thread.join()
  }

  private static func run(_ pipeline: MotionPipeline, _ shared: Shared, _ news: Doorbell) {
    var members: [Member] = []
    var version = UInt64.max
    var chips = pipeline.chipChanges
    var seen: UInt64 = 0
    var detections = pipeline.detections.count
    while shared.isWanted.load(ordering: .acquiring) {
      let changes = pipeline.chipChanges
      if changes != chips {
        chips = changes
        news.ring()
      }
      let present = shared.version.load(ordering: .acquiring)
      if present != version {
        version = present
        members = shared.members.withLock { $0 }
      }
      seen = pipeline.published
      shared.followSix()
      // What was published is to be seen before it is asked who sleeps: see `ClientPage.sleep`.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      // A detection is for every program, at once.
      let count = pipeline.detections.count
      let newest = count == detections ? pipeline.newest : .distantFuture
      detections = count
      for member in members { member.wake(at: newest) }
      shared.listener.wait(until: .distantFuture) { pipeline.published != seen }
    }
  }
}

/// Samples as programs of versions 1 and 2 expect them, from when the first of these came.
private struct RingOfSix: Sendable {
  let ring: BroadcastRing<SampleOfSix>
  private var samples: RingReader<SourcedSample>

  init(of pipeline: MotionPipeline) {
    samples = pipeline.samples.reader()
    ring = BroadcastRing(
      capacity: 4096, in: { .shared("otolith samples of six", count: $0) })
  }

  /// Takes what has come. One thread at a time.
  mutating func follow() {
    while let sample = samples.read() { ring.publish(SampleOfSix(sample)) }
  }
}
