// SPDX-License-Identifier: Apache-2.0
import MotionViews
import NIOCore
import NIOEmbedded
import Quantities
import WebServer

/// Handles bytes sent to the port of `serve`: requests, WebSocket frames, and messages of
/// Foxglove's protocol. The answers must not depend on how the bytes are split.
func takeWeb(_ bytes: [UInt8]) {
  let place = bytes.isEmpty ? 0 : Int(bytes[0]) % bytes.count
  for start in ["", handshake] {
    let whole = exchange([Array(start.utf8) + bytes])
    let pieces = exchange([Array(start.utf8), Array(bytes[..<place]), Array(bytes[place...])])
    check(whole == pieces, "answers to pieces are others")
  }
  // The same bytes without the frame around them, which would have to be masked.
  var client = FoxgloveClient()
  _ = client.receive(String(decoding: bytes, as: UTF8.self))
}

private let handshake =
  "GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
  + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"

/// Returns the lengths of the data sent back, without dates, and whether the connection is open.
private func exchange(_ pieces: [[UInt8]]) -> [Int] {
  let application = FoxgloveApplication()
  let server = WebServer(application, access: WebAccess())
  let channel = EmbeddedChannel()
  var sent = 0
  do {
    try server.attach(channel)
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 40_000), promise: nil)
    for piece in pieces where channel.isActive {
      try channel.writeInbound(ByteBuffer(bytes: piece))
      channel.embeddedEventLoop.run()
    }
    while let part = try channel.readOutbound(as: IOData.self) { sent += part.readableBytes }
  } catch { check(false, "an error behind the handlers: \(error)") }
  let ending = [sent, application.requests, application.messages, channel.isActive ? 1 : 0]
  channel.close(promise: nil)
  channel.embeddedEventLoop.run()
  return ending
}

private final class FoxgloveApplication: WebApplication {
  let due = Timestamp.distantFuture
  var requests = 0
  var messages = 0
  private var client = FoxgloveClient()

  func answer(
    _ request: HTTPRequest, from: ConnectionNumber, _ server: WebServer
  ) -> HTTPAnswer? {
    requests += 1
    check(request.body.count <= HTTPRequest.mostBody, "a body of \(request.body.count) bytes")
    _ = (request.words("connection"), request.value("token"))
    return HTTPAnswer(.ok, request.path)
  }
  func welcome(_ request: HTTPRequest, offering: [String]) -> WebSocketWelcome {
    .taken(subprotocol: offering.first)
  }
  func opened(_: ConnectionNumber, _: HTTPRequest, _: String?, _: WebServer) {}
  func received(_ message: WebSocketMessage, from socket: ConnectionNumber, _ server: WebServer) {
    messages += 1
    guard case .text(let text) = message else { return }
    for answer in client.receive(text) {
      check(!answer.isEmpty, "an answer without a word")
      server.send(.text(answer), to: socket)
    }
  }
  func closed(_ socket: ConnectionNumber) {}
  func tick(_ server: WebServer) {}
  func refused(_ reason: String, _ detail: String) {}
}
