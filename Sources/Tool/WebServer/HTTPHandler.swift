// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// A handler that answers the requests of one connection, one at a time and in order.
///
/// NIO's pipeline handler delivers the next request only after the end of a response was written,
/// and the end is written only after the client has received the response. Neither requests nor
/// responses can therefore accumulate.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let server: WebServer
  private let connection: WebConnection
  /// The request that is being received or answered, and its head as decoded by NIO.
  private var request: HTTPRequest?
  private var head: HTTPRequestHead?
  private var context: ChannelHandlerContext?

  init(_ server: WebServer, _ connection: WebConnection) {
    self.server = server
    self.connection = connection
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelInactive(context: ChannelHandlerContext) {
    server.lost(connection)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .request = connection.stage else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head)
    case .body(let bytes):
      // The body cannot be longer than the length in the head, which was checked.
      request?.body += bytes.readableBytesView
    case .end: if let request { take(request) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard case .request = connection.stage, context.channel.isActive else { return }
    guard error is HTTPParserError || error is ByteToMessageDecoderError.PayloadTooLargeError else {
      // The connection is broken, so no response can be sent.
      return context.close(promise: nil)
    }
    let status: HTTPStatus =
      switch error as? HTTPParserError {
      case .headerOverflow?, nil: .headersTooLarge
      case .invalidVersion?: .versionNotSupported
      default: .badRequest
      }
    refuse(status)
  }

  // MARK: Requests

  private func begin(_ head: HTTPRequestHead) {
    do throws(HTTPRequest.Refusal) {
      let request = try HTTPRequest(head)
      server.counts.requests += 1
      (self.request, self.head) = (request, head)
      if let refusal = server.refusal(of: request, connection) { return conclude(refusal) }
      guard request.awaitsContinue, head.version == .http1_1 else { return }
      let answer = HTTPResponseHead(version: .http1_1, status: .continue)
      context?.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
    } catch { refuse(error.status) }
  }

  private func refuse(_ status: HTTPStatus) {
    server.note("malformed", connection.peer)
    let words = HTTPResponseStatus(statusCode: status.rawValue).reasonPhrase
    conclude(HTTPAnswer(status, words))
  }

  private func take(_ request: HTTPRequest) {
    connection.hasBegun = false
    connection.wasServed = true
    if let offers = WebSocketHandshake.offers(request) { return open(request, offers) }
    if let answer = server.tokenAnswer(request) { return send(answer) }
    connection.isAwaited = true
    if let answer = server.application.answer(request, from: connection.number, server) {
      reply(answer)
    }
    server.schedule()
  }

  /// Sends the application's response. Does nothing if no request waits for a response.
  func reply(_ answer: HTTPAnswer) {
    guard connection.isAwaited else { return }
    connection.isAwaited = false
    send(answer)
  }

  // MARK: Responses

  private func send(_ answer: HTTPAnswer) {
    guard let context, let request, request.keepsAlive else { return conclude(answer) }
    self.request = nil
    connection.since = server.now
    connection.isSending = true
    write(answer, keepsAlive: true, withoutBody: request.method == "HEAD").assumeIsolated()
      .whenComplete { [connection, server] _ in
        connection.isSending = false
        connection.since = server.now
        // Write the end of the response in a later turn of the event loop. The end lets the next
        // request through, and nested calls for thousands of requests would exhaust the stack.
        context.eventLoop.assumeIsolated().execute {
          context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }
      }
    context.flush()
  }

  /// Sends a final response, then closes the connection.
  func conclude(_ answer: HTTPAnswer) {
    guard case .request = connection.stage else { return }
    connection.isAwaited = false
    server.end(connection)
    write(answer, keepsAlive: false, withoutBody: request?.method == "HEAD").assumeIsolated()
      .whenComplete { [connection] _ in connection.channel.close(mode: .output, promise: nil) }
    context?.flush()
  }

  /// Writes head and body. The returned future completes when the client has received them.
  private func write(
    _ answer: HTTPAnswer, keepsAlive: Bool, withoutBody: Bool
  ) -> EventLoopFuture<Void> {
    let done = connection.channel.eventLoop.makePromise(of: Void.self)
    guard let context else {
      done.succeed()
      return done.futureResult
    }
    let head = HTTPServerResponsePart.head(answer.head(keepsAlive: keepsAlive))
    let isEmpty = withoutBody || answer.body.isEmpty
    context.write(wrapOutboundOut(head), promise: isEmpty ? done : nil)
    if !isEmpty {
      let body = context.channel.allocator.buffer(bytes: answer.body)
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: done)
    }
    return done.futureResult
  }

  // MARK: WebSockets

  private func open(_ request: HTTPRequest, _ offers: [String]) {
    guard let head, let context else { return }
    if let refusal = server.webSocketRefusal() ?? WebSocketHandshake.refusal(request) {
      return conclude(refusal)
    }
    let subprotocol: String?
    switch server.application.welcome(request, offering: offers) {
    case .refused(let answer): return conclude(answer)
    case .taken(let chosen): subprotocol = chosen
    }
    var answer = HTTPAnswer(.switchingProtocols)
    if let subprotocol { answer.headers.append(("Sec-WebSocket-Protocol", subprotocol)) }
    let headers = answer.head(keepsAlive: true).headers
    // NIO's upgrader computes the accepted key. Both futures are already complete when they are
    // returned.
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(headers) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    upgrader.buildUpgradeResponse(
      channel: context.channel, upgradeRequest: head, initialResponseHeaders: HTTPHeaders()
    ).assumeIsolated().whenComplete { [self] result in
      guard case .success(let headers) = result else {
        return conclude(HTTPAnswer(.badRequest, "this is not a WebSocket handshake"))
      }
      let response = HTTPResponseHead(
        version: .http1_1, status: .switchingProtocols, headers: headers)
      context.writeAndFlush(wrapOutboundOut(.head(response)), promise: nil)
      server.becomeWebSocket(connection, request, subprotocol)
    }
  }
}
