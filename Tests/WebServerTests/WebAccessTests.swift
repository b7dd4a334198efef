// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import WebServer

/// Tests of which requests are admitted.
@Suite struct WebAccessTests {
  private func reason(
    _ access: WebAccess, _ headers: [String: String], query: String = "", socket: Bool = false
  ) -> String? {
    let request = HTTPRequest(path: "/", query: query, headers: headers)
    return access.refusal(of: request, isWebSocket: socket)?.reason
  }

  @Test func `of a local server only the names of this machine are known`() {
    let access = WebAccess()
    for host in ["localhost", "LOCALHOST:8642", "127.0.0.1:1", "127.1.2.3", "[::1]:8642"] {
      #expect(reason(access, ["host": host]) == nil, "\(host)")
    }
    for host in [
      "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.4", "",
      ":8642",
      "localhost:8642:1", "localhost:x", "[::1", "[::1]x", "127.0.0.1@evil.example", "a/localhost",
    ] { #expect(reason(access, ["host": host]) == "host", "\(host)") }
    #expect(reason(access, [:]) == "host")
  }

  @Test func `of a server for others addresses and its names are known, and no other name`() {
    var access = WebAccess()
    access.isLocal = false
    access.names = ["robot.local"]
    for host in ["192.168.1.4:8642", "[fe80::1]:8642", "Robot.local", "localhost"] {
      #expect(reason(access, ["host": host]) == nil, "\(host)")
    }
    for host in ["evil.example", "192.168.1.4.evil.example", "999.1.1.1", "robot.local.evil"] {
      #expect(reason(access, ["host": host]) == "host", "\(host)")
    }
  }

  @Test func `pages of another origin are refused`() {
    var access = WebAccess()
    access.origins = ["https://app.foxglove.dev"]
    let own = ["host": "localhost:8642", "origin": "http://localhost:8642"]
    #expect(reason(access, own) == nil)
    for origin in [
      "http://evil.example", "null", "http://localhost", "http://localhost:8643", "file://", "",
    ] {
      let headers = ["host": "localhost:8642", "origin": origin]
      #expect(reason(access, headers) == "origin", "\(origin)")
      #expect(reason(access, headers, socket: true) == "origin", "\(origin)")
    }
    // A page of an allowed origin may open a WebSocket, and do nothing else.
    let foxglove = ["host": "localhost:8642", "origin": "https://app.foxglove.dev"]
    #expect(reason(access, foxglove, socket: true) == nil)
    #expect(reason(access, foxglove) == "origin")
  }

  @Test func `a token comes as a header, as a cookie or in the address`() {
    var access = WebAccess()
    access.token = Array("0123456789abcdef".utf8)
    access.guardsReading = true
    let host = ["host": "localhost"]
    func with(_ name: String, _ value: String) -> [String: String] {
      host.merging([name: value]) { $1 }
    }
    #expect(reason(access, host) == "token")
    #expect(reason(access, with("authorization", "Bearer 0123456789abcdef")) == nil)
    #expect(reason(access, with("cookie", "a=b; otolith-token=0123456789abcdef")) == nil)
    #expect(reason(access, host, query: "token=0123456789abcdef") == nil)
    for wrong in [
      "", "0123456789abcdeF", "0123456789abcde", "0123456789abcdef0",
      "0123456789abcdef0123456789abcdef",
    ] {
      #expect(reason(access, with("authorization", "Bearer \(wrong)")) == "token", "\(wrong)")
      #expect(reason(access, host, query: "token=\(wrong)") == "token", "\(wrong)")
    }
    #expect(reason(access, with("authorization", "Basic 0123456789abcdef")) == "token")
  }

  @Test func `what changes anything needs the token where reading needs none`() throws {
    var access = WebAccess()
    func refusal(
      _ method: String, _ headers: [String: String] = [:], query: String = ""
    ) -> HTTPAnswer? {
      let headers = headers.merging(["host": "localhost"]) { $1 }
      let request = HTTPRequest(method: method, path: "/", query: query, headers: headers)
      return access.refusal(of: request, isWebSocket: false)?.answer
    }
    let bearer = ["authorization": "Bearer 0123456789abcdef"]
    // A server without a token lets no request change anything.
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
      #expect(refusal(method)?.status == .unauthorized && refusal(method, bearer) != nil)
    }
    access.token = Array("0123456789abcdef".utf8)
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
      #expect(refusal(method)?.status == .unauthorized, "\(method)")
      #expect(refusal(method, ["cookie": "otolith-token=0123456789abcdeF"]) != nil)
      #expect(refusal(method, bearer) == nil)
      #expect(refusal(method, ["cookie": "otolith-token=0123456789abcdef"]) == nil)
    }
    #expect(refusal("GET") == nil && refusal("HEAD") == nil)
    let refused = try #require(refusal("POST"))
    #expect(
      String(decoding: refused.body, as: UTF8.self)
        == "a token is needed to change anything: open the address that otolith serve has printed, "
        + "or send 'Authorization: Bearer TOKEN'\n")
    #expect(refused.headers.contains { $0 == ("WWW-Authenticate", "Bearer") })
    // The refusal says that the token in the address may be one of an earlier run.
    let old = try #require(refusal("GET", query: "token=x"))
    #expect(
      String(decoding: old.body, as: UTF8.self).hasPrefix("this is not the token of this server: "))
  }

  @Test func `a browser without the token has a page with a field for it`() throws {
    var access = WebAccess()
    access.token = Array("0123456789abcd+/".utf8)
    access.guardsReading = true
    func answer(_ query: String) -> HTTPAnswer? {
      let headers = ["host": "localhost", "accept": "text/html,application/xhtml+xml;q=0.9"]
      return access.refusal(
        of: HTTPRequest(path: "/", query: query, headers: headers), isWebSocket: false)?.answer
    }
    for (query, title) in [
      ("", "A token is needed"), ("token=x%3Cb%3E", "This is not the token of this server"),
    ] {
      let page = try #require(answer(query))
      #expect(page.status == .unauthorized)
      #expect(page.headers.contains { $0 == ("Content-Type", "text/html; charset=utf-8") })
      let text = String(decoding: page.body, as: UTF8.self)
      #expect(text.contains("<h1>\(title)</h1>"))
      #expect(text.contains("<form method=\"get\" action=\"/\">"))
      #expect(text.contains("<input name=\"token\""))
      #expect(!text.contains("<script") && !text.contains("<b>"))
    }
    // The token is accepted percent-encoded, as a form sends it, and plain, as in an address.
    #expect(answer("token=0123456789abcd%2B%2F") == nil && answer("token=0123456789abcd+/") == nil)
  }

  @Test func `a missing or malformed host is a bad request, a foreign one a misdirected one`() {
    func status(_ headers: [String: String]) -> HTTPStatus? {
      let request = HTTPRequest(path: "/", headers: headers)
      return WebAccess().refusal(of: request, isWebSocket: false)?.answer.status
    }
    #expect(status([:]) == .badRequest && status(["host": "a b"]) == .badRequest)
    #expect(status(["host": "localhost:x"]) == .badRequest)
    #expect(status(["host": "evil.example"]) == .misdirectedRequest)
  }

  @Test func `an address to listen on is IPv4, or IPv6 with or without brackets`() throws {
    for (text, bare) in [
      ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("[::1]", "::1"), ("::", "::"),
    ] { #expect(try ListeningAddress(text, port: 0).text == bare) }
    for text in ["nowhere", "[127.0.0.1]", "[::1", "::1]", "", "[]", "127.0.0.1:80"] {
      let error = #expect(throws: WebServerError.self) {
        _ = try ListeningAddress(text, port: 0)
      }
      #expect(
        error?.description
          == "cannot listen on \(text), port 0: it is not an address such as 0.0.0.0 or ::1")
    }
  }
}
