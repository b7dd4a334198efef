// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Runtime
internal import LinuxSystem
internal import Logging
internal import Quantities
internal import Registers
internal import Synchronization

/// The state that a source shares with its thread: the connection, the pending requests, and the
/// demand for samples.
final class ServiceLink: Sendable {
  /// A call that waits for the service's answer.
  private struct Pending: Sendable {
    let wakeEvent: WakeEvent
    /// True if the answer is read from the disk, which may take long. In the meantime the service
    /// reads no other request of this client.
    let isOfMovement: Bool
    var answer: ServiceAnswer?
    var isOver = false
  }
  private struct State: Sendable {
    /// The connection; `nil` while the service is not running.
    var connection: ServiceConnection?
    /// The description of the source, received over the newest connection.
    var source: ServedSource
    var chips: [ServedChipState] = []
    var complaint: ServiceFailure?
    var demand = SampleDemand.everything
    /// True if `demand` has not been sent to the service yet.
    var hasNewDemand = false
    /// True if this program needs samples.
    var isWanted = false
    /// True if a restarted service has not yet confirmed that it delivers samples again.
    var isResuming = false
    var serial: UInt32 = 0
    var pending: [UInt32: Pending] = [:]

    /// True while a hanging service must be detected, which is the case if samples are needed or a
    /// request is pending. A query about movement does not count, because its answer may take long.
    var isWatching: Bool {
      (isWanted || !pending.isEmpty) && !pending.values.contains { $0.isOfMovement }
    }

    mutating func nextSerial() -> UInt32 {
      serial = max(serial &+ 1, ServiceLink.resumption + 1)
      return serial
    }
  }
  let path: String
  private let pipeline: MotionPipeline
  private let wakeEvent: WakeEvent
  private let state: Mutex<State>
  private let readers = Mutex<ServiceReaders?>(nil)
  private let isEnding = Atomic<Bool>(false)
  private let thread = Mutex<ThreadHandle?>(nil)
  /// The serial number of the request that asks a restarted service for samples again.
  private static let resumption: UInt32 = 0
  /// The time between two attempts to connect to a service that is not running.
  private static let interval = TimeSpan.milliseconds(250)

  init(_ connection: ServiceConnection, _ pipeline: MotionPipeline) throws(ResourceError) {
    path = connection.path
    self.pipeline = pipeline
    wakeEvent = try WakeEvent()
    state = Mutex(State(connection: connection, source: connection.source))
    let handle = ThreadHandle(
      try startThread(name: "otolith service") { [self] in run() })
    thread.withLock { $0 = handle }
    // A reader that starts while this thread sleeps must not receive items that are older than its
    // start.
    pipeline.setSupply { [weak self] in self?.copy() }
  }

  var source: ServedSource { state.withLock { $0.source } }

  /// Returns the error message about a chip, for users; `nil` if there is none.
  func sentence(ofChip index: Int) -> String? {
    state.withLock { state in
      if let complaint = state.complaint { return complaint.description }
      return state.chips.indices.contains(index) ? state.chips[index].sentence : nil
    }
  }

  /// Ends the thread, and closes the connection.
  func end() {
    isEnding.store(true, ordering: .releasing)
    wakeEvent.signal()
    thread.withLock { $0.take() }?.join()
  }

  // MARK: Requests of the source

  func start() throws(ServiceFailure) {
    // A chip that did not respond in an earlier run must be reported again in this run.
    pipeline.begin()
    try connect()
    do throws(ServiceFailure) {
      // Take the lock for the whole step. Otherwise a change of the demand during the step would be
      // sent to another connection or not at all.
      let answer = try ask { state, connection in
        readers.withLock { $0 = ServiceReaders(connection) }
        state.isWanted = true
        state.hasNewDemand = false
        return .want(state.demand)
      }
      if case .refused(let refusal) = answer { throw ServiceFailure(refusal) }
    } catch {
      forget()
      throw error
    }
    // If the board already runs for other clients, the service does not send the states of its
    // chips again, so use the last known states.
    state.withLock { state in
      if state.connection != nil { pipeline.setChips(state.chips.map(\.state)) }
    }
  }

  func stop() {
    forget()
    _ = try? ask(.want(.nothing))
  }

  /// Stops copying items from the service's rings into the pipeline.
  private func forget() {
    state.withLock { state in
      state.isWanted = false
      state.isResuming = false
    }
    readers.withLock { $0 = nil }
  }

  func want(_ demand: SampleDemand) {
    let isNew = state.withLock { state in
      guard state.demand != demand else { return false }
      state.demand = demand
      // Send nothing while the source does not run, because its `start` sends the demand.
      state.hasNewDemand = state.isWanted && !demand.isNothing
      return state.hasNewDemand
    }
    if isNew { wakeEvent.signal() }
  }

  /// Sends the current demand to the service if it has changed.
  private func sendDemand(over connection: ServiceConnection) {
    state.withLock { state in
      guard state.hasNewDemand, state.isWanted else { return }
      let question = ServiceRequest.ask(.want(state.demand), serial: state.nextSerial())
      // Do not wait for the answer. If the socket is full, the demand is sent again at the next
      // sample.
      state.hasNewDemand = connection.socket.send(question.bytes) == .full
    }
  }

  /// Sends a query about movement, and waits for the answer.
  func askAboutMovement(_ question: ServiceQuestion) throws(ServiceFailure) -> ServiceAnswer {
    // The thread does not reconnect while no samples are needed, so connect here.
    try connect()
    return try ask(question)
  }

  func flush(until deadline: Timestamp) -> Bool {
    // The service sends earlier changes of chip states before this answer, and samples published
    // earlier are already in the rings.
    guard (try? ask(.fence, until: deadline)) != nil else { return false }
    copy()
    return true
  }

  /// Reconnects immediately if the connection is lost; waits at most one second.
  private func connect() throws(ServiceFailure) {
    if state.withLock({ $0.connection == nil }) {
      wakeEvent.signal()
      let deadline = monotonicNow() + .seconds(1)
      var poller = Poller()
      while state.withLock({ $0.connection == nil }), monotonicNow() < deadline {
        _ = try? poller.wait(until: monotonicNow() + .milliseconds(10))
      }
    }
    let (isThere, complaint) = state.withLock { ($0.connection != nil, $0.complaint) }
    guard isThere else { throw complaint ?? .gone(path) }
  }

  // MARK: Requests

  /// Sends a request and waits for the answer. Do not call this function on the thread of this
  /// link.
  func ask(_ question: ServiceQuestion, until deadline: Timestamp? = nil) throws(ServiceFailure)
    -> ServiceAnswer
  {
    try ask(until: deadline) { _, _ in question }
  }

  /// Sends a request and waits for the answer. `question` returns the request; it is called under
  /// the lock.
  private func ask(
    until deadline: Timestamp? = nil,
    _ question: (inout State, ServiceConnection) -> ServiceQuestion
  ) throws(ServiceFailure) -> ServiceAnswer {
    guard let wakeEvent = try? WakeEvent() else {
      throw ServiceFailure(.unavailable, "this process has no descriptors left")
    }
    let result = state.withLock { state -> Result<UInt32, ServiceFailure> in
      guard let connection = state.connection else {
        return .failure(state.complaint ?? .gone(path))
      }
      let serial = state.nextSerial()
      let asked = question(&state, connection)
      state.pending[serial] = Pending(wakeEvent: wakeEvent, isOfMovement: asked.isOfMovement)
      let request = ServiceRequest.ask(asked, serial: serial)
      // The socket has room for many times the number of pending requests.
      guard connection.socket.send(request.bytes) == .sent else {
        state.pending[serial] = nil
        return .failure(.gone(path))
      }
      return .success(serial)
    }
    let serial = try result.get()
    // Wake the link's thread, so that it detects a service that does not answer.
    self.wakeEvent.signal()
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    let deadline = deadline ?? monotonicNow() + ServiceConnection.timeout
    while monotonicNow() < deadline {
      let pending = state.withLock { $0.pending[serial] }
      if let answer = pending?.answer {
        state.withLock { $0.pending[serial] = nil }
        return answer
      }
      if pending?.isOver ?? true { break }
      _ = try? poller.wait(until: deadline)
      wakeEvent.drain()
    }
    state.withLock { $0.pending[serial] = nil }
    throw state.withLock { $0.complaint } ?? .gone(path)
  }

  // MARK: Thread

  private func run() {
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    while !isEnding.load(ordering: .acquiring) {
      if let connection = state.withLock({ $0.connection }) {
        follow(connection, &buffer)
      } else {
        wait(for: Self.interval)
        if !isEnding.load(ordering: .acquiring) { reconnect() }
      }
    }
  }

  /// Waits for `span`, or without a limit while no samples are needed. The wait ends early if
  /// `wakeEvent` is signalled.
  private func wait(for span: TimeSpan) {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    let isWanted = state.withLock { $0.isWanted }
    _ = try? poller.wait(until: isWanted ? monotonicNow() + span : .distantFuture)
    wakeEvent.drain()
  }

  /// Copies items and reads messages until the connection ends.
  private func follow(_ connection: ServiceConnection, _ buffer: inout [UInt8]) {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    poller.add(connection.socket.rawValue)
    // A message may have arrived before the first wait.
    var isSpokenTo = true
    var liveness = Liveness(at: monotonicNow())
    var newest = connection.newest
    while !isEnding.load(ordering: .acquiring) {
      if isSpokenTo, let failure = listen(connection, &buffer) { return lose(failure) }
      copy()
      let isWatching = state.withLock { $0.isWatching }
      let now = monotonicNow()
      if isSpokenTo || connection.newest > newest || !isWatching { liveness.noteSign(at: now) }
      newest = connection.newest
      var nextStep = Timestamp.distantFuture
      switch liveness.step(at: now) {
      case .wait(let time): if isWatching { nextStep = time }
      case .ask:
        askForWord(connection)
        continue
      case .lost: return lose(.silent(path))
      }
      sendDemand(over: connection)
      connection.page.missed = readers.withLock { $0?.missed } ?? connection.page.missed
      // While no samples are needed, only messages arrive from the service.
      let isIdle = readers.withLock { $0 == nil }
      let due = isIdle ? .distantFuture : pipeline.due
      connection.page.sleep(until: due)
      isSpokenTo = false
      if !hasUpdate(connection, since: due),
        (try? poller.wait(
          until: min(due > .zero && !isIdle ? now + Self.interval : .distantFuture, nextStep)))
          != nil
      {
        let (signalled, spoken) = (poller.events(of: 0), poller.events(of: 1))
        if signalled.contains(.readable) { wakeEvent.drain() }
        isSpokenTo = spoken.contains(.readable) || signalled.isFailed || spoken.isFailed
      }
      connection.page.wake()
    }
  }

  /// Sends the cheapest request, whose answer shows only that the service works. If the socket is
  /// full, no request is sent, and none is needed: earlier requests still wait for an answer.
  private func askForWord(_ connection: ServiceConnection) {
    let serial = state.withLock { $0.nextSerial() }
    _ = connection.socket.send(
      ServiceRequest.ask(.fence, serial: serial).bytes)
  }

  /// Returns true if the rings contain an item with the timestamp `due` or a later one, or a
  /// detection, which is always due.
  private func hasUpdate(_ connection: ServiceConnection, since due: Timestamp) -> Bool {
    let (isBehind, isDetected) = readers.withLock {
      ($0?.isBehind ?? false, $0?.detections.isBehind ?? false)
    }
    return isDetected || isBehind && connection.newest >= due
  }

  private func copy() {
    readers.withLock { readers in
      guard readers != nil else { return }
      readers?.relay(into: pipeline)
    }
  }

  /// Reads the messages of the service. Returns the reason if the connection must be closed.
  private func listen(
    _ connection: ServiceConnection, _ buffer: inout [UInt8]
  ) -> ServiceFailure? {
    while true {
      switch connection.socket.receive(into: &buffer) {
      case .packet(let count, _):
        switch ServiceConnection.reply(buffer[..<count]) {
        // A wake message needs no action. If another message is already waiting, the next wait ends
        // immediately.
        case .wake: return nil
        case .chips(let chips): takeStates(of: chips)
        case .answer(let answer, Self.resumption):
          if case .refused(let refusal) = answer { return ServiceFailure(refusal) }
          resume()
        case .answer(let answer, let serial):
          state.withLock { state in
            state.pending[serial]?.answer = answer
            state.pending[serial]?.wakeEvent.signal()
          }
        case .farewell(let refusal):
          logger.notice("\(refusal.description)")
          return .gone(path)
        case .welcome, nil: return .garbled(path)
        }
      case .nothing: return nil
      case .end: return .gone(path)
      case .over: return .gone(path)
      case .tooLong: return .garbled(path)
      }
    }
  }

  private func takeStates(of chips: [ServedChipState]) {
    // First copy the samples that were measured before the change of chip states.
    copy()
    state.withLock { state in
      state.chips = chips
      for (index, chip) in chips.enumerated() where chip.state == .delivering {
        pipeline.setRemark(chip.sentence, ofChip: index)
      }
      pipeline.setServedConditions(chips.map(\.conditions))
      if state.isWanted, !state.isResuming { pipeline.setChips(chips.map(\.state)) }
    }
  }

  /// Handles the loss of the service: every listener receives one error.
  private func lose(_ failure: ServiceFailure) {
    copy()
    readers.withLock { $0 = nil }
    let isNew = state.withLock { state in
      state.connection = nil
      state.complaint = failure
      for serial in state.pending.keys {
        state.pending[serial]?.isOver = true
        state.pending[serial]?.wakeEvent.signal()
      }
      return state.isWanted && !state.isResuming
    }
    guard isNew else { return }
    logger.notice("\(failure.description)")
    pipeline.setChips(pipeline.chips.map { _ in .failed(.bus(.adapterGone, register: 0)) })
  }

  // MARK: Reconnection

  /// Tries to reconnect, and requests the samples that the old connection delivered. Listeners are
  /// notified only once the service has answered, so that they receive one error for all attempts.
  private func reconnect() {
    let connection: ServiceConnection
    do throws(ServiceFailure) {
      connection = try ServiceConnection(path, wakeEvent) { isEnding.load(ordering: .acquiring) }
    } catch {
      return state.withLock { $0.complaint = error }
    }
    guard connection.source.chips.map(\.channels) == source.chips.map(\.channels) else {
      let failure = ServiceFailure(
        .unavailable,
        "the otolith service at \(path) has another board now (\(connection.source.name)): restart "
          + "this program")
      let isNew = state.withLock { state in
        defer { state.complaint = failure }
        return state.complaint != failure
      }
      if isNew { logger.error("\(failure.description)") }
      return
    }
    // Take the lock for the whole step. Otherwise samples that are stopped during the step would be
    // started again.
    state.withLock { state in
      state.connection = connection
      state.source = connection.source
      state.isResuming = state.isWanted
      guard state.isWanted else { return state.complaint = nil }
      readers.withLock { $0 = ServiceReaders(connection) }
      state.hasNewDemand = false
      let question = ServiceRequest.ask(.want(state.demand), serial: Self.resumption)
      // The socket has room, because this is the first request on the connection.
      _ = connection.socket.send(question.bytes)
    }
  }

  /// Handles the confirmation that the service delivers samples again.
  private func resume() {
    let chips = state.withLock { state in
      state.isResuming = false
      state.complaint = nil
      return state.isWanted ? state.chips : []
    }
    logger.notice("the otolith service at \(path) is back")
    pipeline.setChips(chips.map(\.state))
  }
}

private let logger = Logger(label: "otolith.service")
