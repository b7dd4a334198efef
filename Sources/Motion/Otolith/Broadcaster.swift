// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
internal import Runtime
internal import Synchronization

/// Delivers the items that a source publishes to several receivers on one thread, so that each
/// further receiver costs a call and not a thread. Receivers must return immediately, because the
/// thread calls one after another.
final class Broadcaster: Sendable {
  /// The registration of one receiver.
  final class Entry: Sendable {
    // The reference is weak because the receiver may hold its `Listening`, which holds this entry.
    // The owner keeps the receiver alive.
    weak let receiver: (any MotionReceiver)?
    /// The same receiver if it also needs the number of items published before each item; otherwise
    /// `nil`.
    private weak let counting: (any CountingReceiver)?
    /// The same receiver, if it also needs the samples of single chips; otherwise `nil`.
    weak let chipwise: (any ChipReceiver)?
    /// The numbers of samples and motions published before the receiver was added. Earlier items
    /// that are still waiting are not delivered to this receiver.
    private let samplesBefore: UInt64
    private let motionsBefore: UInt64
    private let detectionsBefore: UInt64
    /// The number of the first motion in the receiver's current arbitrary frames.
    let yawBegin: Atomic<UInt64>
    let isOpen = Atomic<Bool>(true)

    /// The receiver's demand. It is stored here, because reading it from the receiver could release
    /// the receiver inside a lock.
    private let needs = Mutex(SampleDemand.nothing)

    init(_ receiver: any MotionReceiver, _ pipeline: MotionPipeline) {
      self.receiver = receiver
      counting = receiver as? any CountingReceiver
      let chipwise = receiver as? any ChipReceiver
      self.chipwise = chipwise?.needsChipSamples == true ? chipwise : nil
      samplesBefore = pipeline.samplesMeasured
      motionsBefore = pipeline.motionsMeasured
      yawBegin = Atomic(motionsBefore)
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

    /// Returns true if the motion with this number is for the receiver.
    func takesMotion(_ number: UInt64) -> Bool {
      isOpen.load(ordering: .relaxed) && number >= motionsBefore
    }

    func hand(_ motion: MotionSample, _ number: UInt64) {
      if let counting {
        counting.receive(motion, number: number)
      } else {
        receiver?.receive(motion)
      }
    }

    func hand(ofChip sample: SourcedSample) {
      guard isOpen.load(ordering: .relaxed) else { return }
      chipwise?.receive(ofChip: sample)
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

  /// The state that the thread and the broadcaster share. It exists until the thread ends.
  private final class Shared: Sendable {
    let entries = Mutex<[Entry]>([])
    /// The number of changes of `entries`. The delivering thread compares it to detect changes.
    let version = Atomic<UInt64>(0)
    let isWanted = Atomic<Bool>(true)
    /// The number of requests to wait until all items are delivered, and the number of fulfilled
    /// requests.
    let asked = Atomic<UInt64>(0)
    let answered = Atomic<UInt64>(0)
    /// A lock that the thread holds while it calls the receivers.
    let turn = Mutex<Void>(())
    let waker: Waker

    init(_ waker: Waker) { self.waker = waker }
  }

  private let shared: Shared
  let source: any MotionSource
  private let thread: ThreadHandle

  init(_ source: any MotionSource) throws(ResourceError) {
    self.source = source
    let shared = Shared(try Waker())
    self.shared = shared
    let pipeline = source.pipeline
    pipeline.add(shared.waker)
    // Create the ring readers before the thread runs, so that no receiver misses the first sample.
    let samples = CountedReader(pipeline.samples)
    let motions = CountedReader(pipeline.motions)
    let detections = CountedReader(pipeline.detections)
    do {
      thread = ThreadHandle(
        try startThread(name: "otolith listen") {
          Self.run(pipeline, shared, samples, motions, detections)
        })
    } catch {
      pipeline.remove(shared.waker)
      throw error
    }
  }

  func add(_ receiver: any MotionReceiver) -> Entry {
    let entry = Entry(receiver, source.pipeline)
    shared.entries.withLock { $0.append(entry) }
    shared.version.add(1, ordering: .releasing)
    // This call also wakes the delivering thread, which passes the current chip states to the new
    // receiver.
    changeDemand()
    return entry
  }

  /// Ends delivery to the entry from the next item on. Use `wait` to wait until delivery has ended.
  func remove(_ entry: Entry) {
    entry.isOpen.store(false, ordering: .releasing)
    shared.entries.withLock { $0.removeAll { $0 === entry } }
    shared.version.add(1, ordering: .releasing)
    passDemand()
  }

  /// Handles a changed demand of a receiver: updates the source, and wakes the delivering thread,
  /// which then computes again how long it may sleep.
  func changeDemand() {
    // Wake the delivering thread first. It then computes the time until which it sleeps, and the
    // source reads that time from the pipeline.
    shared.waker.wake()
    passDemand()
  }

  /// Passes the combined demand of all receivers to the source.
  private func passDemand() {
    source.pipeline.setDemand(of: ObjectIdentifier(shared)) {
      guard shared.isWanted.load(ordering: .acquiring) else { return nil }
      return shared.entries.withLock { entries in
        entries.reduce(into: .nothing) { $0.formUnion($1.demand) }
      }
    } send: {
      source.want($0)
    }
  }

  /// Ends the thread after the current item.
  func end() {
    source.pipeline.remove(shared.waker)
    shared.isWanted.store(false, ordering: .releasing)
    passDemand()
    shared.waker.wake()
  }

  /// Waits until no removed receiver is being called. Returns immediately if a receiver calls this
  /// function.
  func wait() {
    if !thread.isCurrent { shared.turn.withLock { _ in } }
  }

  /// Waits until everything published before this call has been delivered, but at most for `limit`.
  /// Returns true if everything was delivered. Returns false soon after the task is cancelled.
  func flush(within limit: TimeSpan) async -> Bool {
    let end = monotonicNow() + limit
    guard await source.flush(until: end) else { return false }
    let ticket = shared.asked.add(1, ordering: .acquiringAndReleasing).newValue
    shared.waker.wake()
    while shared.answered.load(ordering: .acquiring) < ticket {
      guard monotonicNow() < end, shared.isWanted.load(ordering: .acquiring) else { return false }
      // Polling suffices, because only tests wait here, and only for microseconds.
      do { try await Task.sleep(for: .microseconds(50)) } catch { return false }
    }
    return true
  }

  /// Resets the yaw of all receivers: from the next motion on, the x axis of their arbitrary frames
  /// is the device's x axis at that motion.
  func resetYaw() {
    let begin = source.pipeline.motionsMeasured
    shared.entries.withLock { entries in
      for entry in entries { entry.yawBegin.store(begin, ordering: .releasing) }
    }
  }

  private static func run(
    _ pipeline: MotionPipeline, _ shared: Shared, _ samples: CountedReader<SourcedSample>,
    _ motions: CountedReader<MotionSample>, _ detections: CountedReader<SourcedDetection>
  ) {
    var samples = samples
    var motions = motions
    var detections = detections
    var chips: RingReader<SourcedSample>?
    var audience = Audience(pipeline: pipeline, shared: shared)
    // Do not count items as lost that were overwritten before the thread started.
    var missed = pipeline.overwritten
    while shared.isWanted.load(ordering: .acquiring) {
      let asked = shared.asked.load(ordering: .acquiring)
      var newest: Timestamp?
      shared.turn.withLock { _ in
        audience.refresh()
        // Read in limited batches, so that a receiver that is being removed does not wait long.
        for _ in 0..<batch {
          guard let (sample, number) = samples.read() else { break }
          audience.refresh()
          newest = sample.sample.timestamp
          for seat in audience.seats { seat.entry.hand(sample, number) }
        }
        if chips == nil, audience.needsChipSamples { chips = pipeline.chipSamples() }
        for _ in 0..<batch {
          guard let sample = chips?.read() else { break }
          newest = sample.sample.timestamp
          for seat in audience.seats { seat.entry.hand(ofChip: sample) }
        }
        for _ in 0..<batch {
          guard let (motion, number) = motions.read() else { break }
          audience.refresh()
          newest = motion.timestamp
          audience.hand(motion, number)
        }
        // Read all detections; there are at most several per second.
        while let (detection, number) = detections.read() {
          audience.refresh()
          for seat in audience.seats { seat.entry.hand(detection, number) }
        }
        let lost =
          samples.missed + motions.missed + (chips?.missed ?? 0) + pipeline.overwritten
        if lost > missed {
          for seat in audience.seats where seat.entry.isOpen.load(ordering: .relaxed) {
            seat.entry.receiver?.missed(lost - missed)
          }
          missed = lost
        }
      }
      if !samples.isBehind, !motions.isBehind, !detections.isBehind, chips?.isBehind != true {
        shared.answered.store(asked, ordering: .releasing)
      }
      // If this turn read no sample, let the next sample wake the thread immediately.
      let due = newest.map { min(audience.due, $0 + longestSleep) } ?? .zero
      shared.waker.wait(
        until: due > .zero ? monotonicNow() + longestSleep : .distantFuture, notBefore: due
      ) {
        samples.isBehind || motions.isBehind || detections.isBehind || chips?.isBehind == true
      }
    }
  }

  /// A receiver, and the origin of yaw in its arbitrary frames.
  private struct Seat {
    let entry: Entry
    private var origin = YawOrigin()
    /// The number of the first motion to which the current origin of yaw applies; `nil` before the
    /// first motion.
    private var begin: UInt64?

    init(_ entry: Entry) { self.entry = entry }

    /// Delivers `motion` relative to the receiver's origin of yaw. The receiver's first motion, and
    /// the first after a reset, set that origin.
    mutating func hand(_ motion: MotionSample, _ number: UInt64) {
      guard entry.takesMotion(number) else { return }
      let begin = entry.yawBegin.load(ordering: .acquiring)
      if begin != self.begin, number >= begin {
        self.begin = begin
        origin = YawOrigin()
      }
      entry.hand(origin.turned(motion), number)
    }
  }

  /// The receivers that the thread currently calls.
  private struct Audience {
    let pipeline: MotionPipeline
    let shared: Shared
    var seats: [Seat] = []
    private var version: UInt64 = .max
    private var chipChanges: UInt64 = .max
    /// The chip states that the receivers know; `nil` before the first report.
    private var seen: ChipStates?

    init(pipeline: MotionPipeline, shared: Shared) {
      self.pipeline = pipeline
      self.shared = shared
    }

    mutating func hand(_ motion: MotionSample, _ number: UInt64) {
      for index in seats.indices { seats[index].hand(motion, number) }
    }

    /// True if a receiver needs the samples of single chips.
    var needsChipSamples: Bool { seats.contains { $0.entry.chipwise != nil } }

    /// The time before which no receiver needs an item.
    var due: Timestamp {
      var due = Timestamp.distantFuture
      for seat in seats where seat.entry.isOpen.load(ordering: .relaxed) {
        if let receiver = seat.entry.receiver { due = min(due, receiver.due) }
      }
      return due
    }

    /// Updates the list of receivers. Call this after reading an item, so that a receiver that was
    /// added before the item was published receives it.
    mutating func refresh() {
      let changes = pipeline.chipChanges
      let newVersion = shared.version.load(ordering: .acquiring)
      guard changes != chipChanges || newVersion != version else { return }
      // Report the current chip states to new receivers, or to all receivers if the states have
      // changed.
      let seated = seats
      let knowing = changes == chipChanges ? seated : []
      chipChanges = changes
      if newVersion != version {
        version = newVersion
        seats = shared.entries.withLock { $0 }.map { entry in
          seated.first { $0.entry === entry } ?? Seat(entry)
        }
      }
      for chips in pipeline.chipStates(after: &seen) {
        for seat in seats
        where seat.entry.isOpen.load(ordering: .relaxed)
          && !knowing.contains(where: { $0.entry === seat.entry })
        {
          seat.entry.receiver?.chipsChanged(chips)
        }
      }
    }
  }

  private static let batch = 256
  /// The longest time without delivery while samples arrive, on the clock of the samples and on the
  /// machine's clock. It is short enough to detect a clock that jumps, and is a sixteenth of a ring
  /// at 1 kHz.
  private static let longestSleep = TimeSpan.milliseconds(250)
}

/// A ring reader that knows the number of items published before each item.
private struct CountedReader<Element: BitwiseCopyable & Sendable>: Sendable {
  private var reader: RingReader<Element>
  private let start: UInt64
  private var taken: UInt64 = 0

  init(_ ring: BroadcastRing<Element>) {
    // An item may be published between the two reads, so repeat until the count is stable.
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
