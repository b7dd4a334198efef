// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Runtime
package import LinuxSystem
internal import Quantities

/// Serves buses on a Unix stream socket to any number of clients. One thread executes one request
/// after the other, so that transactions of two clients never mix; no client can block it.
package struct SocketServer: ~Copyable {
  /// The maximum number of clients; further ones get an error and are disconnected. A process has
  /// at least 1024 descriptors.
  static let mostClients = 256
  /// The longest time between two advances of the target while idle.
  private static let idle = TimeSpan.milliseconds(50)

  private let socket: ListeningSocket
  private var clients: [Client]
  /// No client is accepted until this time, because descriptors ran out.
  private var closedUntil = Timestamp.zero

  /// Listens at `path`. Replaces the socket file of a process that no longer exists.
  package init(path: String) throws(SocketError) {
    // All values are created before the fields are set: Swift 6.2 destroys the fields of a
    // partially initialised struct twice on a throw.
    let socket = try ListeningSocket(path: path)
    self.socket = socket
    clients = []
  }

  /// Serves `target` until `bell` is signalled.
  package mutating func serve(_ target: some BusTarget, until bell: WakeEvent) {
    var poller = Poller()
    let end = poller.add(bell.fileDescriptor)
    let arrivals = poller.add(socket.rawValue)
    // Clients of an earlier call.
    for client in clients { client.place = nil }
    var moved = monotonicNow()
    while true {
      var now = monotonicNow()
      poller.change(arrivals, to: now >= closedUntil ? .readable : [])
      for client in clients {
        if let place = client.place {
          poller.change(place, to: client.events)
        } else {
          client.place = poller.add(client.descriptor.rawValue, for: client.events)
        }
      }
      // A client with complete pending requests must not wait for more data.
      let isBusy = clients.contains { $0.hasWork }
      _ = try? poller.wait(until: isBusy ? now : now + Self.idle)
      if !poller.events(of: end).isEmpty { return }
      for client in clients {
        client.work(client.place.map { poller.events(of: $0) } ?? [], target)
        if client.isOver, let place = client.place { poller.remove(place) }
      }
      clients.removeAll { $0.isOver }
      if !poller.events(of: arrivals).isEmpty { admit() }
      now = monotonicNow()
      if now - moved >= Self.idle {
        target.advance()
        moved = now
      }
    }
  }

  private mutating func admit() {
    switch socket.accept() {
    case .client(let descriptor):
      let client = Client(descriptor)
      if clients.count < Self.mostClients { clients.append(client) } else { client.sendAway() }
    case .nobody: break
    case .noRoom: closedUntil = monotonicNow() + .milliseconds(100)
    }
  }
}

private final class Client {
  let descriptor: OwnedDescriptor
  /// Its index in the server's poller; `nil` before its first wait.
  var place: Int?
  private var conversation = BusConversation()
  private var replies: [UInt8] = []
  /// The number of bytes of `replies` already sent.
  private var sent = 0
  /// True once the client has closed its sending side.
  private var isSilent = false
  /// True if a complete request may be pending.
  private(set) var hasWork = false
  /// True if the connection can be closed.
  private(set) var isOver = false

  /// Reading pauses while this many bytes of replies are unsent.
  private static let most = 65_536
  /// The number of one client's requests to answer before the other clients' turn.
  private static let turn = 32

  init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  var events: PollEvents {
    let wantsMore = !isSilent && !hasWork && !isFull && !conversation.isOver
    return (wantsMore ? PollEvents.readable : []).union(sent < replies.count ? .writable : [])
  }

  private var isFull: Bool { replies.count - sent >= Self.most }

  func work(_ events: PollEvents, _ target: some BusTarget) {
    if events.contains(.broken) { isOver = true }
    if events.contains(.readable) { receive() }
    var answered = 0
    hasWork = true
    while hasWork, answered < Self.turn, !isFull {
      hasWork = conversation.answer(from: target, into: &replies)
      answered += 1
    }
    flush()
    // The requests of a client with too many unsent replies wait until it has read.
    if isFull { hasWork = false }
    if isSilent || conversation.isOver, !hasWork, sent == replies.count { isOver = true }
  }

  func sendAway() {
    BusConversation.refuse(.tooManyClients, &replies)
    flush()
  }

  private func receive() {
    var buffer = InlineArray<8192, UInt8>(repeating: 0)
    var span = buffer.mutableSpan
    // Written only within the call.
    let count = unsafe span.withUnsafeMutableBytes {
      unsafe recv(descriptor.rawValue, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
    }
    if count > 0 {
      conversation.take(buffer.span.extracting(first: count))
    } else if count == 0 {
      isSilent = true
    } else if errno != EAGAIN, errno != EINTR {
      isOver = true
    }
  }

  private func flush() {
    while sent < replies.count {
      let start = sent
      // Read only within the call; no SIGPIPE where the client is gone.
      let count = unsafe replies.withUnsafeBytes {
        unsafe send(
          descriptor.rawValue, $0.baseAddress?.advanced(by: start), $0.count - start,
          Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))  // as above
      }
      guard count > 0 else {
        if count < 0, errno != EAGAIN, errno != EINTR { isOver = true }
        break
      }
      sent += count
    }
    if sent == replies.count {
      replies.removeAll(keepingCapacity: replies.capacity <= Self.most)
      sent = 0
    }
  }
}
