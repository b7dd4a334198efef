// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Quantities
public import Registers
public import Sensors
internal import Synchronization

/// Combines the samples of all buses into motion, and publishes samples and motion to consumers.
///
/// The reader threads share a lock while fusion runs, about a microsecond per sample. Consumers
/// read samples and motions from rings without this lock, so they may be slow.
public final class MotionPipeline: Sendable {
  /// The samples for motion, in device axes. A channel that several chips sample contains combined
  /// values, whose source is the chip at whose time they were combined. All other channels contain
  /// the chip's own values.
  public let samples: BroadcastRing<SourcedSample>
  /// The motions computed by fusion.
  public let motions: BroadcastRing<MotionSample>
  /// The events that chips have detected: steps, taps and motion. Their axes are the chip's axes.
  public let detections: BroadcastRing<SourcedDetection>

  struct State: Sendable {
    var estimator: MotionEstimator
    var order: SampleOrder
    var combination: SensorCombination
    var chips: ChipStates
    /// For each chip, the time of the newest sample when the chip began to deliver samples.
    var delivering: [Timestamp]
    /// For each chip, the remark that applies while it delivers samples; empty if there is none.
    var remarks: [String]
    /// The samples of each chip that motion combines or does not use; `nil` until there is a reader
    /// for them.
    var chipSamples: BroadcastRing<SourcedSample>?
    var wakers: [Waker] = []
    /// The faults that fusion has detected in the samples.
    var faults = FaultTimes()
    /// The faults that fusion in another process has detected; `nil` if fusion runs here.
    var servedFaults: FaultTimes?
    /// The conditions of each chip's channels in the process that combines them; `nil` if this
    /// process does.
    var servedConditions: [[ChannelCondition]]?
    /// True if motion is needed. If it is not needed, a sensor that sleeps is not faulty.
    var isMotionWanted = true
    /// The number of batches that are being published, and the time of their newest sample.
    var batches = 0
    var newest = Timestamp.zero
  }
  let state: Mutex<State>
  /// The number of users that keep the source running.
  private let users = Mutex(0)
  /// The demand of each user.
  private let demands = Mutex(Demands())
  private struct Demands: Sendable {
    var each: [(user: ObjectIdentifier, demand: SampleDemand)] = []
    /// The demand that was last sent to the source.
    var sent: SampleDemand?
  }
  private let changes = Atomic<UInt64>(0)
  /// Publishes all samples and motions measured so far in another process; `nil` if there is none.
  private let supply = Mutex<Supply?>(nil)
  /// This is a named type, because a closure stored directly in a `Mutex` is wrapped in another
  /// thunk each time the lock is taken, so that every later call needs more stack.
  private struct Supply: Sendable {
    let copy: @Sendable () -> Void
  }
  private let lost = Atomic<UInt64>(0)
  /// The parameters of the pipeline's fusion.
  package let params: FusionEngine.Params
  /// The parameters for fusion of each chip alone; `nil` if they are not known.
  let chipParams: [FusionEngine.Params?]

  /// The role of each chip, in the board's order.
  package let roles: [ChipRole]
  private let expectedField: GeomagneticField?

  /// Creates a pipeline for chips with these channels, in the board's order. Accelerations,
  /// rotation rates, magnetic fields and pressures that several chips sample are combined. For
  /// other channels the first chip is used. The temperature comes from the barometer if there is
  /// one. `expectedField` is the undisturbed magnetic field at this location, if known.
  public convenience init(
    chips: [ChannelSet], params: FusionEngine.Params = FusionEngine.Params(),
    expectedField: GeomagneticField? = nil
  ) {
    self.init(of: chips.map { PipelineChip($0) }, params: params, expectedField: expectedField)
  }

  /// Creates a pipeline for these chips, in the board's order.
  package init(
    of chips: [PipelineChip], params: FusionEngine.Params = FusionEngine.Params(),
    expectedField: GeomagneticField? = nil
  ) {
    self.expectedField = expectedField
    roles = ChipRole.roles(of: chips)
    chipParams = chips.map(\.params)
    let all = roles.reduce(into: ChannelSet()) { $0.formUnion($1.used) }
    // 4096 elements cover four seconds at 1 kHz.
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
        combination: SensorCombination(chips, roles),
        chips: ChipStates(count: chips.count),
        delivering: [Timestamp](repeating: .zero, count: chips.count),
        remarks: [String](repeating: "", count: chips.count)))
  }

  /// Returns a reader of the separate samples of each chip, in device axes: the channels that are
  /// combined with other chips' channels, and the channels that motion does not use; `nil` without
  /// such channels. They are published only after the first call of this function.
  package func chipSamples() -> RingReader<SourcedSample>? { chipSampleRing?.reader() }

  /// The ring of these samples, created at the first access; `nil` if there are no such samples.
  package var chipSampleRing: BroadcastRing<SourcedSample>? {
    guard !roles.allSatisfy(\.separate.isEmpty) else { return nil }
    return state.withLock { state in
      let ring =
        state.chipSamples
        ?? BroadcastRing(capacity: 4096, in: { .shared("otolith chip samples", count: $0) })
      state.chipSamples = ring
      return ring
    }
  }

  /// Resets the chip states, because they belong to an earlier run.
  package func begin() {
    state.withLock { state in
      state.order.removeAll()
      state.combination.restart()
      state.chips.set([ChipState](repeating: .starting, count: state.chips.states.count))
      wakeListeners(state)
    }
  }

  public func receive(_ sample: Sample, from source: Int) {
    state.withLock { state in
      let combined = state.combination.add(sample, from: source)
      if let ring = state.chipSamples {
        var separate = sample
        separate.channels.formIntersection(roles[source].separate)
        // If part of the frame is also published for motion, count the samples lost before it only
        // once.
        if combined != nil { separate.missing = 0 }
        if !separate.channels.isEmpty {
          ring.publish(SourcedSample(separate, source: Int32(source)))
        }
      }
      if !roles[source].combined.isEmpty, state.combination.hasChanged() { wakeListeners(state) }
      guard let sample = combined else {
        if state.chipSamples != nil { wake(&state, at: sample.timestamp) }
        return
      }
      samples.publish(SourcedSample(sample, source: Int32(source)))
      if !roles[source].combined.isEmpty {
        state.combination.exchangeDoubts(with: &state.estimator.engine, for: sample.channels)
      }
      var next = state.order.add(sample)
      while let sample = next {
        publish(sample, &state)
        next = state.order.next()
      }
      wake(&state, at: sample.timestamp)
    }
  }

  /// Wakes the listeners that wait for samples of `time`. Within a batch, they are woken at the end
  /// of the batch.
  private func wake(_ state: inout State, at time: Timestamp) {
    guard state.batches == 0 else {
      state.newest = max(state.newest, time)
      return
    }
    for waker in state.wakers { waker.signal(at: time) }
  }

  /// Begins a batch. Listeners are woken only by `endBatch`, once for all samples of the batch.
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
    if isNew { wakeListeners(state) }
  }

  /// Publishes a motion that another source has computed; fusion does not run.
  public func receive(_ motion: MotionSample) {
    state.withLock { state in
      motions.publish(motion)
      for waker in state.wakers { waker.signal(at: motion.timestamp) }
    }
  }

  public func receive(_ detection: Detection, from source: Int) {
    // Take the lock, because the ring allows only one producer at a time, and two buses have two
    // threads.
    state.withLock { state in
      detections.publish(SourcedDetection(detection, source: Int32(source)))
      for waker in state.wakers { waker.signal() }
    }
  }

  public func chip(_ source: Int, failed error: ChipError) {
    state.withLock { state in
      state.chips.set(.failed(error), ofChip: source)
      wakeListeners(state)
    }
  }

  public func chipRecovered(_ source: Int) {
    state.withLock { state in
      state.chips.set(.delivering, ofChip: source)
      state.delivering[source] = newest
      wakeListeners(state)
    }
  }

  /// Publishes the new contents of another process's rings unchanged, because fusion runs in that
  /// process. Returns true if there was anything new.
  @discardableResult
  package func relay(
    _ samples: inout RingReader<SourcedSample>, _ motions: inout RingReader<MotionSample>,
    _ detections: inout RingReader<SourcedDetection>,
    _ chipSamples: inout RingReader<SourcedSample>?
  ) -> Bool {
    let missed = samples.missed + motions.missed
    let isAnything = state.withLock { state in
      var newest: Timestamp?
      while let sample = samples.read() {
        self.samples.publish(sample)
        newest = max(newest ?? sample.sample.timestamp, sample.sample.timestamp)
      }
      // Read these samples even without a reader, so that the first sample of a later reader is
      // new.
      while let sample = chipSamples?.read() { state.chipSamples?.publish(sample) }
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

  /// Sets the function that publishes the new samples and motions of another process. Any thread
  /// may call that function.
  package func setSupply(_ supply: @escaping @Sendable () -> Void) {
    self.supply.withLock { $0 = Supply(copy: supply) }
  }

  /// The number of samples measured so far, including those not yet copied from another process.
  package var samplesMeasured: UInt64 {
    supply.withLock { $0 }?.copy()
    return samples.count
  }

  /// The number of motions measured so far, including those not yet copied from another process.
  package var motionsMeasured: UInt64 {
    supply.withLock { $0 }?.copy()
    return motions.count
  }

  /// The number of samples and motions that another process overwrote before they were copied here.
  package var overwritten: UInt64 { lost.load(ordering: .acquiring) }

  /// For each chip, the remark that applies while it delivers samples; empty if there is none.
  package var remarks: [String] { state.withLock { $0.remarks.map { $0 } } }

  /// The faults that fusion has detected so far, here or in the service that feeds this pipeline.
  package var faults: FaultTimes { state.withLock { $0.servedFaults ?? $0.faults } }

  /// The faults to report to users; empty if fusion runs in another process.
  var notedFaults: SensorFaults { state.withLock { $0.faults.noted } }

  func wakeListeners(_ state: State) {
    changes.add(1, ordering: .releasing)
    // Chip states are in no ring, so wake all listeners. Otherwise they would learn of the change
    // only with the next sample.
    for waker in state.wakers { waker.wake() }
  }

  /// The current estimates of the sensors' errors.
  public var calibration: CalibrationState {
    state.withLock { CalibrationState($0.estimator.engine) }
  }

  /// Calls `body` between two samples, so that it can pass external measurements of the motion to
  /// fusion.
  package func aid(_ body: (inout FusionEngine) -> Bool) -> Bool {
    state.withLock { body(&$0.estimator.engine) }
  }

  /// The values that fusion has learned so far.
  public var memory: FusionMemory { state.withLock { $0.estimator.memory } }

  /// Lets fusion start with values learned in an earlier run. That run may have been at another
  /// location, so the expected field of this location replaces the learned field.
  public func assume(_ memory: FusionMemory) {
    state.withLock { state in
      state.estimator.engine.assume(memory)
      if let field = expectedField {
        state.estimator.engine.assume(fieldNorm: field.total, dip: field.dip)
      }
    }
  }

  /// The number of elements published so far, used to detect changes.
  package var published: UInt64 { samples.count &+ motions.count &+ detections.count }

  /// The time of the newest sample or motion.
  package var newest: Timestamp {
    max(samples.newest?.sample.timestamp ?? .zero, motions.newest?.timestamp ?? .zero)
  }

  /// The number of changes of the chip states. It is cheaper to read than `chips`.
  public var chipChanges: UInt64 { changes.load(ordering: .acquiring) }

  /// The states of all chips, in the board's order.
  public var chips: [ChipState] {
    // Copy element by element, because returning the array would share its storage beyond the lock
    // until the next write.
    state.withLock { $0.chips.states.map { $0 } }
  }

  /// Returns the chip states that a listener must report, oldest first, and updates `seen`, the
  /// states that it has reported before. The last element is the current states.
  package func chipStates(after seen: inout ChipStates?) -> [[ChipState]] {
    let current = state.withLock { $0.chips.copied }
    defer { seen = current }
    return current.changes(after: seen)
  }

  /// Adds a user of the source, and calls `start` for the first user. If `start` throws, no user is
  /// added.
  package func beginUse(_ start: () throws(SessionError) -> Void) throws(SessionError) {
    try users.withLock { users throws(SessionError) in
      if users == 0 { try start() }
      users += 1
    }
  }

  /// Resets the chip states if the source has no user. Called before a new user listens and starts
  /// the source.
  package func forgetUnused() {
    users.withLock { users in
      if users == 0 { begin() }
    }
  }

  /// Removes a user, and calls `stop` if it was the last user.
  package func endUse(_ stop: () -> Void) {
    users.withLock { users in
      users -= 1
      if users == 0 { stop() }
    }
  }

  /// True if any user keeps the source running.
  package var isInUse: Bool { users.withLock { $0 > 0 } }

  /// The combined demand of all users, as last sent to the source.
  package var demand: SampleDemand { demands.withLock { $0.sent ?? .nothing } }

  /// Sets the demand of one user; `nil` removes it. If this changes the combined demand of all
  /// users, `send` is called with the new value. `demand` is called under the lock, so that the
  /// newest value is sent last.
  package func setDemand(
    of user: ObjectIdentifier, _ demand: () -> SampleDemand?, send: (SampleDemand) -> Void
  ) {
    let combined = demands.withLock { demands in
      demands.each.removeAll { $0.user == user }
      if let demand = demand() { demands.each.append((user, demand)) }
      var union = SampleDemand.nothing
      for other in demands.each { union.formUnion(other.demand) }
      if union != demands.sent {
        demands.sent = union
        send(union)
      }
      return union
    }
    state.withLock { $0.isMotionWanted = combined.motion > 0 }
  }

  /// The earliest time for which a listener waits; earlier samples and motions wake no listener. It
  /// is in the distant future without listeners, and in the past while a listener is awake.
  package var due: Timestamp {
    state.withLock { state in
      state.wakers.reduce(.distantFuture) { min($0, $1.due) }
    }
  }

  /// The number of chips of the board.
  package var chipCount: Int { roles.count }

  /// Returns the time of the newest sample at the moment when this chip began to deliver samples.
  package func beginOfDelivery(ofChip index: Int) -> Timestamp {
    state.withLock { $0.delivering.indices.contains(index) ? $0.delivering[index] : .zero }
  }

  /// Adds a waker. From now on it is signalled whenever something new is published.
  public func add(_ waker: Waker) {
    state.withLock { $0.wakers.append(waker) }
  }

  public func remove(_ waker: Waker) {
    state.withLock { $0.wakers.removeAll { $0 === waker } }
  }
}
