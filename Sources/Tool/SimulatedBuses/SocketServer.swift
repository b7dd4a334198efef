// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Runtime
package import LinuxSystem
internal import Quantities

/// A server that offers simulated buses to several clients on a Unix stream socket. One thread
/// executes the requests one after another, so that transactions of two clients never mix. No
/// client can block this thread.
package struct SocketServer: ~Copyable {
  /// The largest number of clients. Further clients get an error and are disconnected. A process
  /// usually has 1024 descriptors.
  static let mostClients = 256
  /// The longest time between two advances of the target if no request arrives.
  private static let idle = TimeSpan.milliseconds(50)

  private let socket: ListeningSocket
  private var clients: [Client]
  /// The time until which no client is accepted after the process has run out of descriptors.
  private var closedUntil = Timestamp.zero

  /// Listens at `path`. If a process that no longer exists has left a socket file there, the file
  /// is replaced.
  package init(path: String) throws(SocketError) {
    // Create all values before setting the fields, because Swift 6.2 destroys the fields of a
    // partially initialised noncopyable struct twice if its initialiser throws.
    let socket = try ListeningSocket(path: path)
    self.socket = socket
    clients = []
  }

  /// Serves the buses of `target` until `wakeEvent` is signalled.
  package mutating func serve(_ target: some BusTarget, until wakeEvent: WakeEvent) {
    var poller = Poller()
    let end = poller.add(wakeEvent.fileDescriptor)
    let arrivals = poller.add(socket.rawValue)
    // The poller of this call does not contain the clients of an earlier call yet.
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
      // Do not wait for data if a client already has a complete request pending.
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
  /// The client's index in the server's poller; `nil` before the first wait for the client.
  var place: Int?
  private var conversation = BusConversation()
  private var replies: [UInt8] = []
  /// The number of bytes of `replies` that are already sent.
  private var sent = 0
  /// True once the client has closed its sending side.
  private var isSilent = false
  /// True if a complete request may be pending.
  private(set) var hasWork = false
  /// True if the connection can be closed.
  private(set) var isOver = false

  /// The largest number of unsent reply bytes. Above this number no more requests are read.
  private static let most = 65_536
  /// The number of requests from one client that are answered before the requests of other clients.
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
    // If the client has too many unsent replies, its requests wait until the client has read some
    // of them.
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
    // `recv` writes to the buffer only during the call.
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
      // `send` reads the buffer only during the call. MSG_NOSIGNAL avoids SIGPIPE if the client has
      // disconnected.
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
