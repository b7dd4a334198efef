// SPDX-License-Identifier: Apache-2.0
import SeededRandom
import Testing
import WebServer

/// RFC 6455: its own examples, and what it forbids.
@Suite struct WebSocketTests {
  /// A client's frame with the mask of section 5.7.
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

  @Test func `the handshake is answered as the RFC's example`() {
    let request = HTTPRequest(
      path: "/chat",
      headers: [
        "upgrade": "WebSocket", "connection": "keep-alive, Upgrade",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-version": "13",
        "sec-websocket-protocol": "chat, superChat",
      ])
    #expect(WebSocketHandshake.offers(request) == ["chat", "superChat"])
    let answer = WebSocketHandshake.answer(request, choosing: "superChat")
    #expect(answer.status == .switchingProtocols)
    #expect(
      answer.headers.contains {
        $0.name == "Sec-WebSocket-Accept" && $0.value == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
      })
    #expect(
      answer.headers.contains { $0.name == "Sec-WebSocket-Protocol" && $0.value == "superChat" })
    var other = request
    other.headers["sec-websocket-version"] = "8"
    #expect(WebSocketHandshake.answer(other, choosing: nil).status == .upgradeRequired)
    other = request
    other.headers["sec-websocket-key"] = "short"
    #expect(WebSocketHandshake.answer(other, choosing: nil).status == .badRequest)
    other.headers["upgrade"] = nil
    #expect(WebSocketHandshake.offers(other) == nil)
  }

  @Test func `the RFC's examples of frames are read`() {
    var reader = WebSocketReader()
    // 5.7: a masked text, then the same in two fragments with a ping between.
    #expect(
      reader.read([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        == [.message(.text("Hello"))])
    var bytes = frame(0x01, Array("Hel".utf8))
    bytes += frame(0x89, Array("Hello".utf8))
    bytes += frame(0x80, Array("lo".utf8))
    var events: [WebSocketReader.Event] = []
    for byte in bytes { events += reader.read([byte]) }
    #expect(events == [.ping(Array("Hello".utf8)), .message(.text("Hello"))])
    let long = [UInt8](repeating: 7, count: 300)
    #expect(reader.read(frame(0x82, long)) == [.message(.binary(long))])
  }

  @Test func `a server's frames are those of the RFC`() {
    #expect(
      WebSocketFrame.bytes(.text("Hello")) == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    let middle = WebSocketFrame.bytes(.binary([UInt8](repeating: 0, count: 256)))
    #expect(middle.prefix(4) == [0x82, 0x7E, 0x01, 0x00] && middle.count == 260)
    let long = WebSocketFrame.bytes(.binary([UInt8](repeating: 0, count: 65_536)))
    #expect(long.prefix(10) == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] && long.count == 65_546)
    #expect(WebSocketFrame.close(.tooBig) == [0x88, 0x02, 0x03, 0xF1])
  }

  @Test func `what breaks the rules ends the connection`() {
    let broken: [([UInt8], WebSocketClose)] = [
      ([0x81, 0x01, 0x61], .protocolError),  // not masked
      (frame(0xC1, [0x61]), .protocolError),  // an extension
      (frame(0x83, []), .protocolError),  // no such opcode
      (frame(0x80, [0x61]), .protocolError),  // goes on with nothing
      (frame(0x01, [0x61]) + frame(0x81, [0x62]), .protocolError),  // begins within another
      (frame(0x09, []), .protocolError),  // a ping in parts
      (frame(0x89, [], length: [0xFE, 0x00, 0x80]), .protocolError),  // a ping of 128 bytes
      (frame(0x81, [0xC3, 0x28]), .badText),
      ([0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1], .tooBig),
      ([0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooBig),
    ]
    for (bytes, reason) in broken {
      var reader = WebSocketReader()
      #expect(reader.read(bytes).last == .failure(reason), "\(bytes)")
      #expect(reader.read(frame(0x81, [0x61])).isEmpty)
    }
  }

  @Test func `a message in fragments is bounded too`() {
    var reader = WebSocketReader()
    let part = [UInt8](repeating: 0, count: 40_000)
    #expect(reader.read(frame(0x02, part)).isEmpty)
    #expect(reader.read(frame(0x00, part)) == [.failure(.tooBig)])
  }

  @Test func `no bytes bring the reader down`() {
    var random = SplitMix(state: 6455)
    for _ in 0..<5000 {
      var reader = WebSocketReader()
      for _ in 0..<4 {
        _ = reader.read((0..<Int(random.next() % 40)).map { _ in UInt8(random.next() & 0xFF) })
      }
    }
  }
}
