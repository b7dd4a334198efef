// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxSystem
import Quantities
import Testing
import WebServer

/// Tests of the limits for clients, at times that the tests choose.
@Suite struct WebLimitsTests {
  private let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

  private func later(_ seconds: Double) -> Timestamp {
    monotonicNow() + TimeSpan(seconds: seconds)
  }

  @Test func `a further connection closes an idle one, first one that never sent a request`()
    throws
  {
    var limits = WebLimits()
    limits.connections = 2
    let (server, application) = makeServer(limits)
    let served = try WebExchange(server)
    #expect(try served.send(request).hasPrefix("HTTP/1.1 200 "))
    let silent = try WebExchange(server)
    let third = try WebExchange(server)
    #expect(served.isOpen && !silent.isOpen && third.isOpen)
    #expect(server.counts.evicted == 1 && server.counts.accepted == 3)
    // WebSockets, and requests that wait for their response, do not count as idle.
    #expect(try served.send(WebExchange.handshake).hasPrefix("HTTP/1.1 101 "))
    application.defers = true
    #expect(try third.send(request).isEmpty)
    let fourth = try WebExchange(server)
    let answer = try fourth.send(request)
    #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("\r\nConnection: close\r\n"))
    #expect(served.isOpen && third.isOpen && !fourth.isOpen)
    #expect(server.counts.refused == ["connections": 1])
    // A connection that has ended makes room for another.
    third.end()
    #expect(try WebExchange(server).isOpen)
  }

  @Test func `WebSockets have a limit of their own`() throws {
    var limits = WebLimits()
    limits.webSockets = 1
    let (server, application) = makeServer(limits)
    #expect(try WebExchange(server).send(WebExchange.handshake).hasPrefix("HTTP/1.1 101 "))
    #expect(try WebExchange(server).send(WebExchange.handshake).hasPrefix("HTTP/1.1 503 "))
    #expect(application.open == [1])
  }

  @Test func `a request has ten seconds, a silent connection too, a served one thirty`() throws {
    let (server, _) = makeServer()
    let silent = try WebExchange(server)
    let slow = try WebExchange(server)
    #expect(try slow.send("GET / HTTP/1.1\r\nX-Slow: ").isEmpty)
    let served = try WebExchange(server)
    _ = try served.send(request)
    server.check(later(9))
    #expect(silent.isOpen && slow.isOpen && served.isOpen)
    server.check(later(11))
    #expect(!silent.isOpen && !slow.isOpen && served.isOpen)
    #expect(try silent.received().isEmpty)
    let answer = String(decoding: try slow.received(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 408 ") && server.counts.refused["slow"] == 2)
    server.check(later(31))
    #expect(!served.isOpen)
  }

  @Test func `a request behind a pause has its ten seconds from its first byte`() throws {
    let (server, _) = makeServer()
    let exchange = try WebExchange(server)
    _ = try exchange.send(request)
    _ = try exchange.send("GET")
    server.check(later(9))
    #expect(exchange.isOpen)
    server.check(later(11))
    #expect(!exchange.isOpen)
  }

  @Test func `a request whose response is awaited has no timeout`() throws {
    let (server, application) = makeServer()
    application.defers = true
    let exchange = try WebExchange(server)
    _ = try exchange.send(request)
    server.check(later(100))
    #expect(exchange.isOpen)
    server.reply(HTTPAnswer(.ok, "late"), to: 1)
    #expect(try exchange.send("").hasSuffix("late\n"))
  }

  @Test func `a silent WebSocket gets a ping after a third of its minute, then ends`() throws {
    let (server, application) = makeServer()
    let exchange = try WebExchange(server)
    _ = try exchange.send(WebExchange.handshake)
    server.check(later(19))
    #expect(try exchange.received().isEmpty)
    server.check(later(21))
    server.check(later(22))
    #expect(try exchange.received() == [0x89, 0x00])
    server.check(later(59))
    #expect(exchange.isOpen)
    server.check(later(61))
    _ = try exchange.send("")
    #expect(!exchange.isOpen && application.open.isEmpty)
  }

  @Test func `a client that sends too many messages is disconnected`() throws {
    var limits = WebLimits()
    limits.messages = 2
    let (server, application) = makeServer(limits)
    let exchange = try WebExchange(server)
    _ = try exchange.send(WebExchange.handshake)
    // The limit is 20 messages of any kind in ten seconds. These are empty texts and pongs, with a
    // mask of zeros.
    for number in 0..<20 { try exchange.send([number % 2 == 0 ? 0x81 : 0x8A, 0x80, 0, 0, 0, 0]) }
    #expect(application.messages.count == 10 && exchange.isOpen)
    #expect(try exchange.send([0x81, 0x80, 0, 0, 0, 0]) == [0x88, 0x02, 0x03, 0xF0])
    #expect(application.messages.count == 10 && server.counts.refused == ["messages": 1])
  }

  /// If a client reads nothing, the bytes that the kernel does not accept wait in memory.
  @Test func `a client that does not read has a limited backlog`() throws {
    for (count, size, isClosed) in [(40, 65_536, false), (140, 65_536, true), (40_000, 20, true)] {
      let (server, application) = makeServer()
      application.greeting = [WebSocketMessage](
        repeating: .binary([UInt8](repeating: 0, count: size)), count: count)
      let wakeEvent = try WakeEvent()
      var client: SilentClient?
      application.greeted = { wakeEvent.signal() }
      try server.run(at: ListeningAddress("127.0.0.1", port: 0), until: wakeEvent) { port in
        client = SilentClient(port: port, sending: WebExchange.handshake)
        return monotonicNow() + .seconds(30)
      }
      #expect(application.wasClosedWhenGreeted == isClosed, "\(count) of \(size)")
      #expect(client != nil)
    }
  }

  @Test func `an application sees the port that was chosen, and ends what it serves`() throws {
    let (server, _) = makeServer()
    let wakeEvent = try WakeEvent()
    var ports: [UInt16] = []
    try server.run(at: ListeningAddress("127.0.0.1", port: 0), until: wakeEvent) { port in
      ports.append(port)
      return monotonicNow() + .milliseconds(20)
    }
    #expect(ports.count == 1 && ports.first != 0)
    wakeEvent.drain()
    // This machine does not have this address.
    let error = #expect(throws: WebServerError.self) {
      try server.run(at: ListeningAddress("192.0.2.1", port: 0), until: wakeEvent) { _ in nil }
    }
    #expect(
      error?.description
        == "cannot listen on 192.0.2.1, port 0: cannot assign requested address")
  }
}

/// A connection with a small window, which sends and does not read.
private final class SilentClient {
  private let descriptor: Int32

  init(port: UInt16, sending text: String) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var window: Int32 = 4096
    // Each pointer is used only within its call.
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
    // The bytes of a sockaddr_in, 127.0.0.1: the compiler finds that struct's members in NIO's module
    // or in Glibc, by which of them it has built first.
    let family = UInt8(truncatingIfNeeded: AF_INET)
    let (high, low) = (UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port))
    let address = [family, 0, high, low, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    let isConnected = unsafe address.withUnsafeBytes { bytes in
      unsafe connect(
        descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
        socklen_t(bytes.count)) == 0
    }
    let bytes = Array(text.utf8)
    let sent = unsafe send(descriptor, bytes, bytes.count, 0)
    #expect(isConnected && sent == bytes.count)
  }

  deinit { close(descriptor) }
}
