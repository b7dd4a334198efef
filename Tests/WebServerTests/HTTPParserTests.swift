// SPDX-License-Identifier: Apache-2.0
import SeededRandom
import Testing
import WebServer

/// RFC 9112, read strictly: what two programs could read as two things is refused.
@Suite struct HTTPParserTests {
  private func parse(_ text: String) -> HTTPParser.Outcome { HTTPParser.parse(Array(text.utf8)) }

  @Test func `a request is read with its query, headers and body`() {
    let text =
      "POST /api/source?token=a%20b&x HTTP/1.1\r\nHost: localhost:8642\r\nCookie: a=1\r\n"
      + "Content-Length: 4\r\nX-Two:  b \r\nX-Two: c\r\ncookie: b=2\r\n\r\nbodyGET"
    guard case .request(let request, let length) = parse(text) else {
      Issue.record("\(parse(text))")
      return
    }
    #expect(length == text.utf8.count - 3)
    #expect(request.method == "POST" && request.path == "/api/source")
    #expect(request.value("token") == "a%20b" && request.value("x") == "")
    #expect(request.value("y") == nil)
    #expect(request.headers["host"] == "localhost:8642" && request.headers["x-two"] == "b, c")
    #expect(request.headers["cookie"] == "a=1; b=2")
    #expect(request.body == Array("body".utf8) && request.keepsAlive)
  }

  @Test func `a request is incomplete until its last byte`() {
    let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab".utf8)
    for count in bytes.indices {
      #expect(HTTPParser.parse(Array(bytes[..<count])) == .incomplete, "\(count)")
    }
    guard case .request = HTTPParser.parse(bytes) else {
      Issue.record("it is whole")
      return
    }
  }

  @Test func `version 1.0 and close end the connection behind the answer`() {
    for text in ["GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nConnection: x, Close\r\n\r\n"] {
      guard case .request(let request, _) = parse(text) else {
        Issue.record("\(text)")
        continue
      }
      #expect(!request.keepsAlive)
    }
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\nHost: a\r\n\r\n", HTTPStatus.badRequest),
    ("GET  / HTTP/1.1\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1 x\r\n\r\n", .badRequest),
    ("GET http://a/ HTTP/1.1\r\n\r\n", .badRequest),
    ("G(T / HTTP/1.1\r\n\r\n", .badRequest),
    ("GET /\u{e4} HTTP/1.1\r\n\r\n", .badRequest),
    ("GET /\u{1} HTTP/1.1\r\n\r\n", .badRequest),
    ("GET / HTTP/2.0\r\n\r\n", .versionNotSupported),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\n folded\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", .badRequest),
    ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", .contentTooLarge),
    ("GET / HTTP/1.1\r\nContent-Length: 4097\r\n\r\n", .contentTooLarge),
    ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", .notImplemented),
    ("\r\n\r\n", .badRequest),
  ]) func `what is no clear request is refused`(_ text: String, _ status: HTTPStatus) {
    #expect(parse(text) == .refused(status))
  }

  @Test func `a head without an end is refused at 16 kB`() {
    let long = Array(("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 16_384)).utf8)
    #expect(HTTPParser.parse(Array(long.prefix(16_383))) == .incomplete)
    #expect(HTTPParser.parse(Array(long.prefix(16_384))) == .refused(.headersTooLarge))
  }

  @Test func `no bytes bring it down`() {
    var random = SplitMix(state: 27)
    let parts = [
      "GET", " ", "/", "HTTP/1.1", "\r\n", "Host: a", ":", "\n", "Content-Length: 3", "\0", "é",
      "Transfer-Encoding:", "\r", "?token=", "%00",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int(random.next() % 14)).map { _ in parts[Int(random.next() % 15)] }.joined()
      if case .request(let request, let length) = parse(text) {
        #expect(length <= text.utf8.count && request.path.hasPrefix("/"))
      }
    }
  }
}
