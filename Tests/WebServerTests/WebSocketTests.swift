// SPDX-License-Identifier: Apache-2.0
import SeededRandom
import Testing
import WebServer

/// Tests of WebSockets with the examples of RFC 6455, and with what it forbids.
@Suite struct WebSocketTests {
  /// Returns a client's frame with the mask of section 5.7.
  private func frame(_ first: UInt8, _ payload: [UInt8], length: [UInt8]? = nil) -> [UInt8] {
    let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    var bytes: [UInt8] = [first]
    if let length {
      bytes += length
    } else if payload.count < 126 {
      bytes.append(0x80 | UInt8(payload.count))
    } else {
      bytes += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    }
    bytes += mask
    return bytes + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  /// Opens a WebSocket.
  private func open(_ server: WebServer) throws -> WebExchange {
    let exchange = try WebExchange(server)
    let answer = try exchange.send(WebExchange.handshake)
    #expect(answer.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
    return exchange
  }

  @Test func `the handshake is answered as the RFC's example`() throws {
    let (server, application) = makeServer()
    let exchange = try WebExchange(server)
    // The last character of the handshake is the line end of the empty line.
    let answer = try exchange.send(
      WebExchange.handshake.dropLast() + "Sec-WebSocket-Protocol: chat, superChat\r\n\r\n")
    #expect(answer.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    #expect(answer.contains("\r\nSec-WebSocket-Protocol: chat\r\n"))
    #expect(answer.contains("\r\nUpgrade: websocket\r\n"))
    #expect(!answer.contains("Content-Length") && !answer.contains("Transfer-Encoding"))
    #expect(application.open == [1] && exchange.isOpen)
  }

  @Test(arguments: [
    (": 13\r\n", ": 8\r\n", "426"), ("dGhlIHNhbXBsZSBub25jZQ==", "short", "400"),
    ("dGhlIHNhbXBsZSBub25jZQ==", "", "400"), ("/live", "/dead", "404"),
    ("GET", "HEAD", "400"), ("Host: localhost", "Host: evil.example", "421"),
    ("Host: localhost", "Host: localhost\r\nOrigin: http://evil.example", "403"),
  ]) func `a handshake that is invalid or not allowed is refused`(
    _ part: String, _ other: String, _ status: String
  ) throws {
    let (server, application) = makeServer()
    let exchange = try WebExchange(server)
    let answer = try exchange.send(WebExchange.handshake.replacing(part, with: other))
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    #expect(!exchange.isOpen && application.open.isEmpty)
    if status == "426" { #expect(answer.contains("\r\nSec-WebSocket-Version: 13\r\n")) }
  }

  @Test func `a WebSocket may follow requests on the same connection`() throws {
    let (server, application) = makeServer()
    let exchange = try WebExchange(server)
    let answer = try exchange.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    let bytes = Array(WebExchange.handshake.utf8) + frame(0x81, Array("Hello".utf8))
    #expect(try exchange.send(bytes).suffix(7) == [0x81, 0x05] + Array("Hello".utf8))
    #expect(application.open == [1])
  }

  @Test func `the RFC's examples of frames are read`() throws {
    let (server, application) = makeServer()
    let exchange = try open(server)
    // Section 5.7: a masked text, and then the same text in two fragments with a ping between them.
    try exchange.send([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    #expect(application.messages == [.text("Hello")])
    var bytes = frame(0x01, Array("Hel".utf8))
    bytes += frame(0x89, Array("Hello".utf8))
    bytes += frame(0x80, Array("lo".utf8))
    var answer: [UInt8] = []
    for byte in bytes { answer += try exchange.send([byte]) }
    #expect(answer == [0x8A, 0x05] + Array("Hello".utf8) + [0x81, 0x05] + Array("Hello".utf8))
    #expect(application.messages == [.text("Hello"), .text("Hello")])
    let long = [UInt8](repeating: 7, count: 300)
    #expect(try exchange.send(frame(0x82, long)) == [0x82, 0x7E, 0x01, 0x2C] + long)
    #expect(application.messages.last == .binary(long) && exchange.isOpen)
  }

  @Test func `a server's frames are those of the RFC`() throws {
    let (server, _) = makeServer()
    let exchange = try open(server)
    server.queue(SharedText("Hello"), to: 1)
    #expect(try exchange.received() == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    server.send(.binary([UInt8](repeating: 0, count: 256)), to: 1)
    let middle = try exchange.received()
    #expect(middle.prefix(4) == [0x82, 0x7E, 0x01, 0x00] && middle.count == 260)
    server.send(.binary([UInt8](repeating: 0, count: 65_536)), to: 1)
    let long = try exchange.received()
    #expect(long.prefix(10) == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] && long.count == 65_546)
    server.close(1, .tooBig)
    #expect(try exchange.send([]) == [0x88, 0x02, 0x03, 0xF1])
  }

  /// Sections 5.5.1 and 7.4: the answer has the client's status, or the one for the error in its
  /// close frame.
  @Test(
    arguments: [
      ([], 1000), ([0x03, 0xE8], 1000), ([0x03, 0xE9], 1001), ([0x0B, 0xB8], 3000),
      ([0x13, 0x87] + Array("bye".utf8), 4999),
      ([0x03], 1002), ([0x03, 0xE7], 1002), ([0x03, 0xEC], 1002), ([0x03, 0xED], 1002),
      ([0x03, 0xEE], 1002), ([0x03, 0xF7], 1002), ([0x07, 0xD0], 1002), ([0x13, 0x88], 1002),
      ([0x00, 0x00], 1002), ([0x03, 0xE8, 0xC3, 0x28], 1007), ([0x03, 0xE8, 0xC3], 1007),
    ] as [([UInt8], UInt16)]) func `a close frame is answered, then the connection ends`(
      _ payload: [UInt8], _ status: UInt16
    ) throws
  {
    let (server, application) = makeServer()
    let exchange = try open(server)
    // Frames after a close frame are not read.
    let answer = try exchange.send(frame(0x88, payload) + frame(0x81, [0x61]))
    #expect(answer == [0x88, 0x02, UInt8(status >> 8), UInt8(status & 0xFF)])
    #expect(!exchange.isOpen && application.open.isEmpty && application.messages.isEmpty)
  }

  @Test func `what breaks the rules ends the connection`() throws {
    let broken: [([UInt8], WebSocketClose)] = [
      ([0x81, 0x01, 0x61], .protocolError),  // no mask
      (frame(0xC1, [0x61]), .protocolError),  // a bit of an extension
      (frame(0x83, []), .protocolError),  // an unknown opcode
      (frame(0x8B, []), .protocolError),  // an unknown control frame
      (frame(0x80, [0x61]), .protocolError),  // the continuation of no message
      (frame(0x01, [0x61]) + frame(0x81, [0x62]), .protocolError),  // a message within another
      (frame(0x09, []), .protocolError),  // a ping in fragments
      (frame(0x89, [], length: [0xFE, 0x00, 0x80]), .protocolError),  // a ping of 128 bytes
      (frame(0x81, [0xC3, 0x28]), .badText),
      ([0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1], .tooBig),
      ([0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooBig),
    ]
    for (bytes, reason) in broken {
      let (server, application) = makeServer()
      let exchange = try open(server)
      let answer = try exchange.send(bytes + frame(0x81, [0x61]))
      let status = reason.rawValue
      #expect(answer == [0x88, 0x02, UInt8(status >> 8), UInt8(status & 0xFF)], "\(bytes)")
      #expect(!exchange.isOpen && application.messages.isEmpty && application.open.isEmpty)
      #expect(application.refusals == ["frame"] && server.counts.refused["frame"] == 1)
    }
  }

  @Test func `a message in fragments is bounded too`() throws {
    let (server, application) = makeServer()
    let exchange = try open(server)
    let half = [UInt8](repeating: 0, count: 32_768)
    #expect(try exchange.send(frame(0x02, half)).isEmpty)
    try exchange.send(frame(0x80, half))
    #expect(application.messages == [.binary(half + half)])
    try exchange.send(frame(0x02, half + [0]))
    #expect(try exchange.send(frame(0x00, half)) == [0x88, 0x02, 0x03, 0xF1])
  }

  @Test func `no bytes bring the reader down`() throws {
    var random = SplitMix(state: 6455)
    for _ in 0..<800 {
      let (server, application) = makeServer()
      let exchange = try open(server)
      for _ in 0..<4 {
        try exchange.send(
          (0..<Int(random.next() % 40)).map { _ in UInt8(random.next() & 0xFF) })
      }
      #expect(exchange.isOpen || application.open.isEmpty)
      exchange.end()
    }
  }
}
