// SPDX-License-Identifier: Apache-2.0
internal import FlyingSocks
internal import Foundation
internal import Glibc
package import LinuxSystem
package import Quantities

/// Serves HTTP/1.1 and WebSockets on one thread, with non-blocking sockets.
///
/// It uses only the sockets of FlyingFox (FlyingSocks). FlyingFox's server limits neither the
/// number of connections nor the size of a request's head, has no timeout for the head, stops when
/// `accept` runs out of descriptors, and accepts WebSocket frames of any length.
package final class WebServer {
  package let access: WebAccess
  package let limits: WebLimits
  package private(set) var counts = WebCounts()
  /// The port that it listens on.
  package let port: UInt16

  private let listener: Socket
  private var connections: [ConnectionNumber: WebConnection] = [:]
  private var lastNumber: ConnectionNumber = 0
  /// No connection is accepted until this time, because descriptors ran out.
  private var nextAccept = Timestamp.zero
  private var nextCheck = Timestamp.zero
  /// Closed connections of which the application was not notified yet.
  private var gone: [ConnectionNumber] = []

  /// Listens on an address of this machine; port 0 selects a free one.
  package init(
    address: String, port: UInt16, access: WebAccess, limits: WebLimits = WebLimits()
  ) throws(WebServerError) {
    self.limits = limits
    (listener, self.port) = try ListeningAddress.open(address, port)
    var access = access
    access.cookie += "-\(self.port)"
    self.access = access
  }

  /// Serves until `bell` is signalled or `end` has passed.
  package func run(
    _ application: any WebApplication, until bell: WakeEvent,
    orUntil end: Timestamp = .distantFuture
  ) {
    while monotonicNow() < end {
      wait(until: min(application.due, end), bell)
      if bell.drain() > 0 { break }
      let now = monotonicNow()
      serve(application, now)
      if now >= nextCheck { check(now) }
      tell(application)
      if now >= application.due { application.tick(self) }
      tell(application)
    }
    for number in connections.keys {
      if connections[number]?.isWebSocket == true {
        connections[number]?.queue(WebSocketFrame.close(.goingAway))
        _ = connections[number]?.flush(&counts.bytesSent, at: monotonicNow())
      }
      close(number)
    }
    tell(application)
    try? listener.close()
  }

  // MARK: Functions for the application

  /// Returns the number of bytes queued for a connection.
  package func backlog(of number: ConnectionNumber) -> Int {
    connections[number]?.outbox.count ?? 0
  }

  /// Queues a message; a client with too many queued bytes is disconnected.
  package func send(_ message: WebSocketMessage, to number: ConnectionNumber) {
    queue(WebSocketFrame.bytes(message), to: number)
  }

  /// Queues a frame that was encoded once for many clients.
  package func queue(_ frame: [UInt8], to number: ConnectionNumber) {
    guard var connection = connections[number], connection.isWebSocket else { return }
    connection.queue(frame)
    let progress = connection.flush(&counts.bytesSent, at: monotonicNow())
    connections[number] = connection
    if progress == .gone || connection.outbox.count > limits.backlog { close(number) }
  }

  package func close(_ number: ConnectionNumber, _ reason: WebSocketClose) {
    guard connections[number]?.isWebSocket == true else { return }
    connections[number]?.queue(WebSocketFrame.close(reason))
    end(number)
  }

  // MARK: Waiting

  private func wait(until due: Timestamp, _ bell: WakeEvent) {
    let now = monotonicNow()
    var waits = [pollfd(fd: bell.fileDescriptor, events: Int16(POLLIN), revents: 0)]
    waits.append(
      pollfd(fd: listener.file.rawValue, events: now < nextAccept ? 0 : Int16(POLLIN), revents: 0))
    for connection in connections.values {
      let events = (connection.wantsToRead ? POLLIN : 0) | (connection.wantsToWrite ? POLLOUT : 0)
      waits.append(pollfd(fd: connection.descriptor, events: Int16(events), revents: 0))
    }
    let milliseconds = ((due - now).seconds * 1000).rounded(.up)
    let timeout = Int32(min(max(milliseconds, 0), 500))
    _ = unsafe poll(&waits, nfds_t(waits.count), timeout)  // used within the call
    ready = Set(waits.dropFirst(2).filter { $0.revents != 0 }.map(\.fd))
    isCalled = waits[1].revents != 0
  }
  private var ready: Set<Int32> = []
  private var isCalled = false

  private func serve(_ application: any WebApplication, _ now: Timestamp) {
    for (number, connection) in connections where ready.contains(connection.descriptor) {
      if connection.wantsToWrite { flush(number, now) }
      if connections[number]?.wantsToRead == true { read(number, application, now) }
    }
    if isCalled { accept(application, now) }
  }

  // MARK: Connections

  private func accept(_ application: any WebApplication, _ now: Timestamp) {
    // A limited number at a time, so that new clients do not delay the existing ones.
    for _ in 0..<64 {
      let socket: Socket
      do { socket = Socket(file: try listener.accept().file) } catch FlyingSocks.SocketError.blocked {
        return
      } catch FlyingSocks.SocketError.failed(_, let number, _)
        where [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number)
      {
        refuse("descriptors", "no descriptor is left", application)
        // Accepted with the descriptor of the evicted connection.
        if number == EMFILE, evict() { continue }
        nextAccept = now + .milliseconds(100)
        return
      } catch { continue }  // The client disconnected.
      counts.accepted += 1
      do {
        try socket.setFlags(.nonBlocking)
        try socket.setValue(
          true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        // Data in the kernel's buffer for a slow client is outdated on arrival.
        try socket.setValue(1 << 17, for: Int32SocketOption(name: SO_SNDBUF))
      } catch {
        try? socket.close()
        continue
      }
      guard connections.count < limits.connections || evict() else {
        refuse("connections", "as many are connected as may be", application)
        let answer = HTTPAnswer(.unavailable, "too many are connected")
        _ = try? socket.write(Data(answer.bytes(keepsAlive: false)))
        try? socket.close()
        continue
      }
      lastNumber += 1
      connections[lastNumber] = WebConnection(
        lastNumber, socket, peer: Self.name(of: socket), at: now)
      read(lastNumber, application, now)
    }
  }

  /// Closes an idle connection; returns false where all are busy.
  private func evict() -> Bool {
    let stalest = connections.values.filter(\.isEvictable).min {
      ($0.wasServed ? 1 : 0, $0.since) < ($1.wasServed ? 1 : 0, $1.since)
    }
    guard let stalest else { return false }
    counts.evicted += 1
    close(stalest.number)
    return true
  }

  private func close(_ number: ConnectionNumber) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    try? connection.socket.close()
    if connection.isWebSocket { gone.append(number) }
  }

  /// Sends the pending bytes, then closes.
  private func end(_ number: ConnectionNumber) {
    guard let connection = connections[number] else { return }
    if connection.isWebSocket { gone.append(number) }
    connections[number]?.stage = .ending
    connections[number]?.since = monotonicNow()
    flush(number, monotonicNow())
  }

  private func flush(_ number: ConnectionNumber, _ now: Timestamp) {
    guard var connection = connections[number] else { return }
    let progress = connection.flush(&counts.bytesSent, at: now)
    if progress == .going, case .ending = connection.stage {
      _ = shutdown(connection.descriptor, Int32(SHUT_WR))
      connection.stage = .ended
    }
    connections[number] = connection
    if progress == .gone { close(number) }
  }

  /// Closes connections after their timeout.
  private func check(_ now: Timestamp) {
    nextCheck = now + .milliseconds(500)
    for (number, connection) in connections {
      let age = now - connection.since
      switch connection.stage {
      case .request where connection.awaited != nil: break
      case .request where connection.wasServed && connection.inbox.isEmpty:
        if age > limits.idle { close(number) }
      case .request:
        guard age > limits.request else { break }
        counts.refused["slow", default: 0] += 1
        if connection.inbox.isEmpty || connection.wantsToWrite {
          close(number)
        } else {
          conclude(number, HTTPAnswer(.requestTimeout, "the request took too long"))
        }
      case .webSocket:
        let silence = now - connection.heard
        if silence > limits.silence {
          close(number)
        } else if !connection.wasPinged,
          silence > TimeSpan(seconds: limits.silence.seconds / 3)
        {
          connections[number]?.wasPinged = true
          queue(WebSocketFrame.ping(), to: number)
        }
      case .ending, .ended: if age > .seconds(2) { close(number) }
      }
    }
    counts.open = connections.count
    counts.webSockets = connections.values.count(where: \.isWebSocket)
  }

  private func tell(_ application: any WebApplication) {
    let numbers = gone
    gone = []
    for number in numbers { application.closed(number) }
  }

  private static func name(of socket: Socket) -> String {
    switch try? socket.remotePeer() {
    case .ip4(let address, _), .ip6(let address, _): address
    case .unix, nil: "?"
    }
  }

  // MARK: Requests and messages

  private func read(
    _ number: ConnectionNumber, _ application: any WebApplication, _ now: Timestamp
  ) {
    guard let bytes = connections[number]?.received() else { return close(number) }
    guard !bytes.isEmpty else { return }
    switch connections[number]?.stage {
    case .request:
      connections[number]?.inbox += bytes
      answer(number, application, now)
    case .webSocket: take(bytes, number, application, now)
    case .ending, .ended, nil: break
    }
  }

  private func answer(
    _ number: ConnectionNumber, _ application: any WebApplication, _ now: Timestamp
  ) {
    while let connection = connections[number], case .request = connection.stage,
      connection.outbox.isEmpty, connection.awaited == nil
    {
      switch HTTPParser.parse(connection.inbox) {
      case .incomplete: return
      case .refused(let status):
        refuse("malformed", connection.peer, application)
        return conclude(number, HTTPAnswer(status, status.words))
      case .request(let request, let length):
        counts.requests += 1
        connections[number]?.inbox.removeFirst(length)
        connections[number]?.wasServed = true
        connections[number]?.since = now
        answer(request, number, application, now)
      }
    }
  }

  private func answer(
    _ request: HTTPRequest, _ number: ConnectionNumber, _ application: any WebApplication,
    _ now: Timestamp
  ) {
    let offers = WebSocketHandshake.offers(request)
    if let refusal = access.refusal(of: request, isWebSocket: offers != nil) {
      let detail = request.headers[refusal.reason] ?? connections[number]?.peer ?? ""
      refuse(refusal.reason, detail, application)
      return conclude(number, refusal.answer)
    }
    if let offers { return open(request, offers, number, application, now) }
    if request.method == "GET", request.path == "/", request.value("token") != nil,
      let token = access.token
    {
      // Moves the token from the address, which is visible and stored in the history, to a cookie
      // that scripts cannot read.
      var answer = HTTPAnswer(.seeOther, headers: [("Location", "/")])
      let rest = "Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
      let value = String(decoding: token, as: UTF8.self)
      answer.headers.append(("Set-Cookie", "\(access.cookie)=\(value); \(rest)"))
      send(answer, to: request, number, now)
    } else if let answer = application.answer(request, from: number, self) {
      send(answer, to: request, number, now)
    } else {
      connections[number]?.awaited = request
    }
  }

  private func send(
    _ answer: HTTPAnswer, to request: HTTPRequest, _ number: ConnectionNumber, _ now: Timestamp
  ) {
    guard request.keepsAlive else {
      return conclude(number, answer, withoutBody: request.method == "HEAD")
    }
    connections[number]?.queue(
      answer.bytes(keepsAlive: true, withoutBody: request.method == "HEAD"))
    flush(number, now)
  }

  /// Sends a deferred response; does nothing where the client is gone.
  package func reply(
    _ answer: HTTPAnswer, to number: ConnectionNumber, for application: any WebApplication
  ) {
    guard let request = connections[number]?.awaited else { return }
    let now = monotonicNow()
    connections[number]?.awaited = nil
    connections[number]?.since = now
    send(answer, to: request, number, now)
    // The next request may already be pending.
    self.answer(number, application, now)
  }

  private func conclude(
    _ number: ConnectionNumber, _ answer: HTTPAnswer, withoutBody: Bool = false
  ) {
    connections[number]?.queue(answer.bytes(keepsAlive: false, withoutBody: withoutBody))
    end(number)
  }

  private func open(
    _ request: HTTPRequest, _ offers: [String], _ number: ConnectionNumber,
    _ application: any WebApplication, _ now: Timestamp
  ) {
    guard connections.values.count(where: \.isWebSocket) < limits.webSockets else {
      refuse("connections", "as many WebSockets are open as may be", application)
      return conclude(number, HTTPAnswer(.unavailable, "too many WebSockets are open"))
    }
    switch application.welcome(request, offering: offers) {
    case .refused(let answer): conclude(number, answer)
    case .taken(let subprotocol):
      let answer = WebSocketHandshake.answer(request, choosing: subprotocol)
      guard answer.status == .switchingProtocols else { return conclude(number, answer) }
      connections[number]?.queue(answer.bytes(keepsAlive: true))
      connections[number]?.stage = .webSocket(WebSocketReader())
      connections[number]?.heard = now
      let rest = connections[number]?.inbox ?? []
      connections[number]?.inbox = []
      flush(number, now)
      application.opened(number, request, subprotocol, self)
      if !rest.isEmpty { take(rest, number, application, now) }
    }
  }

  private func take(
    _ bytes: [UInt8], _ number: ConnectionNumber, _ application: any WebApplication,
    _ now: Timestamp
  ) {
    guard var connection = connections[number], case .webSocket(var reader) = connection.stage
    else { return }
    let events = reader.read(bytes)
    connection.stage = .webSocket(reader)
    connection.heard = now
    connection.wasPinged = false
    if now - connection.messages.since > .seconds(10) { connection.messages = (now, 0) }
    connection.messages.count += events.count
    connections[number] = connection
    guard connection.messages.count <= limits.messages * 10 else {
      refuse("messages", connection.peer, application)
      return close(number, .policy)
    }
    for event in events {
      guard connections[number]?.isWebSocket == true else { return }
      switch event {
      case .message(let message): application.received(message, from: number, self)
      case .ping(let payload): queue(WebSocketFrame.bytes(opcode: 10, payload), to: number)
      case .pong: break
      case .close: close(number, .normal)
      case .failure(let reason):
        refuse("frame", connection.peer, application)
        close(number, reason)
      }
    }
  }

  private func refuse(_ reason: String, _ detail: String, _ application: any WebApplication) {
    counts.refused[reason, default: 0] += 1
    application.refused(reason, detail)
  }
}
