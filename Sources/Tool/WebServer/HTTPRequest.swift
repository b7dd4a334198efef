// SPDX-License-Identifier: Apache-2.0

/// An HTTP/1.1 request, parsed as strictly as RFC 9112 allows: anything that two parsers could read
/// differently is refused (request smuggling).
package struct HTTPRequest: Equatable, Sendable {
  package var method: String
  /// The path as sent, without the query. It is not percent-decoded, so comparisons are exact.
  package var path: String
  /// The text after the question mark; empty without a query.
  package var query: String
  /// The headers by lower-case name.
  package var headers: [String: String]
  package var body: [UInt8] = []

  /// True where the connection stays open after the response.
  package var keepsAlive = true

  package init(method: String = "GET", path: String, query: String = "", headers: [String: String])
  {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
  }

  /// Returns the comma-separated words of a header, in lower case.
  package func words(_ name: String) -> [String] {
    (headers[name] ?? "").split(separator: ",").map { HTTPParser.trimmed($0).lowercased() }
  }

  /// Returns the value of `name` in the query; `nil` where it is missing.
  package func value(_ name: String) -> String? {
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts[0] == name { return parts.count == 2 ? String(parts[1]) : "" }
    }
    return nil
  }
}

/// Parses a request from the start of the received bytes.
package enum HTTPParser {
  package enum Outcome: Equatable, Sendable {
    /// More bytes are needed.
    case incomplete
    /// A request with its length in bytes.
    case request(HTTPRequest, length: Int)
    case refused(HTTPStatus)
  }

  /// The maximum size of a request's head and of its body, in bytes.
  package static let mostHead = 16_384
  package static let mostBody = 4096
  private static let mostHeaders = 64

  package static func parse(_ bytes: [UInt8]) -> Outcome {
    guard let end = end(of: bytes.prefix(mostHead)) else {
      return bytes.count >= mostHead ? .refused(.headersTooLarge) : .incomplete
    }
    var lines: [Substring] = []
    // The head must be ASCII.
    guard bytes[..<end].allSatisfy({ $0 < 0x80 }) else { return .refused(.badRequest) }
    let head = String(decoding: bytes[..<(end - 1)], as: UTF8.self)
    for line in head.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard line.last == 0x0D else { return .refused(.badRequest) }
      let text = Substring(line.dropLast())
      guard !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
        return .refused(.badRequest)
      }
      lines.append(text)
    }
    guard let first = lines.first, lines.count <= mostHeaders + 1 else {
      return .refused(.badRequest)
    }
    return request(first, lines.dropFirst(), bytes, end + 2)
  }

  private static func request(
    _ line: Substring, _ lines: some Sequence<Substring>, _ bytes: [UInt8], _ start: Int
  ) -> Outcome {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, isToken(parts[0]), parts[1].first == "/" else {
      return .refused(.badRequest)
    }
    guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
      return .refused(.versionNotSupported)
    }
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { return .refused(.badRequest) }
      let name = line[..<colon]
      guard isToken(name) else { return .refused(.badRequest) }
      let value = trimmed(line[line.index(after: colon)...])
      let key = name.lowercased()
      if let other = headers[key] {
        // These headers must not repeat: a proxy and this server could use different values
        // (request smuggling).
        guard !["host", "content-length", "origin", "authorization"].contains(key) else {
          return .refused(.badRequest)
        }
        headers[key] = other + (key == "cookie" ? "; " : ", ") + value
      } else {
        headers[key] = value
      }
    }
    guard headers["transfer-encoding"] == nil else { return .refused(.notImplemented) }
    var length = 0
    if let text = headers["content-length"] {
      guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
        return .refused(.badRequest)
      }
      guard let number = Int(text), number <= mostBody else { return .refused(.contentTooLarge) }
      length = number
    }
    guard bytes.count >= start + length else { return .incomplete }
    let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var request = HTTPRequest(
      method: String(parts[0]), path: String(target[0]),
      query: target.count == 2 ? String(target[1]) : "", headers: headers)
    request.body = Array(bytes[start..<start + length])
    let connection = request.words("connection")
    request.keepsAlive = parts[2] == "HTTP/1.1" && !connection.contains("close")
    return .request(request, length: start + length)
  }

  /// Returns the index of the empty line's carriage return; `nil` where it was not received yet.
  private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
    var place = bytes.startIndex
    while let next = bytes[place...].firstIndex(of: 0x0A) {
      if next + 2 < bytes.endIndex, bytes[next + 1] == 0x0D, bytes[next + 2] == 0x0A {
        return next + 1
      }
      place = next + 1
    }
    return nil
  }

  /// Returns true for a token (RFC 9110, section 5.6.2).
  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  static func trimmed(_ text: Substring) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }
}
