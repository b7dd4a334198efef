// SPDX-License-Identifier: Apache-2.0
import SeededRandom
import Testing
import WebServer

/// Tests of the strict reading of RFC 9112 and 9110: a request that two programs could understand
/// differently is refused.
@Suite struct HTTPRequestTests {
  /// Returns the status codes of the responses to a text.
  private func statuses(_ text: String) throws -> [Int] {
    let (server, _) = makeServer()
    return statuses(of: try WebExchange(server).send(text))
  }

  private func statuses(of answer: String) -> [Int] {
    answer.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
  }

  @Test func `a request is read with its query, headers and body`() throws {
    let application = EchoApplication()
    let text =
      "PUT /api/source?token=a%20b&x HTTP/1.1\r\nHost: localhost:8642\r\nCookie: a=1\r\n"
      + "Content-Length: 4\r\nX-Two:  b \r\nX-Two: c\r\ncookie: otolith-token=0123456789abcdef\r\n"
    var access = WebAccess()
    access.token = Array("0123456789abcdef".utf8)
    let server = WebServer(application, access: access)
    let answer = try WebExchange(server).send(text + "\r\nbodyGET")
    #expect(answer.hasSuffix("PUT /api/source token=a%20b&x body"), "\(answer)")
    let request = try #require(application.requests.first)
    #expect(request.value("token") == "a%20b" && request.value("x") == "")
    #expect(request.value("y") == nil)
    #expect(request.headers["host"] == "localhost:8642" && request.headers["x-two"] == "b, c")
    #expect(request.headers["cookie"] == "a=1; otolith-token=0123456789abcdef")
    #expect(request.body == Array("body".utf8) && request.keepsAlive)
  }

  @Test func `a request is incomplete until its last byte`() throws {
    let (server, application) = makeServer()
    let exchange = try WebExchange(server)
    let bytes = Array("GET /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab".utf8)
    for byte in bytes.dropLast() { #expect(try exchange.send([byte]).isEmpty) }
    #expect(application.requests.isEmpty)
    let answer = String(decoding: try exchange.send([bytes.last ?? 0]), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\nGET /a  ab"))
    #expect(exchange.isOpen)
  }

  @Test func `requests behind each other are answered in order, the next when one was answered`()
    throws
  {
    let (server, application) = makeServer()
    application.defers = true
    let exchange = try WebExchange(server)
    let requests = (1...3).map { "GET /\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined()
    #expect(try exchange.send(requests).isEmpty)
    for number in 1...3 {
      #expect(application.requests.map(\.path) == (1...number).map { "/\($0)" })
      server.reply(HTTPAnswer(.ok, "\(number)"), to: 1)
      let answer = try exchange.send("")
      #expect(answer.hasSuffix("\r\n\r\n\(number)\n"), "\(answer)")
    }
  }

  @Test func `thousands of requests sent at once are answered`() throws {
    let (server, application) = makeServer()
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let answer = try WebExchange(server).send(String(repeating: request, count: 3000))
    #expect(application.requests.count == 3000)
    #expect(statuses(of: answer).count == 3000)
  }

  @Test func `version 1.0 and close end the connection behind the answer`() throws {
    for text in [
      "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: x, Close\r\n\r\n",
    ] {
      let (server, _) = makeServer()
      let exchange = try WebExchange(server)
      let answer = try exchange.send(text)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("\r\nConnection: close\r\n") && !exchange.isOpen)
    }
  }

  @Test func `a target in absolute form names the host`() throws {
    let (server, application) = makeServer()
    let rest = " HTTP/1.1\r\nHost: evil.example\r\n\r\n"
    let answer = try WebExchange(server).send("GET http://localhost:8642/a?b=c" + rest)
    #expect(statuses(of: answer) == [200])
    #expect(application.requests.map(\.path) == ["/a"])
    #expect(application.requests.map(\.query) == ["b=c"])
    #expect(application.requests.first?.headers["host"] == "localhost:8642")
    #expect(try statuses("GET HTTP://LOCALHOST" + rest) == [200])
    let own = " HTTP/1.1\r\nHost: localhost\r\n\r\n"
    #expect(try statuses("GET http://evil.example/" + own) == [421])
    #expect(try statuses("GET http://localhost@evil.example/" + own) == [400])
    #expect(try statuses("GET ftp://localhost/" + own) == [400])
  }

  @Test func `header values may have bytes outside ASCII, names and hosts may not`() throws {
    let (server, application) = makeServer()
    let exchange = try WebExchange(server)
    var bytes = Array("GET / HTTP/1.1\r\nHost: localhost\r\nX: caf".utf8)
    bytes += [0xE9, 0xFF] + Array("\r\n\r\n".utf8)
    #expect(String(decoding: try exchange.send(bytes), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
    #expect(application.requests.count == 1)
    #expect(try statuses("GET / HTTP/1.1\r\nHost: localhost\u{e4}\r\n\r\n") == [400])
    // The host begins with the Kelvin sign, whose lower case in Unicode is k.
    #expect(try statuses("GET / HTTP/1.1\r\nHost: \u{212A}.local\r\n\r\n") == [400])
  }

  @Test func `a client that waits for 100 gets it, or the refusal`() throws {
    let (server, application) = makeServer()
    let exchange = try WebExchange(server)
    let head = "Host: localhost\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n"
    #expect(try exchange.send("GET /a HTTP/1.1\r\n" + head) == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(application.requests.isEmpty)
    #expect(try exchange.send("ab").hasSuffix("GET /a  ab"))
    #expect(try statuses("POST /a HTTP/1.1\r\n" + head) == [401])
  }

  @Test func `a response has its date`() throws {
    // The date is the example of RFC 9110, section 5.6.7.
    #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    // The texts are those of `date -u -d @N '+%a, %d %b %Y %H:%M:%S GMT'`.
    #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.text(951_827_696) == "Tue, 29 Feb 2000 12:34:56 GMT")
    #expect(HTTPDate.text(1_798_761_599) == "Thu, 31 Dec 2026 23:59:59 GMT")
    let (server, _) = makeServer()
    let answer = try WebExchange(server).send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(answer.contains(" GMT\r\n") && answer.contains("\r\nDate: "))
  }

  @Test func `HEAD has the length of the body and no body`() throws {
    let (server, _) = makeServer()
    let answer = try WebExchange(server).send("HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(answer.contains("\r\nContent-Length: 9\r\n") && answer.hasSuffix("\r\n\r\n"))
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/1.0\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
    ("GET / HTTP/1.1\nHost: a\r\n\r\n", 505),
    ("GET / HTTP/1.1 x\r\n\r\n", 505),
    ("G(T / HTTP/1.1\r\n\r\n", 400),
    ("GET /\u{e4} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /\u{1} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n folded\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\n: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: a\r\nOrigin: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 4097\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", 400),
  ]) func `what is no clear request is refused, and the connection ends`(
    _ text: String, _ status: Int
  ) throws {
    let (server, application) = makeServer()
    let exchange = try WebExchange(server)
    #expect(statuses(of: try exchange.send(text)) == [status], "\(text)")
    #expect(!exchange.isOpen && application.requests.isEmpty)
    // The answer is the same if each byte comes alone.
    let slow = try WebExchange(server)
    var answer: [UInt8] = []
    for byte in text.utf8 { answer += try slow.send([byte]) }
    #expect(statuses(of: String(decoding: answer, as: UTF8.self)) == [status], "\(text)")
  }

  @Test func `a head has at most 16 kB and 64 headers`() throws {
    let start = "GET / HTTP/1.1\r\nHost: localhost\r\n"
    // The method, the target and the names and values of the headers are counted, of which all but
    // the long value are 15 bytes.
    for (count, status) in [(16_369, 200), (16_370, 431)] {
      let text = start + "X: " + String(repeating: "a", count: count) + "\r\n\r\n"
      #expect(try statuses(text) == [status], "\(count)")
    }
    for (count, status) in [(63, 200), (64, 431)] {
      let text = start + String(repeating: "X: a\r\n", count: count) + "\r\n"
      #expect(try statuses(text) == [status], "\(count)")
    }
    // A head that is too long is refused before its end is sent.
    #expect(try statuses("GET /" + String(repeating: "a", count: 20_000)) == [431])
    #expect(try statuses(start + String(repeating: "a", count: 20_000)) == [431])
  }

  @Test func `a request that asks for another protocol is answered, and the last`() throws {
    let (server, application) = makeServer()
    let exchange = try WebExchange(server)
    let request =
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
      + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n"
    #expect(statuses(of: try exchange.send(request + request)) == [200])
    #expect(!exchange.isOpen && application.requests.count == 1)
  }

  @Test func `no bytes bring it down`() throws {
    var random = SplitMix(state: 27)
    let parts = [
      "GET", " ", "/", "HTTP/1.1", "\r\n", "Host: localhost", ":", "\n", "Content-Length: 3", "\0",
      "é", "Transfer-Encoding:", "\r", "?token=", "Upgrade: websocket\r\nConnection: Upgrade\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\n", "\r\n\r\n",
    ]
    let (server, application) = makeServer()
    for _ in 0..<1500 {
      let exchange = try WebExchange(server)
      for _ in 0..<Int(random.next() % 14) {
        _ = try exchange.send(parts[Int(random.next() % UInt64(parts.count))])
      }
      exchange.end()
    }
    #expect(application.requests.allSatisfy { $0.path.hasPrefix("/") })
    #expect(!application.requests.isEmpty && server.backlog(of: 1) == 0)
  }
}
