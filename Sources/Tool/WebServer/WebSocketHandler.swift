// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOWebSocket
internal import Quantities

/// A handler that assembles the frames of one client into messages, and closes the connection if
/// the frames violate RFC 6455. NIO's decoder, which comes before this handler, limits the size of
/// frames.
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let server: WebServer
  private let connection: WebConnection
  /// The fragments of the message whose last fragment has not arrived yet.
  private var fragments: (isText: Bool, bytes: ByteBuffer)?

  init(_ server: WebServer, _ connection: WebConnection) {
    self.server = server
    self.connection = connection
  }

  func channelInactive(context: ChannelHandlerContext) {
    server.lost(connection)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .webSocket = connection.stage else { return }
    let frame = unwrapInboundIn(data)
    // The reserved bits must be 0, because no extension was negotiated. Clients must mask their
    // frames.
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return fail(.protocolError)
    }
    let bytes = frame.unmaskedData
    switch frame.opcode {
    case .text, .binary, .continuation: take(frame, bytes)
    case .ping:
      guard isWithinRate() else { return }
      // Copy the payload, because a slice would keep the whole receive buffer alive.
      let copy = ByteBuffer(bytes: bytes.readableBytesView)
      server.write(WebSocketFrame(fin: true, opcode: .pong, data: copy), to: connection)
    case .pong: _ = isWithinRate()
    case .connectionClose:
      server.close(connection, WebSocketClose.answer(toClose: Array(bytes.readableBytesView)))
    default: fail(.protocolError)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard case .webSocket = connection.stage, context.channel.isActive else { return }
    switch error as? NIOWebSocketError {
    case .invalidFrameLength?: fail(.tooBig)
    case .fragmentedControlFrame?, .multiByteControlFrameLength?: fail(.protocolError)
    case nil: context.close(promise: nil)  // The connection is broken.
    }
  }

  private func take(_ frame: WebSocketFrame, _ bytes: ByteBuffer) {
    guard (frame.opcode == .continuation) == (fragments != nil) else {
      return fail(.protocolError)
    }
    var whole = fragments ?? (frame.opcode == .text, ByteBuffer())
    guard whole.bytes.readableBytes + bytes.readableBytes <= WebSocketMessage.most else {
      return fail(.tooBig)
    }
    // Copy the payload, because a slice would keep the whole receive buffer alive.
    fragments = nil
    whole.bytes.writeImmutableBuffer(bytes)
    guard frame.fin else {
      fragments = whole
      return
    }
    guard isWithinRate() else { return }
    guard whole.isText else { return deliver(.binary(Array(whole.bytes.readableBytesView))) }
    guard let text = String(validating: whole.bytes.readableBytesView, as: UTF8.self) else {
      return fail(.badText)
    }
    deliver(.text(text))
  }

  private func deliver(_ message: WebSocketMessage) {
    server.application.received(message, from: connection.number, server)
    server.schedule()
  }

  /// Counts a message. Closes the connection if the client sends too many messages.
  private func isWithinRate() -> Bool {
    let now = server.now
    if now - connection.messages.since > .seconds(10) { connection.messages = (now, 0) }
    connection.messages.count += 1
    if connection.messages.count <= server.limits.messages * 10 { return true }
    server.note("messages", connection.peer)
    server.close(connection, WebSocketClose.policy.rawValue)
    return false
  }

  private func fail(_ reason: WebSocketClose) {
    server.note("frame", connection.peer)
    server.close(connection, reason.rawValue)
  }
}
