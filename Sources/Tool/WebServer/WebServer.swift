// SPDX-License-Identifier: Apache-2.0
package import LinuxSystem
package import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket
package import Quantities

/// A server for HTTP/1.1 and WebSockets that uses SwiftNIO, on the thread that calls `run`.
///
/// NIO decodes and encodes; the handlers of this target enforce `WebLimits` and the access rules.
/// The loop runs on the calling thread, because NIO ends the process if the thread of an event loop
/// cannot be started.
package final class WebServer {
  package private(set) var access: WebAccess
  package let limits: WebLimits
  package internal(set) var counts = WebCounts()
  let application: any WebApplication

  private var connections: [ConnectionNumber: WebConnection] = [:]
  private var lastNumber: ConnectionNumber = 0
  private var nextCheck = Timestamp.zero
  /// The closed WebSockets about which the application has not been notified yet.
  private var gone: [ConnectionNumber] = []
  private var loop: (any EventLoop)?
  private var timer: (due: Timestamp, task: Scheduled<Void>)?
  private var end = Timestamp.distantFuture
  private var wakeEvent: WakeEvent?

  package init(
    _ application: any WebApplication, access: WebAccess, limits: WebLimits = WebLimits()
  ) {
    self.application = application
    self.access = access
    self.limits = limits
  }

  var now: Timestamp { monotonicNow() }

  // MARK: Functions for the application

  /// Returns the number of bytes queued for a connection.
  package func backlog(of number: ConnectionNumber) -> Int { connections[number]?.backlog ?? 0 }

  /// Queues a message for a client. A client with too many queued bytes is disconnected.
  package func send(_ message: WebSocketMessage, to number: ConnectionNumber) {
    switch message {
    case .text(let text): send(.text, ByteBuffer(string: text), to: number)
    case .binary(let bytes): send(.binary, ByteBuffer(bytes: bytes), to: number)
    }
  }

  /// Queues a text message for a client. The text is encoded only once, even if it is sent to many
  /// clients.
  package func queue(_ text: SharedText, to number: ConnectionNumber) {
    send(.text, text.bytes, to: number)
  }

  package func close(_ number: ConnectionNumber, _ reason: WebSocketClose) {
    guard let connection = connections[number] else { return }
    close(connection, reason.rawValue)
  }

  /// Sends a deferred response. Does nothing if the client has disconnected.
  package func reply(_ answer: HTTPAnswer, to number: ConnectionNumber) {
    connections[number]?.handler?.reply(answer)
  }

  private func send(_ opcode: WebSocketOpcode, _ bytes: ByteBuffer, to number: ConnectionNumber) {
    guard let connection = connections[number], case .webSocket = connection.stage else { return }
    write(WebSocketFrame(fin: true, opcode: opcode, data: bytes), to: connection)
  }

  /// Queues a frame for a client. A client with too many queued bytes is disconnected.
  func write(_ frame: WebSocketFrame, to connection: WebConnection) {
    let sent = connection.channel.eventLoop.makePromise(of: Void.self)
    connection.frames += 1
    sent.futureResult.assumeIsolated().whenComplete { _ in
      connection.frames -= 1
      if case .ending = connection.stage, connection.frames == 0 {
        connection.channel.close(mode: .output, promise: nil)
      }
    }
    connection.channel.pipeline.syncOperations.writeAndFlush(NIOAny(frame), promise: sent)
    if connection.backlog > limits.backlog { close(connection) }
  }

  // MARK: Running

  /// Listens on an address of this machine, and serves until `wakeEvent` is signalled or until the
  /// time that `begin` returns. `begin` is called with the port, because port 0 selects a free
  /// port. `begin` returns `nil` to end immediately.
  package func run(
    at address: ListeningAddress, until wakeEvent: WakeEvent,
    whenListening begin: @escaping (UInt16) -> Timestamp?
  ) throws(WebServerError) {
    self.wakeEvent = wakeEvent
    let failure = Outcome()
    let ending: LoopEnding
    let thread: JoinableThread
    do throws(ResourceError) {
      let made = try LoopEnding(at: wakeEvent)
      ending = made
      thread = try startThread(name: "otolith ending") { made.wait() }
    } catch { throw WebServerError(description: "\(error)") }
    MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { [self] loop in
      self.loop = loop
      ending.take(loop, of: self)
      listen(at: address, on: loop).assumeIsolated().whenComplete { [self] result in
        switch result {
        case .success(let channel):
          let port = UInt16(clamping: channel.localAddress?.port ?? 0)
          access.cookie += "-\(port)"
          guard let end = begin(port) else { return wakeEvent.signal() }
          self.end = end
          schedule()
        case .failure(let error):
          failure.error = address.failure(error)
          wakeEvent.signal()
        }
      }
    }
    thread.join()
    loop = nil
    if let error = failure.error { throw error }
  }

  private final class Outcome { var error: WebServerError? }

  /// Sends a close frame to each WebSocket, and closes all connections.
  func finish() {
    timer?.task.cancel()
    for connection in connections.values {
      close(connection, WebSocketClose.goingAway.rawValue)
      close(connection)
    }
    for number in gone { application.closed(number) }
    gone = []
  }

  private func listen(at address: ListeningAddress, on loop: any EventLoop) -> EventLoopFuture<
    any NIOCore.Channel
  > {
    let server = NIOLoopBound(self, eventLoop: loop)
    return ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 512)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // Accept at most 16 clients at a time, so that new clients do not delay existing ones.
      .serverChannelOption(.maxMessagesPerRead, value: 16)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptHandler(server.value))
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      // Read at most 4096 bytes at a time, so that only few requests wait behind the one that is
      // being answered.
      .childChannelOption(.maxMessagesPerRead, value: 1)
      // Limit the kernel's buffer, because data in it is outdated when it reaches a slow client.
      .childChannelOption(.socketOption(.so_sndbuf), value: 1 << 17)
      .childChannelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try server.value.attach(channel) }
      }
      .bind(to: address.socketAddress)
  }

  /// Schedules the next `tick` of the application. Call this function after anything that may
  /// change the time of that tick.
  func schedule() {
    guard let loop else { return }
    let due = min(application.due, end, max(nextCheck, .zero))
    if let timer {
      guard due < timer.due else { return }
      timer.task.cancel()
    }
    let wait = TimeAmount.nanoseconds(max(0, (due - now).nanoseconds))
    timer = (due, loop.assumeIsolated().scheduleTask(in: wait) { [self] in wake() })
  }

  private func wake() {
    timer = nil
    let now = now
    if now >= end {
      wakeEvent?.signal()
      return
    }
    if now >= nextCheck { check(now) }
    if now >= application.due { application.tick(self) }
    schedule()
  }

  // MARK: Connections

  /// Serves a new connection. `run` calls this function, and so do tests whose channels have no
  /// sockets.
  package func attach(_ channel: any NIOCore.Channel) throws {
    counts.accepted += 1
    lastNumber += 1
    let connection = WebConnection(lastNumber, channel, at: now)
    let pipeline = channel.pipeline.syncOperations
    guard connections.count < limits.connections || evict() else {
      note("connections", "as many are connected as may be")
      try pipeline.addHandlers([
        HTTPResponseEncoder(), SurplusHandler(HTTPAnswer(.unavailable, "too many are connected")),
      ])
      return
    }
    connections[lastNumber] = connection
    var limit = NIOHTTPDecoderLimitConfiguration()
    limit.maxHeaderFieldSize = HTTPRequest.mostHead
    limit.maxHeaderListSize = HTTPRequest.mostHead
    limit.maxHeaderFieldCount = HTTPRequest.mostHeaders
    let handler = HTTPHandler(self, connection)
    connection.handler = handler
    try pipeline.addHandler(ByteCounter(self, connection))
    try pipeline.addHandler(HTTPResponseEncoder())
    try pipeline.addHandler(
      ByteToMessageHandler(
        HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limit),
        maximumBufferSize: 2 * HTTPRequest.mostHead))
    try pipeline.addHandler(HTTPServerPipelineHandler())
    try pipeline.addHandler(handler)
  }

  /// Replaces the HTTP handlers of a connection by those for WebSocket frames.
  func becomeWebSocket(
    _ connection: WebConnection, _ request: HTTPRequest, _ subprotocol: String?
  ) {
    let pipeline = connection.channel.pipeline.syncOperations
    connection.stage = .webSocket
    connection.lastActivity = now
    do {
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
      let order = try pipeline.handler(type: HTTPServerPipelineHandler.self)
      let handler = try pipeline.handler(type: HTTPHandler.self)
      try pipeline.addHandler(WebSocketFrameEncoder())
      try pipeline.addHandler(
        ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketMessage.most)))
      try pipeline.addHandler(WebSocketHandler(self, connection))
      pipeline.removeHandler(encoder, promise: nil)
      pipeline.removeHandler(handler, promise: nil)
      pipeline.removeHandler(order, promise: nil)
      application.opened(connection.number, request, subprotocol, self)
      // Remove NIO's decoder last, because it passes the bytes after the request to the frame
      // decoder.
      pipeline.removeHandler(decoder, promise: nil)
    } catch { return close(connection) }
    schedule()
  }

  /// Closes an idle connection. Returns false if all connections are busy.
  func evict() -> Bool {
    let evicted = connections.values.filter(\.isEvictable).min {
      ($0.wasServed ? 1 : 0, $0.since) < ($1.wasServed ? 1 : 0, $1.since)
    }
    guard let evicted else { return false }
    counts.evicted += 1
    close(evicted)
    return true
  }

  func noteActivity(of connection: WebConnection) {
    let now = now
    connection.lastActivity = now
    connection.wasPinged = false
    if !connection.hasBegun, !connection.isAwaited, !connection.isSending {
      connection.hasBegun = true
      if connection.wasServed { connection.since = now }
    }
  }

  /// Removes a connection whose channel has closed.
  func lost(_ connection: WebConnection) {
    guard connections.removeValue(forKey: connection.number) != nil else { return }
    if case .webSocket = connection.stage { leave(connection) }
  }

  private func close(_ connection: WebConnection) {
    lost(connection)
    connection.channel.close(promise: nil)
  }

  /// Sends a close frame, then closes the connection.
  func close(_ connection: WebConnection, _ status: UInt16) {
    guard case .webSocket = connection.stage else { return }
    end(connection)
    let status = ByteBuffer(bytes: [UInt8(status >> 8), UInt8(status & 0xFF)])
    write(WebSocketFrame(fin: true, opcode: .connectionClose, data: status), to: connection)
  }

  /// Starts the last stage of a connection, after which the connection is closed.
  func end(_ connection: WebConnection) {
    if case .webSocket = connection.stage { leave(connection) }
    connection.stage = .ending
    connection.since = now
  }

  /// Notifies the application about a closed WebSocket, but in a later turn, because the
  /// application may be the caller of this function.
  private func leave(_ connection: WebConnection) {
    gone.append(connection.number)
    guard gone.count == 1 else { return }
    connection.channel.eventLoop.assumeIsolated().execute { [self] in
      let numbers = gone
      gone = []
      for number in numbers { application.closed(number) }
    }
  }

  /// Closes connections whose timeout has passed. The server calls this function twice per second,
  /// and tests call it with times that they choose.
  package func check(_ now: Timestamp) {
    nextCheck = now + .milliseconds(500)
    for connection in connections.values {
      connection.noteProgress(at: now)
      let age = now - connection.since
      switch connection.stage {
      case .request where connection.isAwaited: break
      case .request where connection.isSending || connection.wasServed && !connection.hasBegun:
        if age > limits.idle { close(connection) }
      case .request:
        guard age > limits.request else { break }
        counts.refused["slow", default: 0] += 1
        if connection.hasBegun, let handler = connection.handler {
          handler.conclude(HTTPAnswer(.requestTimeout, "the request took too long"))
        } else {
          close(connection)
        }
      case .webSocket:
        let silence = now - connection.lastActivity
        if silence > limits.silence {
          close(connection)
        } else if !connection.wasPinged, silence > TimeSpan(seconds: limits.silence.seconds / 3) {
          connection.wasPinged = true
          write(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()), to: connection)
        }
      case .ending: if age > .seconds(2) { close(connection) }
      }
    }
    counts.open = connections.count
    counts.webSockets = webSockets
  }

  private var webSockets: Int {
    connections.values.count { if case .webSocket = $0.stage { true } else { false } }
  }

  // MARK: Access

  /// Returns the response to a request that the access rules reject; `nil` if the request is
  /// allowed.
  func refusal(of request: HTTPRequest, _ connection: WebConnection) -> HTTPAnswer? {
    let isWebSocket = WebSocketHandshake.offers(request) != nil
    guard let refusal = access.refusal(of: request, isWebSocket: isWebSocket) else { return nil }
    note(refusal.reason, request.headers[refusal.reason] ?? connection.peer)
    return refusal.answer
  }

  func webSocketRefusal() -> HTTPAnswer? {
    guard webSockets >= limits.webSockets else { return nil }
    note("connections", "too many WebSockets are open")
    return HTTPAnswer(.unavailable, "too many WebSockets are open")
  }

  /// Redirects a request that has the token in its address. The token moves to a cookie that
  /// scripts cannot read, because addresses are visible and are stored in the browser's history.
  func tokenAnswer(_ request: HTTPRequest) -> HTTPAnswer? {
    guard request.method == "GET", request.path == "/", request.value("token") != nil,
      let token = access.token
    else { return nil }
    var answer = HTTPAnswer(.seeOther, headers: [("Location", "/")])
    let rest = "Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
    let value = String(decoding: token, as: UTF8.self)
    answer.headers.append(("Set-Cookie", "\(access.cookie)=\(value); \(rest)"))
    return answer
  }

  func note(_ reason: String, _ detail: String) {
    counts.refused[reason, default: 0] += 1
    application.refused(reason, detail)
  }
}
