// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
package import Quantities
internal import Synchronization

/// A publisher that sends messages to a broker from a separate thread, so that the caller never
/// waits for the network.
///
/// While the broker is connected, messages are queued in memory; otherwise they are stored in the
/// spool, which is sent first after a reconnection. A message counts as arrived once the broker has
/// acknowledged it. If the acknowledgement was lost, the broker receives the message twice. At all
/// times `made + before = arrived + waiting + dropped`.
package final class MQTTPublisher: Sendable {
  /// Counts of messages by outcome.
  package struct Counts: Equatable, Sendable {
    /// The number of messages that this process made.
    package var made: UInt64 = 0
    /// The number of messages that an earlier process left in the spool, including messages that
    /// have since been lost on disk.
    package var before: UInt64 = 0
    /// The number of messages that the broker has acknowledged.
    package var arrived: UInt64 = 0
    package var waiting: UInt64 = 0
    /// The number of messages that were dropped because the spool or its disk was full, or that
    /// were lost on disk.
    package var dropped: UInt64 = 0
    /// The number of messages that were sent again because a connection ended before their
    /// acknowledgement.
    package var again: UInt64 = 0
    package var connections: UInt64 = 0
  }

  /// The messages that announce a publisher on each connection.
  package struct Presence: Sendable {
    /// The retained messages that are published first.
    package var births: [Message]
    /// The message that the broker publishes if the connection is lost. The publisher itself sends
    /// this message before it disconnects.
    package var will: Message
    /// The board's description for Home Assistant; `nil` if no entities are offered or removed.
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
    /// The published but unacknowledged messages, by message identifier.
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

  /// The largest number of unacknowledged messages. Brokers usually acknowledge messages before
  /// this number is reached.
  private static let inFlight = 100
  /// The largest number of messages in memory while the broker is slow. Further messages go to the
  /// spool.
  private static let inMemory = 1000

  private let address: MQTTAddress
  private let login: MQTTLogin
  private let name: String
  private let presence: Presence
  private let state: Mutex<State>
  private let wakeEvent: WakeEvent

  /// Opens the spool in `folder` with at most `limit` bytes. `name` is the MQTT client identifier.
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
    do throws(ResourceError) { wakeEvent = try WakeEvent() } catch {
      throw .unreachable("\(error)")
    }
  }

  /// Starts to connect on a separate thread. Throws `.unreachable` if no thread can be created.
  package func start() throws(PublishError) {
    do throws(ResourceError) {
      _ = try startThread(name: "otolith mqtt") { [self] in run() }
    } catch { throw .unreachable("\(error)") }
  }

  // MARK: For the sender

  /// Queues a message for publishing, without waiting.
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

  /// Sets the entities to offer to Home Assistant on this and later connections, without waiting.
  /// Other entities of this board that the broker has retained are removed.
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

  /// Returns the remarks for the log that were added since the last call.
  package func takeRemarks() -> [String] {
    state.withLock { state in
      defer { state.remarks.removeAll() }
      return state.remarks
    }
  }

  /// The reason why publishing has stopped; `nil` while it continues.
  package var failure: PublishError? { state.withLock { $0.failure } }

  /// Waits at most `limit` until the broker has acknowledged all messages, then disconnects.
  /// Unacknowledged messages stay in the spool.
  package func finish(within limit: TimeSpan) -> Counts {
    let end = Timestamp.now + limit
    state.withLock {
      $0.isEnding = true
      $0.deadline = end
    }
    wakeEvent.signal()
    var poller = Poller()
    // A connection that blocks in the kernel is abandoned after one second.
    while !state.withLock({ $0.hasEnded }), Timestamp.now < end + .seconds(1) {
      _ = try? poller.wait(until: .now + .milliseconds(10))
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
          // Log each reason once per outage, even if reasons alternate. If publishing fails for
          // good, the command itself reports the failure.
          if state.failure == nil, reported.insert(error.description).inserted {
            state.remarks.append("\(error); messages are stored in \(state.spool.folder)")
          }
        }
        if failure != nil { break }
      }
      if state.withLock({ $0.isEnding }) { break }
      // After a successful connection, the first retry comes after 0.5 s.
      if counts.connections > before {
        pause = .milliseconds(500)
        reported.removeAll()
      }
      var poller = Poller()
      poller.add(wakeEvent.fileDescriptor)
      _ = try? poller.wait(until: .now + pause)
      pause = min(pause + pause, .seconds(15))
    }
    state.withLock { $0.hasEnded = true }
  }

  /// Connects, and publishes until the connection ends or `finish` is complete. Returns the error;
  /// `nil` if there was no error.
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
    // Birth messages come neither from memory nor from the spool, so their acknowledgement is not
    // counted.
    guard let origin = state.window.removeValue(forKey: number) else { return }
    if case .spool(let index) = origin, !state.spool.acknowledge(index) {
      // The spool dropped this message in favour of newer messages while it was being sent, but it
      // has arrived nevertheless.
      state.counts.dropped -= min(1, state.counts.dropped)
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
      // This thread handles the acknowledgement only in its next turn, after the following lines
      // have run.
      let number = connection.publish(message)
      state.withLock { state in
        if let number {
          state.window[number] = origin
        } else if case .memory(let message) = origin {
          Self.store(message, &state)
        }
      }
      // If the connection accepts no more messages, the next connection reads the rest of the spool
      // again.
      if number == nil { return }
    }
  }

  /// Requeues the unacknowledged messages after their connection has ended.
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
