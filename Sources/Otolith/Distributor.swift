// SPDX-License-Identifier: Apache-2.0
internal import LinuxBus
internal import Runtime
internal import Synchronization

/// Hands a source's published items to any number of receivers, on one thread: a second receiver
/// costs a call, not a thread. Receivers return at once, so none waits for another.
final class Distributor: Sendable {
  /// One receiver's place.
  final class Entry: Sendable {
    // The listener keeps the receiver alive, not this: it may itself hold its `Listening`.
    weak let receiver: (any MotionReceiver)?
    /// The same receiver, if it counts.
    private weak let counting: (any CountingReceiver)?
    /// The numbers of samples and motions published when it was added: older ones, which may not
    /// have been handed out yet, are not for it.
    private let samplesBefore: UInt64
    private let motionsBefore: UInt64
    private let detectionsBefore: UInt64
    let isOpen = Atomic<Bool>(true)

    /// The receiver's demand. Kept here, since the thread that asks a receiver may be the last to
    /// hold it, and must not release it in a lock.
    private let needs = Mutex(SampleDemand.nothing)

    init(_ receiver: any MotionReceiver, _ pipeline: MotionPipeline) {
      self.receiver = receiver
      counting = receiver as? any CountingReceiver
      samplesBefore = pipeline.samplesMeasured
      motionsBefore = pipeline.motionsMeasured
      detectionsBefore = pipeline.detections.count
      askDemand()
    }

    func hand(_ sample: SourcedSample, _ number: UInt64) {
      guard isOpen.load(ordering: .relaxed), number >= samplesBefore else { return }
      if let counting {
        counting.receive(sample, number: number)
      } else {
        receiver?.receive(sample)
      }
    }

    func hand(_ motion: MotionSample, _ number: UInt64) {
      guard isOpen.load(ordering: .relaxed), number >= motionsBefore else { return }
      if let counting {
        counting.receive(motion, number: number)
      } else {
        receiver?.receive(motion)
      }
    }

    func hand(_ detection: SourcedDetection, _ number: UInt64) {
      guard isOpen.load(ordering: .relaxed), number >= detectionsBefore else { return }
      receiver?.receive(detection)
    }

    func askDemand() {
      guard let receiver else { return }
      needs.withLock { $0 = receiver.demand }
    }

    var demand: SampleDemand { needs.withLock { $0 } }
  }

  /// State that the thread shares with the others, and holds alone at the end.
  private final class Shared: Sendable {
    let entries = Mutex<[Entry]>([])
    /// Counts the changes of `entries`.
    let version = Atomic<UInt64>(0)
    let isWanted = Atomic<Bool>(true)
    /// Counts those who wait until everything is handed out, and up to whom it has been.
    let asked = Atomic<UInt64>(0)
    let answered = Atomic<UInt64>(0)
    /// Counts the resets of yaw, and how many motions there were before the last.
    let resets = Atomic<UInt64>(0)
    let motionsBeforeReset = Atomic<UInt64>(0)
    /// Held while receivers are being called.
    let turn = Mutex<Void>(())
    let listener: Listener

    init(_ listener: Listener) { self.listener = listener }
  }

  private let shared: Shared
  let source: any MotionSource
  private let thread: ThreadHandle

  init(_ source: any MotionSource) throws(OpenError) {
    self.source = source
    let shared = Shared(try Listener())
    self.shared = shared
    let pipeline = source.pipeline
    pipeline.add(shared.listener)
    // From here on, whenever the thread comes to run: no listener may miss the first sample.
    let samples = CountedReader(pipeline.samples)
    let motions = CountedReader(pipeline.motions)
    let detections = CountedReader(pipeline.detections)
    do {
      thread = ThreadHandle(
        try startThread(name: "otolith listen") {
          Self.run(pipeline, shared, samples, motions, detections)
        })
    } catch {
      pipeline.remove(shared.listener)
      throw error
    }
  }

  func add(_ receiver: any MotionReceiver) -> Entry {
    let entry = Entry(receiver, source.pipeline)
    shared.entries.withLock { $0.append(entry) }
    shared.version.add(1, ordering: .releasing)
    // It wants to know at once what its chips are up to.
    changeDemand()
    return entry
  }

  /// Hands nothing more to it from the next item on; `wait` returns when that is so.
  func remove(_ entry: Entry) {
    entry.isOpen.store(false, ordering: .releasing)
    shared.entries.withLock { $0.removeAll { $0 === entry } }
    shared.version.add(1, ordering: .releasing)
    passDemand()
  }

  /// Notes that some receiver needs something else: the thread asks until when it may sleep, and
  /// the source is told.
  func changeDemand() {
    // First, so that a source that asks the pipeline what is due finds no older answer.
    shared.listener.wake()
    passDemand()
  }

  /// Tells the source what all its receivers need.
  private func passDemand() {
    source.pipeline.setDemand(of: ObjectIdentifier(shared)) {
      guard shared.isWanted.load(ordering: .acquiring) else { return nil }
      return shared.entries.withLock { entries in
        entries.reduce(into: .nothing) { $0.formUnion($1.demand) }
      }
    } tell: {
      source.want($0)
    }
  }

  /// Ends the thread after the item that is under way.
  func end() {
    source.pipeline.remove(shared.listener)
    shared.isWanted.store(false, ordering: .releasing)
    passDemand()
    shared.listener.wake()
  }

  /// Waits until no removed receiver is being called; returns at once when called by a receiver.
  func wait() {
    if !thread.isCurrent { shared.turn.withLock { _ in } }
  }

  /// Waits until everything that was published before this call is handed out, for at most `limit`.
  /// Returns true if it is; false soon where the task is cancelled.
  func settle(within limit: TimeSpan) async -> Bool {
    let end = monotonicNow() + limit
    guard await source.settle(until: end) else { return false }
    let ticket = shared.asked.add(1, ordering: .acquiringAndReleasing).newValue
    shared.listener.wake()
    while shared.answered.load(ordering: .acquiring) < ticket {
      guard monotonicNow() < end, shared.isWanted.load(ordering: .acquiring) else { return false }
      // For tests: what they wait for takes microseconds.
      do { try await Task.sleep(for: .microseconds(50)) } catch { return false }
    }
    return true
  }

  /// Resets yaw: from the next motion on, x of the arbitrary frames lies where the device's own x
  /// points then.
  func resetYaw() {
    shared.motionsBeforeReset.store(source.pipeline.motionsMeasured, ordering: .relaxed)
    shared.resets.add(1, ordering: .releasing)
    // Two resets soon after each other are two all the same.
    shared.listener.wake()
  }

  private static func run(
    _ pipeline: MotionPipeline, _ shared: Shared, _ samples: CountedReader<SourcedSample>,
    _ motions: CountedReader<MotionSample>, _ detections: CountedReader<SourcedDetection>
  ) {
    var samples = samples
    var motions = motions
    var detections = detections
    var audience = Audience(pipeline: pipeline, shared: shared)
    // Items overwritten before count as no listener's loss.
    var missed = pipeline.overwritten
    while shared.isWanted.load(ordering: .acquiring) {
      let asked = shared.asked.load(ordering: .acquiring)
      var newest: Timestamp?
      shared.turn.withLock { _ in
        audience.refresh()
        // A batch at a time, so that a leaving listener need not wait long.
        for _ in 0..<batch {
          guard let (sample, number) = samples.read() else { break }
          audience.refresh()
          newest = sample.sample.timestamp
          for entry in audience.entries { entry.hand(sample, number) }
        }
        for _ in 0..<batch {
          guard let (motion, number) = motions.read() else { break }
          audience.refresh()
          newest = motion.timestamp
          let turned = audience.turned(motion, number)
          for entry in audience.entries { entry.hand(turned, number) }
        }
        // There are a few a second at the most.
        while let (detection, number) = detections.read() {
          audience.refresh()
          for entry in audience.entries { entry.hand(detection, number) }
        }
        let lost = samples.missed + motions.missed + pipeline.overwritten
        if lost > missed {
          for entry in audience.entries where entry.isOpen.load(ordering: .relaxed) {
            entry.receiver?.missed(lost - missed)
          }
          missed = lost
        }
      }
      if !samples.isBehind, !motions.isBehind, !detections.isBehind {
        shared.answered.store(asked, ordering: .releasing)
      }
      // Where nothing comes, the next is news.
      let due = newest.map { min(audience.due, $0 + longestSleep) } ?? .zero
      shared.listener.wait(
        until: due > .zero ? monotonicNow() + longestSleep : .distantFuture, notBefore: due
      ) { samples.isBehind || motions.isBehind || detections.isBehind }
    }
  }

  /// The receivers that the thread calls, and the origin of their yaw.
  private struct Audience {
    let pipeline: MotionPipeline
    let shared: Shared
    var entries: [Entry] = []
    private var origin = YawOrigin()
    private var version: UInt64 = .max
    private var chipChanges: UInt64 = .max
    private var resets: UInt64 = 0

    init(pipeline: MotionPipeline, shared: Shared) {
      self.pipeline = pipeline
      self.shared = shared
    }

    /// Returns `motion` as seen from the origin of yaw; the first motion after a reset sets that
    /// origin.
    mutating func turned(_ motion: MotionSample, _ number: UInt64) -> MotionSample {
      let newResets = shared.resets.load(ordering: .acquiring)
      if newResets != resets, number >= shared.motionsBeforeReset.load(ordering: .relaxed) {
        resets = newResets
        origin = YawOrigin()
      }
      return origin.turned(motion)
    }

    /// The moment before which no receiver waits for anything.
    var due: Timestamp {
      var due = Timestamp.distantFuture
      for entry in entries where entry.isOpen.load(ordering: .relaxed) {
        if let receiver = entry.receiver { due = min(due, receiver.due) }
      }
      return due
    }

    /// Looks for changes: after an item was read, so that a receiver added before the item was
    /// published gets it.
    mutating func refresh() {
      let changes = pipeline.chipChanges
      let newVersion = shared.version.load(ordering: .acquiring)
      guard changes != chipChanges || newVersion != version else { return }
      // A new receiver is told of the chips as they are, and all receivers when they change.
      let old = changes == chipChanges ? entries : []
      chipChanges = changes
      if newVersion != version {
        version = newVersion
        entries = shared.entries.withLock { $0 }
      }
      let chips = pipeline.chips
      for entry in entries
      where entry.isOpen.load(ordering: .relaxed) && !old.contains(where: { $0 === entry }) {
        entry.receiver?.chipsChanged(chips)
      }
    }
  }

  private static let batch = 256
  /// The longest time without handing out while samples come, on their clock and on the machine's:
  /// a sixteenth of a ring at 1 kHz, and a clock that jumps is found out.
  private static let longestSleep = TimeSpan.milliseconds(250)
}

/// A reader that knows how many were published before what it reads.
private struct CountedReader<Element: BitwiseCopyable & Sendable>: Sendable {
  private var reader: RingReader<Element>
  private let start: UInt64
  private var taken: UInt64 = 0

  init(_ ring: BroadcastRing<Element>) {
    // Something may be published in between, but hardly again and again.
    var start = ring.count
    reader = ring.reader()
    while ring.count != start {
      start = ring.count
      reader = ring.reader()
    }
    self.start = start
  }

  var missed: UInt64 { reader.missed }
  var isBehind: Bool { reader.isBehind }

  mutating func read() -> (Element, number: UInt64)? {
    guard let element = reader.read() else { return nil }
    defer { taken += 1 }
    return (element, start + taken + reader.missed)
  }
}
