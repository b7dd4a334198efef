// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOEmbedded
import Quantities
import WebServer

/// An application that answers each request with its method, path, query and body, and repeats each
/// message.
final class EchoApplication: WebApplication {
  var due = Timestamp.distantFuture
  /// Whether responses wait for `WebServer.reply`.
  var defers = false
  var requests: [HTTPRequest] = []
  var messages: [WebSocketMessage] = []
  var open: Set<ConnectionNumber> = []
  var refusals: [String] = []
  /// The messages that a new WebSocket is sent. The properties below are a function that is called
  /// then, and whether the WebSocket was closed by then.
  var greeting: [WebSocketMessage] = []
  var greeted: () -> Void = {}
  var wasClosedWhenGreeted = false

  func answer(
    _ request: HTTPRequest, from: ConnectionNumber, _ server: WebServer
  ) -> HTTPAnswer? {
    requests.append(request)
    if defers { return nil }
    let text = "\(request.method) \(request.path) \(request.query) "
    return HTTPAnswer(.ok, type: "text/plain", body: Array(text.utf8) + request.body)
  }

  func welcome(_ request: HTTPRequest, offering: [String]) -> WebSocketWelcome {
    request.path == "/live"
      ? .taken(subprotocol: offering.first) : .refused(HTTPAnswer(.notFound, "it is at /live"))
  }
  func opened(_ socket: ConnectionNumber, _: HTTPRequest, _: String?, _ server: WebServer) {
    open.insert(socket)
    guard !greeting.isEmpty else { return }
    for message in greeting { server.send(message, to: socket) }
    wasClosedWhenGreeted = server.backlog(of: socket) == 0
    greeted()
  }
  func received(_ message: WebSocketMessage, from socket: ConnectionNumber, _ server: WebServer) {
    messages.append(message)
    server.send(message, to: socket)
  }
  func closed(_ socket: ConnectionNumber) { open.remove(socket) }
  func tick(_ server: WebServer) {}
  func refused(_ reason: String, _ detail: String) { refusals.append(reason) }
}

/// The connection of a client, without a socket.
struct WebExchange {
  let channel = EmbeddedChannel()

  init(_ server: WebServer) throws {
    try server.attach(channel)
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 40_000), promise: nil)
  }

  var isOpen: Bool { channel.isActive }

  /// Sends bytes. Returns what was sent back since the last call.
  @discardableResult
  func send(_ bytes: [UInt8]) throws -> [UInt8] {
    if channel.isActive { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
    channel.embeddedEventLoop.run()
    return try received()
  }

  func send(_ text: String) throws -> String {
    String(decoding: try send(Array(text.utf8)), as: UTF8.self)
  }

  /// Ends the connection, as a client does.
  func end() {
    channel.close(promise: nil)
    channel.embeddedEventLoop.run()
  }

  func received() throws -> [UInt8] {
    var all: [UInt8] = []
    while let part = try channel.readOutbound(as: IOData.self) {
      guard case .byteBuffer(let buffer) = part else { continue }
      all += buffer.readableBytesView
    }
    return all
  }

  /// The handshake of RFC 6455, section 1.3.
  static let handshake =
    "GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
}

/// Returns a server for the tests, and its application.
func makeServer(_ limits: WebLimits = WebLimits()) -> (WebServer, EchoApplication) {
  let application = EchoApplication()
  return (WebServer(application, access: WebAccess(), limits: limits), application)
}
