// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import Runtime
public import LinuxBus
internal import Quantities

/// Serves buses on a unix stream socket, to any number of clients at once. One thread carries out
/// one request after the other, so that transactions of two clients never mix; no client can make
/// it wait.
public struct SocketServer: ~Copyable {
  /// The largest number of clients; any further one is told so and sent away. A process has at
  /// least 1024 descriptors.
  static let mostClients = 256
  /// The longest time for which the target's time may stand still while no client asks for
  /// anything.
  private static let idle = TimeSpan.milliseconds(50)

  private let socket: ListeningSocket
  private var clients: [Client]
  /// Until then no client is let in: there was no room.
  private var closedUntil = Timestamp.zero

  /// Listens at `path`. The socket file of a process that is no more is replaced.
  public init(path: String) throws(SocketError) {
    // Nothing is set before all is there: what throws half made, Swift 6.2 destroys twice.
    let socket = try ListeningSocket(path: path)
    self.socket = socket
    clients = []
  }

  /// Answers from `target` until `bell` rings.
  public mutating func serve(_ target: some BusTarget, until bell: Doorbell) {
    var waits: [pollfd] = []
    var moved = monotonicNow()
    while true {
      waits.removeAll(keepingCapacity: true)
      waits.append(pollfd(fd: bell.fileDescriptor, events: Int16(POLLIN), revents: 0))
      let isOpen = monotonicNow() >= closedUntil
      waits.append(
        pollfd(fd: isOpen ? socket.rawValue : -1, events: Int16(POLLIN), revents: 0))
      for client in clients {
        waits.append(pollfd(fd: client.descriptor.rawValue, events: client.events, revents: 0))
      }
      // A client with whole requests left must not wait for more of them.
      let patience = clients.contains { $0.hasWork } ? 0 : Self.idle.nanoseconds / 1_000_000
      // Written within the call alone.
      let count = unsafe waits.withUnsafeMutableBufferPointer {
        unsafe poll($0.baseAddress, nfds_t($0.count), Int32(patience))
      }
      if count > 0, waits[0].revents != 0 { return }
      for (index, client) in clients.enumerated() {
        // After an interrupted wait nothing is known of any client.
        client.work(count > 0 ? waits[index + 2].revents : 0, target)
      }
      clients.removeAll { $0.isOver }
      if count > 0, waits[1].revents != 0 { admit() }
      let now = monotonicNow()
      if now - moved >= Self.idle {
        target.advance()
        moved = now
      }
    }
  }

  /// Accepts one waiting client.
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

/// A connection.
private final class Client {
  let descriptor: OwnedDescriptor
  private var conversation = BusConversation()
  private var replies: [UInt8] = []
  /// The number of bytes of `replies` that are on their way.
  private var sent = 0
  /// Nothing more will come.
  private var isSilent = false
  /// A whole request may be waiting.
  private(set) var hasWork = false
  /// The connection is of no more use.
  private(set) var isOver = false

  /// While so many bytes of replies wait for a client, it is asked for nothing more.
  private static let most = 65_536
  /// So many requests of one client are answered before the others get their turn.
  private static let turn = 32

  init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  /// The events for which poll(2) is to wake.
  var events: Int16 {
    let wantsMore = !isSilent && !hasWork && !isFull && !conversation.isOver
    return (wantsMore ? Int16(POLLIN) : 0) | (sent < replies.count ? Int16(POLLOUT) : 0)
  }

  private var isFull: Bool { replies.count - sent >= Self.most }

  func work(_ events: Int16, _ target: some BusTarget) {
    if events & Int16(POLLERR | POLLNVAL) != 0 { isOver = true }
    if events & Int16(POLLIN) != 0 { receive() }
    var answered = 0
    hasWork = true
    while hasWork, answered < Self.turn, !isFull {
      hasWork = conversation.answer(from: target, into: &replies)
      answered += 1
    }
    flush()
    // A full client's requests wait until it has read.
    if isFull { hasWork = false }
    if isSilent || conversation.isOver, !hasWork, sent == replies.count { isOver = true }
  }

  /// Tells a client that there are too many.
  func sendAway() {
    BusConversation.refuse(.tooManyClients, &replies)
    flush()
  }

  private func receive() {
    var buffer = InlineArray<8192, UInt8>(repeating: 0)
    var span = buffer.mutableSpan
    // Written within the call alone.
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
      // Read within the call alone; no signal where the client is gone.
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
