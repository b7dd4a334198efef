// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
package import Quantities
internal import Synchronization

/// Publishes messages to a broker from a separate thread: the caller never waits for the network.
///
/// While the broker is connected messages are queued in memory; otherwise in the spool, which is
/// sent first after a reconnection. A message counts as arrived when the broker has acknowledged
/// it, so a broker may receive one twice if its acknowledgement was lost. At all times `made +
/// before = arrived + waiting + dropped`.
package final class MQTTPublisher: Sendable {
  /// Counts of messages by outcome.
  package struct Counts: Equatable, Sendable {
    /// Messages from this process.
    package var made: UInt64 = 0
    /// Messages that an earlier process left in the spool, including those that the disk has lost
    /// since.
    package var before: UInt64 = 0
    /// Acknowledged by the broker.
    package var arrived: UInt64 = 0
    package var waiting: UInt64 = 0
    /// Dropped because the spool or its disk was full, or lost by the disk.
    package var dropped: UInt64 = 0
    /// Sent again because a connection ended before the acknowledgement.
    package var again: UInt64 = 0
    package var connections: UInt64 = 0
  }

  /// The messages with which a publisher announces itself on each connection.
  package struct Presence: Sendable {
    /// Published first, retained.
    package var births: [Message]
    /// Published by the broker when the connection is lost, and by the publisher before it
    /// disconnects.
    package var will: Message
    /// The board's entities in Home Assistant, of which the broker may have retained older ones;
    /// `nil` to neither offer nor remove any.
    package var discovery: Discovery?

    package init(births: [Message], will: Message, discovery: Discovery? = nil) {
      self.births = births
      self.will = will
      self.discovery = discovery
    }
  }

  private enum Origin {
    case memory(Message)
    case spool(Spool.Index)
  }

  /// The state that the mutex protects.
  private struct State: ~Copyable {
    var spool: Spool
    var counts = Counts()
    var queue: [Message] = []
    /// Published, unacknowledged messages by message ID.
    var window: [Int32: Origin] = [:]
    var offer: DiscoveryOffer?
    var isConnected = false
    var isEnding = false
    var deadline = Timestamp.distantFuture
    var hasEnded = false
    var failure: PublishError?
    var remarks: [String] = []
    var diskFault = false
  }

  /// The maximum number of messages in flight; brokers acknowledge faster than this fills.
  private static let inFlight = 100
  /// The maximum number of messages in memory while the broker is slow; further ones go to disk.
  private static let inMemory = 1000

  private let address: MQTTAddress
  private let login: MQTTLogin
  private let name: String
  private let presence: Presence
  private let state: Mutex<State>
  private let bell: WakeEvent

  /// Opens the spool in `folder`, of at most `limit` bytes. `name` is the client ID.
  package init(
    _ address: MQTTAddress, name: String, login: MQTTLogin, presence: Presence, folder: String,
    limit: Int
  ) throws(PublishError) {
    _ = try Mosquitto.found()
    self.address = address
    self.login = login
    self.name = name
    self.presence = presence
    let spool = try Spool(folder: folder, limit: limit)
    var begin = State(spool: spool)
    begin.counts.before = spool.count + spool.damaged
    begin.counts.dropped = spool.damaged
    Self.report(lost: spool.damaged, &begin)
    state = Mutex(begin)
    do throws(ResourceError) { bell = try WakeEvent() } catch { throw .unreachable("\(error)") }
  }

  /// Starts to connect. Throws `.unreachable` if no thread can be created.
  package func start() throws(PublishError) {
    do throws(ResourceError) {
      _ = try startThread(name: "otolith mqtt") { [self] in run() }
    } catch { throw .unreachable("\(error)") }
  }

  // MARK: For the sender

  /// Queues a message for publishing. Returns at once.
  package func send(_ message: Message) {
    state.withLock { state in
      state.counts.made += 1
      let inMemory = state.queue.count + state.window.count
      if state.isConnected, !state.spool.hasUnread, inMemory < Self.inMemory {
        state.queue.append(message)
      } else {
        Self.store(message, &state)
      }
    }
  }

  /// Sets the entities to offer to Home Assistant on this connection and later ones, and removes
  /// others of this board that the broker has retained. Returns at once.
  package func offer(_ offer: DiscoveryOffer) { state.withLock { $0.offer = offer } }

  private static func store(_ message: Message, _ state: inout State) {
    do throws(PublishError) {
      state.counts.dropped += try state.spool.append(message)
      state.diskFault = false
    } catch {
      state.counts.dropped += 1
      if !state.diskFault { state.remarks.append("\(error); messages are dropped") }
      state.diskFault = true
    }
  }

  private static func report(lost: UInt64, _ state: inout State) {
    guard lost > 0 else { return }
    state.remarks.append(
      "\(state.spool.folder): stored messages are damaged or missing; dropped and counted: \(lost)")
  }

  /// The folder of the spool.
  package var folder: String { state.withLock { $0.spool.folder } }

  package var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      counts.waiting =
        state.spool.count + UInt64(state.queue.count)
        + UInt64(state.window.count { if case .memory = $0.value { true } else { false } })
      return counts
    }
  }

  /// Returns the log remarks since the last call.
  package func takeRemarks() -> [String] {
    state.withLock { state in
      defer { state.remarks.removeAll() }
      return state.remarks
    }
  }

  /// The reason why publishing has stopped; `nil` while it is active.
  package var failure: PublishError? { state.withLock { $0.failure } }

  /// Waits until all messages have arrived, for at most `limit`, disconnects, and leaves the rest
  /// in the spool.
  package func finish(within limit: TimeSpan) -> Counts {
    let end = Timestamp.now + limit
    state.withLock {
      $0.isEnding = true
      $0.deadline = end
    }
    bell.ring()
    var waiter = Poller()
    // A connection that hangs in the kernel is abandoned.
    while !state.withLock({ $0.hasEnded }), Timestamp.now < end + .seconds(1) {
      _ = try? waiter.wait(until: .now + .milliseconds(10))
    }
    state.withLock { state in
      Self.retire(&state)
      state.spool.sync()
    }
    return counts
  }

  // MARK: For the thread

  private func run() {
    var pause = TimeSpan.milliseconds(500)
    var reported: Set<String> = []
    while true {
      let before = counts.connections
      if let error = attempt() {
        state.withLock { state in
          if case .refused = error, state.counts.connections == 0 { state.failure = error }
          // Each reason is logged once per outage, even if reasons alternate. A failure is reported
          // by the command.
          if state.failure == nil, reported.insert(error.description).inserted {
            state.remarks.append("\(error); messages are stored in \(state.spool.folder)")
          }
        }
        if failure != nil { break }
      }
      if state.withLock({ $0.isEnding }) { break }
      // After a successful connection the first retry is quick.
      if counts.connections > before {
        pause = .milliseconds(500)
        reported.removeAll()
      }
      var waiter = Poller()
      waiter.add(bell.fileDescriptor)
      _ = try? waiter.wait(until: .now + pause)
      pause = min(pause + pause, .seconds(15))
    }
    state.withLock { $0.hasEnded = true }
  }

  /// Connects, and publishes until the connection or everything ends. Returns the error; `nil`
  /// where the sender has finished.
  private func attempt() -> PublishError? {
    let connection: MQTTConnection
    do throws(PublishError) {
      connection = try MQTTConnection(
        address, name: name, login: login, will: presence.will, inFlight: Self.inFlight)
      try connection.connect(keepAlive: 30)
    } catch { return error }
    var nextSync = Timestamp.now
    var retained = presence.discovery.map { RetainedDiscovery($0) }
    var offered: DiscoveryOffer?
    while true {
      for event in connection.turn(milliseconds: 20) {
        switch event {
        case .entered: enter(connection)
        case .refused(let code): return connection.answer(code)
        case .arrived(let number): state.withLock { Self.arrive(number, &$0) }
        case .lost(let code):
          state.withLock { Self.retire(&$0) }
          return .unreachable(connection.reason(code))
        case .received(let message): retained?.add(message)
        }
      }
      announce(connection, &retained, &offered)
      deliver(connection)
      let now = Timestamp.now
      if now >= nextSync {
        nextSync = now + .seconds(1)
        state.withLock { if !$0.spool.isEmpty { $0.spool.sync() } }
      }
      if isDone(now) {
        takeLeave(connection)
        return nil
      }
    }
  }

  private func enter(_ connection: MQTTConnection) {
    for message in presence.births { _ = connection.publish(message) }
    if let discovery = presence.discovery { connection.subscribe(discovery.filter) }
    state.withLock { state in
      if state.counts.connections > 0 { state.remarks.append("\(address.broker): is back") }
      state.counts.connections += 1
      state.isConnected = true
    }
  }

  private func announce(
    _ connection: MQTTConnection, _ retained: inout RetainedDiscovery?,
    _ offered: inout DiscoveryOffer?
  ) {
    guard let offer = state.withLock({ $0.isConnected ? $0.offer : nil }) else { return }
    if offer != offered {
      for message in offer.messages where offered?.messages.contains(message) != true {
        _ = connection.publish(message)
      }
      offered = offer
    }
    for message in retained?.removals(offer) ?? [] { _ = connection.publish(message) }
  }

  private static func arrive(_ number: Int32, _ state: inout State) {
    // Birth messages have no origin.
    guard let origin = state.window.removeValue(forKey: number) else { return }
    if case .spool(let index) = origin {
      // Messages dropped meanwhile are already counted as such.
      guard state.spool.acknowledge(index) else { return }
    }
    state.counts.arrived += 1
  }

  private func deliver(_ connection: MQTTConnection) {
    while true {
      let item: (Message, Origin)? = state.withLock { state in
        guard state.isConnected, state.window.count < Self.inFlight else { return nil }
        if !state.queue.isEmpty {
          let message = state.queue.removeFirst()
          return (message, .memory(message))
        }
        var lost: UInt64 = 0
        let read = state.spool.read(lost: &lost)
        state.counts.dropped += lost
        Self.report(lost: lost, &state)
        return read.map { ($0.message, .spool($0.index)) }
      }
      guard let (message, origin) = item else { return }
      // Its acknowledgement is handled in this thread's next turn, not earlier.
      let number = connection.publish(message)
      state.withLock { state in
        if let number {
          state.window[number] = origin
        } else if case .memory(let message) = origin {
          Self.store(message, &state)
        }
      }
      // The rest of the spool is read again on the next connection.
      if number == nil { return }
    }
  }

  /// Requeues the messages in flight after their connection ended.
  private static func retire(_ state: inout State) {
    state.isConnected = false
    state.counts.again += UInt64(state.window.count)
    for (_, origin) in state.window.sorted(by: { $0.key < $1.key }) {
      if case .memory(let message) = origin { store(message, &state) }
    }
    state.window.removeAll()
    for message in state.queue { store(message, &state) }
    state.queue.removeAll()
    state.spool.rewind()
  }

  private func isDone(_ now: Timestamp) -> Bool {
    state.withLock { state in
      guard state.isEnding else { return false }
      let isEmpty = state.queue.isEmpty && state.window.isEmpty && state.spool.isEmpty
      return now >= state.deadline || state.isConnected && isEmpty
    }
  }

  private func takeLeave(_ connection: MQTTConnection) {
    let end = Timestamp.now + .milliseconds(500)
    if let number = connection.publish(presence.will) {
      while Timestamp.now < end {
        let events = connection.turn(milliseconds: 20)
        for case .arrived(let other) in events { state.withLock { Self.arrive(other, &$0) } }
        let isOver = events.contains { if case .lost = $0 { true } else { $0 == .arrived(number) } }
        if isOver { break }
      }
    }
    connection.leave()
    _ = connection.turn(milliseconds: 20)
  }
}

extension Timestamp {
  /// The current time on CLOCK_MONOTONIC.
  fileprivate static var now: Timestamp { monotonicNow() }
}
