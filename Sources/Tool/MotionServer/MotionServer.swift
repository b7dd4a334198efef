// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Runtime
package import LinuxSystem
internal import Logging
package import Quantities
package import Service
internal import Synchronization

/// A server that offers a motion source to programs on a Unix socket. The source runs while any
/// client needs it.
///
/// Clients can only read the pipeline's rings, which contain samples and motions. One thread
/// answers requests, another thread wakes clients; neither thread ever waits for a client.
package final class MotionServer {
  /// The reason why the server stopped.
  package enum Outcome: Equatable, Sendable {
    /// The wake-up event was signalled.
    case ended
    /// The owner requested a restart of the board.
    case reload
    /// The owner requested a restart of the board with learned values deleted.
    case forget
  }

  let source: any MotionSource
  let policy: ServicePolicy
  let updateEvent: WakeEvent
  private let wakes: WakeThread
  let rings: [SharedMemory]
  /// The ring of each chip's own samples; `nil` if no chips are combined and all chips are used.
  let chipSamples: SharedMemory?
  let start = monotonicNow()
  var connections: [Connection] = []
  /// The combined demand of all clients.
  private var demand = SampleDemand.nothing
  private var isRunning = false
  private var chipChanges: UInt64
  private var buffer = [UInt8](repeating: 0, count: ServiceRequest.mostBytes)
  private var poller = Poller()
  var dropped: UInt64 = 0
  var refused: UInt64 = 0
  private var complaints = ComplaintLimit()
  private let lingering = LingeringClose()
  /// The time until which no client is accepted after the process has run out of descriptors or
  /// memory.
  private var closedUntil = Timestamp.zero
  private var outcome: Outcome?
  /// The path of the server's socket.
  var path = ""
  /// Returns a message if the requested outcome is not possible; otherwise `nil`. The serving
  /// thread calls this function before clients are disconnected, because an invalid board file must
  /// not end the service.
  package var objection: (Outcome) -> String? = { _ in nil }

  /// A function that the serving thread calls at least once per `interval`.
  package var heartbeat: (interval: TimeSpan, beat: (ServiceHealth) -> Void)?
  private var nextBeat = Timestamp.zero

  /// A function that answers queries about movement, and may block on the disk. It is called with
  /// `.movement(counts: true)` while any client requests counting. If the function is `nil`,
  /// queries are rejected. Set this property before serving.
  package var movement: (@Sendable (ServiceQuestion) -> ServiceAnswer)?
  /// The thread that answers queries; `nil` before the first query.
  var answers: AnswerThread?
  /// True while `movement` counts steps and activities because a client requests it.
  var isCounting = false

  /// Creates a server for `source`. Throws if the rings cannot be shared, or if the system has no
  /// thread or descriptor left.
  package init(_ source: any MotionSource, policy: ServicePolicy) throws(ResourceError) {
    self.source = source
    self.policy = policy
    let pipeline = source.pipeline
    rings = [pipeline.samples.owner, pipeline.motions.owner, pipeline.detections.owner]
      .compactMap { $0 as? SharedMemory }
    guard rings.count == 3 else {
      throw ResourceError(
        .descriptor, "memory to share (memfd_create, Linux 5.1)", errno: Self.refusal)
    }
    chipSamples = pipeline.chipSampleRing?.owner as? SharedMemory
    updateEvent = try WakeEvent()
    wakes = try WakeThread(pipeline, chipEvent: updateEvent)
    chipChanges = pipeline.chipChanges
  }

  /// Calls the heartbeat if it is due. Returns the time of the next heartbeat, or the distant
  /// future if no heartbeat is set.
  private func beat(at now: Timestamp) -> Timestamp {
    guard let heartbeat else { return .distantFuture }
    if now >= nextBeat {
      nextBeat = now + heartbeat.interval
      heartbeat.beat(ServiceHealth(programs: connections.count, isRunning: isRunning))
    }
    return nextBeat
  }

  /// The error number of a second attempt to share memory, made after the first has failed. Sharing
  /// fails if the kernel lacks memfd_create(2), a security rule forbids it, or too many files are
  /// open.
  private static var refusal: Int32 {
    do throws(SystemError) { _ = try SharedMemory("otolith", count: 8, writers: .none) } catch {
      return error.errno
    }
    return ENOMEM
  }

  /// Serves the clients that connect to `socket` until `wakeEvent` is signalled or the owner
  /// requests a restart of the board. The connected clients are then notified.
  package func serve(_ socket: borrowing ListeningSocket, until wakeEvent: WakeEvent) -> Outcome {
    path = socket.path
    let (ending, noticed) = (
      poller.add(wakeEvent.fileDescriptor), poller.add(updateEvent.fileDescriptor)
    )
    let arriving = poller.add(socket.rawValue)
    while outcome == nil {
      var now = monotonicNow()
      let isOpen = now >= closedUntil
      poller.change(arriving, to: isOpen ? .readable : [])
      var deadline = isOpen ? beat(at: now) : min(beat(at: now), closedUntil)
      for connection in connections {
        deadline = min(deadline, prepare(connection, at: now))
      }
      guard (try? poller.wait(until: deadline)) != nil else { continue }
      if !poller.events(of: ending).isEmpty { outcome = .ended }
      if !poller.events(of: noticed).isEmpty { updateEvent.drain() }
      now = monotonicNow()
      for connection in connections { work(connection, poller.events(of: connection.slot), now) }
      sendChipStates()
      deliverAnswers()
      leave()
      countForProgramsLeft()
      if isOpen, !poller.events(of: arriving).isEmpty { admit(from: socket) }
    }
    for slot in [ending, noticed, arriving] { poller.remove(slot) }
    end()
    return outcome ?? .ended
  }

  /// Makes the poller wait for the events of `connection` that the server can handle now. Returns
  /// the time at which the connection is checked again even without an event. This is necessary if
  /// its client is above the rate limit, or has sent no greeting yet.
  private func prepare(_ connection: Connection, at now: Timestamp) -> Timestamp {
    let mayAsk = connection.mayAsk(policy, at: now)
    var events: PollEvents = []
    if mayAsk { events.insert(.readable) }
    if connection.isFull { events.insert(.writable) }
    poller.change(connection.slot, to: events)
    if !mayAsk, !connection.isFull, !connection.isAsking { return now + .milliseconds(10) }
    return connection.program == nil ? now + .seconds(1) : .distantFuture
  }

  // MARK: Connections

  private func admit(from listening: borrowing ListeningSocket) {
    let socket: ServerSocket
    switch listening.accept() {
    case .client(let descriptor):
      do throws(SystemError) {
        socket = try ServerSocket(PacketSocket(owning: descriptor))
      } catch { return }
    case .nobody: return
    case .noRoom:
      closedUntil = monotonicNow() + .milliseconds(100)
      return
    }
    let peer = socket.peer
    guard policy.admits(peer) else {
      refuse(socket, policy.refusal)
      return complain("process \(peer.process) of user \(peer.user) may not use the service")
    }
    let ofUser =
      connections.count { $0.client.peer.user == peer.user } + lingering.count(ofUser: peer.user)
    let isFull = connections.count + lingering.count >= policy.mostClients
    guard !isFull, ofUser < policy.mostOfOneUser || peer.user == 0 else {
      let refusal = ServiceRefusal(
        .full,
        isFull
          ? "the otolith service has reached its limit of programs (\(connections.count))"
          : "your user has reached the otolith service's limit of programs per user (\(ofUser))")
      refuse(socket, refusal)
      return complain("process \(peer.process) of user \(peer.user) was not accepted")
    }
    guard let client = try? ClientSession(socket) else {
      lingering.close(socket)
      closedUntil = monotonicNow() + .milliseconds(100)
      return
    }
    connections.append(Connection(client, policy, slot: poller.add(socket.descriptor)))
  }

  private func refuse(_ socket: ServerSocket, _ refusal: ServiceRefusal) {
    refused += 1
    socket.send(ServiceReply.farewell(refusal).bytes)
    lingering.close(socket)
  }

  private func leave() {
    guard connections.contains(where: \.isOver) else { return }
    for connection in connections where connection.isOver { close(connection) }
    connections.removeAll { $0.isOver }
    follow()
  }

  private func close(_ connection: Connection) {
    wakes.remove(connection.client)
    // Remove the descriptor from the poller while it is still open.
    poller.remove(connection.slot)
    lingering.close(connection.client.socket)
  }

  /// Sends the reason to a client, and disconnects the client.
  private func dismiss(_ connection: Connection, _ refusal: ServiceRefusal) {
    connection.send(.farewell(refusal))
    connection.isOver = true
    dropped += 1
    complain("\(connection.name) is disconnected: \(refusal.description)")
  }

  private func complain(_ text: String) {
    guard let text = complaints.admits(text, at: monotonicNow()) else { return }
    logger.warning("\(text)")
  }

  private func end() {
    let refusal = ServiceRefusal(
      .ending, outcome == .ended ? "the otolith service has ended" : "the board restarts")
    for connection in connections {
      connection.send(.farewell(refusal))
      close(connection)
    }
    connections = []
    follow()
    endAnswers()
    wakes.end()
  }

  // MARK: Requests

  /// The number of requests from one client that are answered before the requests of other clients.
  private static let turn = 16

  private func work(_ connection: Connection, _ events: PollEvents, _ now: Timestamp) {
    if events.contains(.broken) { connection.isOver = true }
    if connection.isFull { connection.flush() }
    if !events.isDisjoint(with: [.readable, .hungUp]) {
      for _ in 0..<Self.turn {
        guard !connection.isOver, connection.mayAsk(policy, at: now) else { break }
        guard take(connection) else { break }
      }
    }
    if connection.program == nil, !connection.isOver,
      (now - connection.client.start).seconds > policy.greetingTimeout
    {
      dismiss(connection, ServiceRefusal(.malformed, "it did not introduce itself"))
    }
  }

  /// Reads one packet from the client. Returns true if there may be another packet.
  private func take(_ connection: Connection) -> Bool {
    // Check a packet for descriptors before receiving it, because closing a file's last descriptor
    // may block.
    guard let isBad = connection.client.socket.carriesDescriptors() else { return false }
    if isBad {
      dismiss(connection, ServiceRefusal(.malformed, "it sent descriptors"))
      return false
    }
    switch connection.client.socket.receive(into: &buffer) {
    case .packet(let count, _):
      connection.countRequest()
      do throws(MalformedPacket) {
        try answer(try ServiceRequest(buffer[..<count]), to: connection)
      } catch { dismiss(connection, ServiceRefusal(.malformed, "malformed: \(error)")) }
      return !connection.isOver
    case .nothing: return false
    case .tooLong:
      dismiss(
        connection,
        ServiceRefusal(.malformed, "malformed: more than \(ServiceRequest.mostBytes) bytes"))
      return false
    // The two cases are separate, because a pattern for both would copy the noncopyable value.
    case .end: connection.isOver = true
    case .over: connection.isOver = true
    }
    return false
  }

  private func answer(
    _ request: ServiceRequest, to connection: Connection
  ) throws(MalformedPacket) {
    switch request {
    case .hello(let newest, let oldest, let program):
      guard connection.program == nil else {
        return dismiss(connection, ServiceRefusal(.malformed, "malformed: a second greeting"))
      }
      connection.program = Connection.printable(program)
      welcome(connection, newest, oldest)
    case .ask(let question, let serial):
      guard connection.program != nil else {
        return dismiss(connection, ServiceRefusal(.malformed, "malformed: no greeting"))
      }
      connection.countCost(of: question)
      if question.isOfMovement { return ask(question, of: connection, serial: serial) }
      let reply = answer(question, of: connection)
      // Send changed chip states before the answer, so that the client already has the newest
      // states.
      sendChipStates()
      connection.send(.answer(reply, serial: serial))
    }
  }

  private func welcome(_ connection: Connection, _ newest: UInt16, _ oldest: UInt16) {
    let version = min(newest, ServiceVersion.newest)
    guard oldest <= version, version >= ServiceVersion.oldest else {
      return dismiss(
        connection,
        ServiceRefusal(
          .version,
          "the otolith service speaks versions \(ServiceVersion.oldest) to "
            + "\(ServiceVersion.newest) of its protocol, the program \(oldest) to \(newest): install the same release of both"
        ))
    }
    connection.send(
      .welcome(version: version, ServedSource(source)),
      descriptors: rings.map(\.fileDescriptor) + [connection.client.page.fileDescriptor]
        + (chipSamples.map { [$0.fileDescriptor] } ?? []))
    connection.lacksChips = true
    wakes.add(connection.client)
  }

  private func answer(
    _ question: ServiceQuestion, of connection: Connection
  ) -> ServiceAnswer {
    if question.isPrivileged, !policy.obeys(connection.client.peer) {
      return .refused(
        ServiceRefusal(
          .forbidden, "only root and the service's owner (user \(policy.owner)) may do that"))
    }
    switch question {
    case .want(let demand):
      let before = connection.demand
      connection.demand = demand
      do throws(SessionError) {
        try want()
        return .done
      } catch {
        connection.demand = before
        follow()
        return .refused(ServiceRefusal(error))
      }
    // A fence request needs no work: all earlier samples are already in the rings.
    case .fence: return .done
    case .calibration: return .calibration(source.calibration)
    case .report: return .report(source.report)
    case .status: return .status(shortStatus)
    case .reload: return end(as: .reload)
    case .forget: return end(as: .forget)
    // The thread in `answers` handles queries about movement.
    case .movement, .total, .activities: return .done
    }
  }

  private func end(as wanted: Outcome) -> ServiceAnswer {
    if let reason = objection(wanted) { return .refused(ServiceRefusal(.unavailable, reason)) }
    // Deleting learned values includes a restart of the board, so such a request replaces a request
    // for a restart.
    if outcome == nil || outcome == .reload { outcome = wanted }
    return .done
  }

  // MARK: Source

  /// Starts, stops or adjusts the source for the combined demand of all clients.
  private func want() throws(SessionError) {
    demand = connections.reduce(into: .nothing) { demand, connection in
      if !connection.isOver { demand.formUnion(connection.demand) }
    }
    if demand.isNothing {
      if isRunning { source.pipeline.endUse { source.stop() } }
      isRunning = false
      passDemand(nil)
    } else {
      passDemand(demand)
      guard !isRunning else { return }
      try source.pipeline.beginUse { () throws(SessionError) in try source.start() }
      isRunning = true
    }
  }

  /// Passes the clients' demand to the source, which may have other users in this process.
  private func passDemand(_ demand: SampleDemand?) {
    source.pipeline.setDemand(of: ObjectIdentifier(self), { demand }) { source.want($0) }
  }

  /// Updates the source after a client has disconnected. This cannot fail, because the demand can
  /// only decrease.
  private func follow() {
    do throws(SessionError) { try want() } catch { complain(error.description) }
  }

  /// Sends the chips' states to each client that does not have the newest states.
  private func sendChipStates() {
    let changes = source.pipeline.chipChanges
    if changes != chipChanges {
      chipChanges = changes
      for connection in connections { connection.lacksChips = true }
    }
    // A client with queued replies gets only the newest states, at a later time.
    for connection in connections where connection.lacksChips && !connection.isFull {
      connection.lacksChips = false
      guard connection.program != nil else { continue }
      for states in source.pipeline.chipStates(after: &connection.chips) {
        connection.send(.chips(served(states)))
      }
    }
  }

  private func served(_ states: [ChipState]) -> [ServedChipState] {
    states.enumerated().map { index, state in
      var sentence = source.remarks(ofChip: index).joined(separator: "; ")
      if case .failed(let error) = state { sentence = source.sentence(for: error, ofChip: index) }
      return ServedChipState(
        state, sentence: sentence, conditions: source.pipeline.conditions(ofChip: index))
    }
  }
}

extension ServiceRefusal {
  init(_ error: SessionError) {
    self.init(
      error.isDenied ? .denied : error.isTaken ? .taken : .unavailable, error.description)
  }
}

private let logger = Logger(label: "otolith.service")
