// SPDX-License-Identifier: Apache-2.0
internal import NIOHTTP1

/// An HTTP/1.1 request. A head that two parsers could interpret differently is rejected (request
/// smuggling).
package struct HTTPRequest: Equatable, Sendable {
  package var method: String
  /// The path as the client sent it, without the query. The path is not percent-decoded, so that
  /// comparisons are exact.
  package var path: String
  /// The text after the question mark; empty if there is no query.
  package var query: String
  /// The headers; the keys are names in lower case.
  package var headers: [String: String]
  package var body: [UInt8] = []

  /// True if the connection stays open after the response.
  package var keepsAlive = true

  /// The largest size of a request's head and of its body, in bytes.
  package static let mostHead = 16_384
  package static let mostBody = 4096
  static let mostHeaders = 64

  package init(method: String = "GET", path: String, query: String = "", headers: [String: String])
  {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
  }

  /// Returns the comma-separated words of the header `name`, in lower case.
  package func words(_ name: String) -> [String] {
    (headers[name] ?? "").split(separator: ",").map { Self.trimmed($0).lowercased() }
  }

  /// Returns the value of `name` in the query; `nil` if it is missing.
  package func value(_ name: String) -> String? {
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts[0] == name { return parts.count == 2 ? String(parts[1]) : "" }
    }
    return nil
  }

  /// The length of the body that follows the head, in bytes.
  var bodyLength: Int { headers["content-length"].flatMap { Int($0) } ?? 0 }

  /// True if the client sends the body only after status 100 (RFC 9110, section 10.1.1).
  var awaitsContinue: Bool { bodyLength > 0 && words("expect").contains("100-continue") }

  static func trimmed(_ text: Substring) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }
}

extension HTTPRequest {
  /// The refusal of a request's head, with the status of the response.
  struct Refusal: Error { var status: HTTPStatus }

  /// Reads a head. Throws if it is ambiguous or too large, or uses a transfer encoding.
  init(_ head: HTTPRequestHead) throws(Refusal) {
    let target = try Self.target(head.uri)
    let parts = target.path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(
      method: head.method.rawValue, path: String(parts[0]),
      query: parts.count == 2 ? String(parts[1]) : "", headers: try Self.fields(head.headers))
    // HTTP/1.1 requires the Host header, even if the target contains the host (RFC 9112, section
    // 3.2).
    guard headers["host"] != nil else { throw Refusal(status: .badRequest) }
    // A host in the target replaces the Host header (RFC 9112, section 3.2.2).
    if let host = target.host { headers["host"] = host }
    guard headers["transfer-encoding"] == nil else { throw Refusal(status: .notImplemented) }
    if let text = headers["content-length"] {
      guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
        throw Refusal(status: .badRequest)
      }
      guard let number = Int(text), number <= Self.mostBody else {
        throw Refusal(status: .contentTooLarge)
      }
    }
    // Close the connection after a request with an Upgrade header. NIO's decoder stops there,
    // because the bytes that follow belong to another protocol.
    keepsAlive =
      head.version == .http1_1 && !words("connection").contains("close")
      && headers["upgrade"] == nil && head.method != .CONNECT
  }

  /// Returns the path with its query, and the host if the target is an absolute URL.
  private static func target(_ target: String) throws(Refusal) -> (host: String?, path: Substring) {
    guard target.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw Refusal(status: .badRequest) }
    if target.hasPrefix("/") { return (nil, target[...]) }
    let scheme = target.prefix(8).lowercased()
    let length = scheme.hasPrefix("http://") ? 7 : scheme == "https://" ? 8 : 0
    guard length > 0 else { throw Refusal(status: .badRequest) }
    let rest = target.dropFirst(length)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let path = rest[end...]
    return (String(rest[..<end]), path.hasPrefix("/") ? path : "/" + path)
  }

  private static func fields(_ fields: HTTPHeaders) throws(Refusal) -> [String: String] {
    var headers: [String: String] = [:]
    for (name, value) in fields {
      let key = name.lowercased()
      guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
        throw Refusal(status: .badRequest)
      }
      let value = trimmed(value[...])
      if let other = headers[key] {
        // These headers must not repeat, because a proxy and this server could use different values
        // (request smuggling).
        guard !["host", "content-length", "origin", "authorization"].contains(key) else {
          throw Refusal(status: .badRequest)
        }
        headers[key] = other + (key == "cookie" ? "; " : ", ") + value
      } else {
        headers[key] = value
      }
    }
    return headers
  }
}
