// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Quantities
public import Registers
public import Sensors
internal import Synchronization

/// Combines the samples of all buses into motion and publishes both to consumers.
///
/// The reader threads share a lock while fusion runs, about a microsecond per sample. Consumers
/// read samples and motions from rings without the lock, and may be slow.
public final class MotionPipeline: Sendable {
  /// Every raw sample in device axes. A chip's samples contain the channels for which the chip is
  /// used.
  public let samples: BroadcastRing<SourcedSample>
  /// The motions computed by fusion.
  public let motions: BroadcastRing<MotionSample>
  /// The events that chips have detected: steps, taps, motion. Their axes are those of the chip.
  public let detections: BroadcastRing<SourcedDetection>

  private struct State: Sendable {
    var estimator: MotionEstimator
    var order: SampleOrder
    var chips: [ChipState]
    /// The remark about each chip that applies while it delivers samples; empty without a remark.
    var remarks: [String]
    /// The samples that fusion does not use; `nil` before their first reader.
    var spareSamples: BroadcastRing<SourcedSample>?
    var wakers: [Waker] = []
    /// The faults that fusion has detected in the samples.
    var faults = FaultTimes()
    /// The faults that the fusion of another process has detected; `nil` if fusion runs here.
    var servedFaults: FaultTimes?
    /// True if motion is needed; otherwise a sensor that sleeps is not faulty.
    var isMotionWanted = true
    /// The number of batches whose samples are being published, and the time of their newest
    /// sample.
    var batches = 0
    var newest = Timestamp.zero
  }
  private let state: Mutex<State>
  /// The number of users that keep the source running.
  private let users = Mutex(0)
  /// The demand of each user.
  private let demands = Mutex(Demands())
  private struct Demands: Sendable {
    var each: [(user: ObjectIdentifier, demand: SampleDemand)] = []
    /// The demand that was last passed to the source.
    var told: SampleDemand?
  }
  private let changes = Atomic<UInt64>(0)
  /// Publishes all samples and motions that another process has measured so far; `nil` without such
  /// a process.
  private let supply = Mutex<Supply?>(nil)
  /// A named type is used, because a closure stored directly in a `Mutex` is wrapped in another
  /// thunk each time the lock is taken, so every later call needs more stack.
  private struct Supply: Sendable {
    let copy: @Sendable () -> Void
  }
  private let lost = Atomic<UInt64>(0)
  /// The parameters of the pipeline's fusion.
  package let params: FusionEngine.Params

  /// The channels for which each chip is used, by the chip's index in the board.
  private let used: [ChannelSet]
  /// The channels of each chip for which another chip is used; temperature is listed only together
  /// with other channels.
  package let spare: [ChannelSet]
  private let expectedField: GeomagneticField?

  /// Creates a pipeline for chips that sample these channels, in the board's order. If two chips
  /// sample the same channel the first is used, because fusion must not count one motion twice. The
  /// temperature is the barometer's if there is one. `expectedField` is the undisturbed magnetic
  /// field at this location, if known.
  public init(
    chips: [ChannelSet], params: FusionEngine.Params = FusionEngine.Params(),
    expectedField: GeomagneticField? = nil
  ) {
    self.expectedField = expectedField
    let all = chips.reduce(into: ChannelSet()) { $0.formUnion($1) }
    let used = Self.channelsUsed(of: chips)
    self.used = used
    spare = chips.indices.map {
      let rest = chips[$0].subtracting(used[$0])
      // Nearly every chip measures its own temperature, so temperature alone is not listed.
      return rest == .temperature ? [] : rest
    }
    // 4096 elements are four seconds at 1 kHz.
    samples = BroadcastRing(capacity: 4096, in: { .shared("otolith samples", count: $0) })
    motions = BroadcastRing(capacity: 4096, in: { .shared("otolith motions", count: $0) })
    detections = BroadcastRing(capacity: 256, in: { .shared("otolith detections", count: $0) })
    self.params = params
    var estimator = MotionEstimator(channels: all, params: params)
    if let field = expectedField {
      estimator.engine.assume(fieldNorm: field.total, dip: field.dip)
    }
    state = Mutex(
      State(
        estimator: estimator, order: SampleOrder(channels: all),
        chips: [ChipState](repeating: .starting, count: chips.count),
        remarks: [String](repeating: "", count: chips.count)))
  }

  /// Returns the channels for which each chip is used, in the board's order. `chips` are the
  /// channels that each chip samples.
  package static func channelsUsed(of chips: [ChannelSet]) -> [ChannelSet] {
    var taken = ChannelSet()
    let barometer = chips.firstIndex { $0.contains(.pressure) }
    return chips.enumerated().map { index, channels in
      var mine = channels.subtracting(taken)
      if let barometer, index != barometer { mine.remove(.temperature) }
      taken.formUnion(mine)
      return mine
    }
  }

  /// Returns the channels for which this chip is used; empty if other chips sample all its
  /// channels.
  package func channelsUsed(ofChip index: Int) -> ChannelSet {
    used.indices.contains(index) ? used[index] : []
  }

  /// Returns a reader of the raw samples that fusion does not use, in device axes: for each chip,
  /// the channels for which another chip is used; `nil` if there are none. Such samples are
  /// published only after the first call of this function.
  package func spareSamples() -> RingReader<SourcedSample>? {
    guard !spare.allSatisfy(\.isEmpty) else { return nil }
    return state.withLock { state in
      let ring =
        state.spareSamples
        ?? BroadcastRing(capacity: 4096, in: { .shared("otolith spare samples", count: $0) })
      state.spareSamples = ring
      return ring.reader()
    }
  }

  /// Resets the chip states, which belong to an earlier run.
  package func begin() {
    state.withLock { state in
      state.order.removeAll()
      for index in state.chips.indices { state.chips[index] = .starting }
      tellOfChips(state)
    }
  }

  public func receive(_ sample: Sample, from source: Int) {
    var rest = sample
    rest.channels.formIntersection(spare[source])
    var sample = sample
    sample.channels.formIntersection(used[source])
    // If the frame has a used and an unused part, count the samples lost before it only once.
    if !sample.channels.isEmpty { rest.missing = 0 }
    guard !sample.channels.isEmpty || !rest.channels.isEmpty else { return }
    state.withLock { state in
      if !rest.channels.isEmpty {
        state.spareSamples?.publish(SourcedSample(rest, source: Int32(source)))
      }
      guard !sample.channels.isEmpty else { return }
      samples.publish(SourcedSample(sample, source: Int32(source)))
      var next = state.order.add(sample)
      while let sample = next {
        publish(sample, &state)
        next = state.order.next()
      }
      guard state.batches == 0 else {
        state.newest = max(state.newest, sample.timestamp)
        return
      }
      for waker in state.wakers { waker.signal(at: sample.timestamp) }
    }
  }

  /// Begins a batch: listeners are not woken before `endBatch`, which wakes them once for all
  /// samples of the batch.
  public func beginBatch() { state.withLock { $0.batches += 1 } }

  public func endBatch() {
    state.withLock { state in
      state.batches -= 1
      for waker in state.wakers { waker.signal(at: state.newest) }
    }
  }

  private func publish(_ sample: Sample, _ state: inout State) {
    guard let motion = state.estimator.update(sample) else { return }
    motions.publish(motion)
    guard state.isMotionWanted else { return }
    let isNew = state.faults.add(
      state.estimator.engine.faults, isCoasting: state.estimator.engine.isCoasting,
      at: motion.timestamp)
    if isNew { tellOfChips(state) }
  }

  /// Publishes a motion that another source has computed, without fusion.
  public func receive(_ motion: MotionSample) {
    state.withLock { state in
      motions.publish(motion)
      for waker in state.wakers { waker.signal(at: motion.timestamp) }
    }
  }

  public func receive(_ detection: Detection, from source: Int) {
    // Take the lock, because the ring allows one producer at a time and two buses have two threads.
    state.withLock { state in
      detections.publish(SourcedDetection(detection, source: Int32(source)))
      for waker in state.wakers { waker.signal() }
    }
  }

  public func chip(_ source: Int, failed error: ChipError) {
    state.withLock { state in
      state.chips[source] = .failed(error)
      tellOfChips(state)
    }
  }

  public func chipRecovered(_ source: Int) {
    state.withLock { state in
      state.chips[source] = .delivering
      tellOfChips(state)
    }
  }

  /// Publishes the new contents of another process's rings unchanged, because fusion runs in that
  /// process. Returns true if there was anything new.
  @discardableResult
  package func relay(
    _ samples: inout RingReader<SourcedSample>, _ motions: inout RingReader<MotionSample>,
    _ detections: inout RingReader<SourcedDetection>
  ) -> Bool {
    let missed = samples.missed + motions.missed
    let isAnything = state.withLock { state in
      var newest: Timestamp?
      while let sample = samples.read() {
        self.samples.publish(sample)
        newest = max(newest ?? sample.sample.timestamp, sample.sample.timestamp)
      }
      while let motion = motions.read() {
        self.motions.publish(motion)
        newest = max(newest ?? motion.timestamp, motion.timestamp)
      }
      while let detection = detections.read() {
        self.detections.publish(detection)
        newest = .distantFuture
      }
      guard let newest else { return false }
      for waker in state.wakers { waker.signal(at: newest) }
      return true
    }
    lost.add(samples.missed + motions.missed - missed, ordering: .releasing)
    return isAnything
  }

  /// Sets the function that publishes the new samples and motions of another process; any thread
  /// may call that function.
  package func setSupply(_ supply: @escaping @Sendable () -> Void) {
    self.supply.withLock { $0 = Supply(copy: supply) }
  }

  /// The number of samples measured so far, including those of another process that are not copied
  /// yet.
  package var samplesMeasured: UInt64 {
    supply.withLock { $0 }?.copy()
    return samples.count
  }

  /// The number of motions measured so far, including those of another process that are not copied
  /// yet.
  package var motionsMeasured: UInt64 {
    supply.withLock { $0 }?.copy()
    return motions.count
  }

  /// The number of samples and motions that another process overwrote before they were copied here.
  package var overwritten: UInt64 { lost.load(ordering: .acquiring) }

  /// Sets the states of the chips, which another process has sent.
  package func setChips(_ chips: [ChipState]) {
    state.withLock { state in
      guard chips.count == state.chips.count, chips != state.chips else { return }
      state.chips = chips
      tellOfChips(state)
    }
  }

  /// Sets the remark about a chip that applies while it delivers samples; empty removes it.
  package func setRemark(_ remark: String, ofChip index: Int) {
    state.withLock { state in
      guard state.remarks.indices.contains(index), state.remarks[index] != remark else { return }
      state.remarks[index] = remark
      tellOfChips(state)
    }
  }

  /// The remark about each chip that applies while it delivers samples; empty without a remark.
  package var remarks: [String] { state.withLock { $0.remarks.map { $0 } } }

  /// The faults that fusion has detected so far, here or in the service that feeds this pipeline.
  package var faults: FaultTimes { state.withLock { $0.servedFaults ?? $0.faults } }

  /// The faults to report to people; empty if fusion runs in another process.
  var notedFaults: SensorFaults { state.withLock { $0.faults.noted } }

  /// Sets the faults that the fusion of another process has detected.
  package func setServedFaults(_ faults: FaultTimes) {
    state.withLock { $0.servedFaults = faults }
  }

  private func tellOfChips(_ state: State) {
    changes.add(1, ordering: .releasing)
    // Chip states are in no ring, so wake all listeners; otherwise they would learn of the change
    // only with the next sample.
    for waker in state.wakers { waker.wake() }
  }

  /// Fusion's current estimates of the sensors' errors.
  public var calibration: CalibrationState {
    state.withLock { CalibrationState($0.estimator.engine) }
  }

  /// Calls `body` between two samples, so that it passes external measurements of the motion to
  /// fusion.
  package func aid(_ body: (inout FusionEngine) -> Bool) -> Bool {
    state.withLock { body(&$0.estimator.engine) }
  }

  /// The values that fusion has learned until now.
  public var memory: FusionMemory { state.withLock { $0.estimator.memory } }

  /// Sets fusion's start to values learned in an earlier run. That run may have been at another
  /// location, so the expected field of this location replaces the learned one.
  public func assume(_ memory: FusionMemory) {
    state.withLock { state in
      state.estimator.engine.assume(memory)
      if let field = expectedField {
        state.estimator.engine.assume(fieldNorm: field.total, dip: field.dip)
      }
    }
  }

  /// The number of elements published so far, by which changes are detected.
  package var published: UInt64 { samples.count &+ motions.count &+ detections.count }

  /// The time of the newest sample or motion.
  package var newest: Timestamp {
    max(samples.newest?.sample.timestamp ?? .zero, motions.newest?.timestamp ?? .zero)
  }

  /// The number of changes of chip states, which is cheaper to read than `chips`.
  public var chipChanges: UInt64 { changes.load(ordering: .acquiring) }

  /// The states of all chips, in the board's order.
  public var chips: [ChipState] {
    // Copy element by element: returning the array would share its storage beyond the lock until
    // the next write.
    state.withLock { $0.chips.map { $0 } }
  }

  /// Adds a user of the source, and calls `start` if it is the first. If `start` throws, no user is
  /// added.
  package func beginUse(_ start: () throws(SessionError) -> Void) throws(SessionError) {
    try users.withLock { users throws(SessionError) in
      if users == 0 { try start() }
      users += 1
    }
  }

  /// Resets the chip states if the source has no user, before a new user listens and starts the
  /// source.
  package func forgetUnused() {
    users.withLock { users in
      if users == 0 { begin() }
    }
  }

  /// Removes a user, and calls `stop` if it was the last.
  package func endUse(_ stop: () -> Void) {
    users.withLock { users in
      users -= 1
      if users == 0 { stop() }
    }
  }

  /// True if any user keeps the source running.
  package var isInUse: Bool { users.withLock { $0 > 0 } }

  /// The combined demand of all users, as last passed to the source.
  package var demand: SampleDemand { demands.withLock { $0.told ?? .nothing } }

  /// Sets the demand of one user from now on; `nil` removes it. `tell` is called with the combined
  /// demand if the combined demand has changed. `demand` is called under the lock, so that the
  /// newest value is passed last.
  package func setDemand(
    of user: ObjectIdentifier, _ demand: () -> SampleDemand?, tell: (SampleDemand) -> Void
  ) {
    let told = demands.withLock { demands in
      demands.each.removeAll { $0.user == user }
      if let demand = demand() { demands.each.append((user, demand)) }
      var union = SampleDemand.nothing
      for other in demands.each { union.formUnion(other.demand) }
      if union != demands.told {
        demands.told = union
        tell(union)
      }
      return union
    }
    state.withLock { $0.isMotionWanted = told.motion > 0 }
  }

  /// The earliest time for which a listener waits, because older samples and motions wake no
  /// listener. This time is in the distant future without listeners, and in the past while one is
  /// awake.
  package var due: Timestamp {
    state.withLock { state in
      state.wakers.reduce(.distantFuture) { min($0, $1.due) }
    }
  }

  /// The number of chips of the board.
  package var chipCount: Int { used.count }

  /// Adds a waker, which is signalled from now on whenever something new is published.
  public func add(_ waker: Waker) {
    state.withLock { $0.wakers.append(waker) }
  }

  public func remove(_ waker: Waker) {
    state.withLock { $0.wakers.removeAll { $0 === waker } }
  }
}
