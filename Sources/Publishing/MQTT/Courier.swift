// SPDX-License-Identifier: Apache-2.0
internal import LinuxBus
package import Quantities
internal import Synchronization

/// Brings messages to a broker, by a thread of its own: the caller never waits for the network.
///
/// While the broker is there messages go through memory; without it they wait in the spool, and go
/// first when it is back. Each counts as arrived when the broker has acknowledged it, so a broker
/// may see one twice that it took and could not acknowledge. At every moment
/// `made + before = arrived + waiting + dropped`.
package final class Courier: Sendable {
  /// Counts of what became of the messages.
  package struct Counts: Equatable, Sendable {
    /// By this process.
    package var made: UInt64 = 0
    /// Left in the spool by a process before, those that the disk lost since included.
    package var before: UInt64 = 0
    /// Acknowledged by the broker.
    package var arrived: UInt64 = 0
    package var waiting: UInt64 = 0
    /// For want of room in the spool, or on its disk, or since the disk lost them.
    package var dropped: UInt64 = 0
    /// Handed over more than once, since a connection ended before they were acknowledged.
    package var again: UInt64 = 0
    package var connections: UInt64 = 0
  }

  /// The messages by which a publisher tells of itself on each connection.
  package struct Presence: Sendable {
    /// Said first, retained.
    package var births: [Message]
    /// Said by the broker when the publisher is gone, and by itself before it goes.
    package var will: Message
    /// The board's entities in Home Assistant, of which the broker may have retained older ones;
    /// `nil`: none are offered or removed.
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

  /// Owned by the mutex.
  private struct State: ~Copyable {
    var spool: Spool
    var counts = Counts()
    /// Not handed over yet, in order.
    var queue: [Message] = []
    /// Handed over and not acknowledged, by the connection's numbers.
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

  /// Messages in flight; the broker acknowledges in less time than it takes to fill it.
  private static let inFlight = 100
  /// Messages in memory while the broker is slow; what is more goes to the disk.
  private static let inMemory = 1000

  private let address: MQTTAddress
  private let login: MQTTLogin
  private let name: String
  private let presence: Presence
  private let state: Mutex<State>
  private let bell: Doorbell

  /// Opens the spool in `folder`, of at most `limit` bytes. `name` is the client's, for the broker.
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
    do throws(OpenError) { bell = try Doorbell() } catch { throw .unreachable("\(error)") }
  }

  /// Begins to connect. Throws `.unreachable` where there is no thread to be had.
  package func start() throws(PublishError) {
    do throws(OpenError) {
      _ = try startThread(name: "otolith mqtt") { [self] in run() }
    } catch { throw .unreachable("\(error)") }
  }

  // MARK: Of the sender

  /// Sends a message, when that can be. Returns at once.
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

  /// Sets the entities that are offered to Home Assistant on this connection and later ones, and
  /// removes what the broker has retained of this board beyond them. Returns at once.
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
      "\(state.spool.folder): messages that waited are damaged or missing; dropped, and counted: "
        + "\(lost)")
  }

  /// The folder where messages wait.
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

  /// Returns what there is to tell since the last call, for people.
  package func takeRemarks() -> [String] {
    state.withLock { state in
      defer { state.remarks.removeAll() }
      return state.remarks
    }
  }

  /// The reason why it has given up; `nil` while it goes on.
  package var failure: PublishError? { state.withLock { $0.failure } }

  /// Waits until all has arrived, for so long at most, takes leave of the broker, and leaves in the
  /// spool what waits.
  package func finish(within limit: TimeSpan) -> Counts {
    let end = Timestamp.now + limit
    state.withLock {
      $0.isEnding = true
      $0.deadline = end
    }
    bell.ring()
    var waiter = Waiter()
    // A connection that hangs in the kernel is left there.
    while !state.withLock({ $0.hasEnded }), Timestamp.now < end + .seconds(1) {
      _ = try? waiter.wait(until: .now + .milliseconds(10))
    }
    state.withLock { state in
      Self.retire(&state)
      state.spool.sync()
    }
    return counts
  }

  // MARK: Of the thread

  private func run() {
    var pause = TimeSpan.milliseconds(500)
    var reported: Set<String> = []
    while true {
      let before = counts.connections
      if let error = attempt() {
        state.withLock { state in
          if case .refused = error, state.counts.connections == 0 { state.failure = error }
          // An outage has one line for each reason, however often they take turns.
          if reported.insert(error.description).inserted {
            state.remarks.append("\(error); messages wait in \(state.spool.folder)")
          }
        }
        if failure != nil { break }
      }
      if state.withLock({ $0.isEnding }) { break }
      // A broker that let it in is worth a quick return.
      if counts.connections > before {
        pause = .milliseconds(500)
        reported.removeAll()
      }
      var waiter = Waiter()
      waiter.add(bell.fileDescriptor)
      _ = try? waiter.wait(until: .now + pause)
      pause = min(pause + pause, .seconds(15))
    }
    state.withLock { $0.hasEnded = true }
  }

  /// Connects, and delivers until the connection or everything ends. Returns what ended it; `nil`:
  /// the sender has.
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
        case .refused(let code): return .refused(connection.answer(code))
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
    // A birth has no origin.
    guard let origin = state.window.removeValue(forKey: number) else { return }
    if case .spool(let index) = origin {
      // What was dropped meanwhile is counted as that.
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
      // Its arrival is told by this thread's next turn, and not before.
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

  /// Takes back what was in flight: its connection has ended.
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
  /// This moment, on CLOCK_MONOTONIC.
  fileprivate static var now: Timestamp { monotonicNow() }
}
