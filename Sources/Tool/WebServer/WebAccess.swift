// SPDX-License-Identifier: Apache-2.0

/// The access rules for requests: the server names, the page origins and the token that are
/// allowed.
///
/// The rules protect a board from pages of other sites, which must not read it through a user's
/// browser. Such a site's name may resolve to this machine (DNS rebinding), but the browser still
/// sends that name as Host. Cross-origin requests that the browser sends without a preflight carry
/// the page's Origin.
package struct WebAccess: Sendable {
  /// True if the server is reachable only from this machine.
  package var isLocal = true
  /// Accepted host names in addition to localhost, in lower case.
  package var names: Set<String> = []
  /// Other origins whose pages may open a WebSocket, such as `https://app.foxglove.dev`.
  package var origins: Set<String> = []
  /// The token that is required for changes; `nil` if no changes are allowed.
  package var token: [UInt8]?
  /// True if reading requires the token as well.
  package var guardsReading = false
  /// The name of the cookie that contains the token. The server appends its port to the name,
  /// because browsers send cookies to all ports of a host.
  var cookie = "otolith-token"

  package init() {}

  /// The status and message for a rejected request, and the reason as a word for counters.
  package struct Refusal: Equatable, Sendable {
    package var reason: String
    package var answer: HTTPAnswer
  }

  /// Returns the reason why `request` is rejected; `nil` if the request is allowed.
  package func refusal(of request: HTTPRequest, isWebSocket: Bool) -> Refusal? {
    guard let host = request.headers["host"], let name = Self.name(ofHost: host) else {
      return Refusal(
        reason: "host", answer: HTTPAnswer(.badRequest, "the Host header is no name with a port"))
    }
    guard knows(name) else {
      return Refusal(
        reason: "host",
        answer: HTTPAnswer(
          .misdirectedRequest,
          "this host name is not allowed; otolith serve --host-name NAME allows one"))
    }
    if let origin = request.headers["origin"], !isSame(origin, host.lowercased()),
      !(isWebSocket && origins.contains(origin.lowercased()))
    {
      return Refusal(
        reason: "origin",
        answer: HTTPAnswer(
          .forbidden, "pages of other origins are rejected; --allow-origin allows one"))
    }
    if mayChange(request) { return nil }
    let isRead = ["GET", "HEAD"].contains(request.method)
    // Report a wrong token in the address instead of ignoring it.
    let isWrong = request.value("token") != nil
    guard guardsReading || !isRead || isWrong else { return nil }
    return Refusal(
      reason: "token", answer: TokenPage.answer(request, isRead: isRead, isWrong: isWrong))
  }

  /// Returns true if `request` contains the token, and so may make changes.
  package func mayChange(_ request: HTTPRequest) -> Bool {
    guard let token else { return false }
    return given(request).contains { Self.isEqual($0, token) }
  }

  private func knows(_ name: String) -> Bool {
    if name == "localhost" || names.contains(name) { return true }
    // A literal IP address cannot be a DNS-rebinding attack.
    if isLocal { return Self.isLoopback(name) }
    return name.hasPrefix("[") || Self.isIPv4(name)
  }

  /// Returns the name from `name:port` in lower case; `nil` if the text is invalid.
  static func name(ofHost host: String) -> String? {
    // Check for ASCII before lowercasing, because lowercasing turns some letters of other alphabets
    // into ASCII.
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let text = host.lowercased()
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      guard isPort(rest) else { return nil }
      let name = text[...end]
      return name.dropFirst().dropLast().utf8.allSatisfy("0123456789abcdef:.".utf8.contains)
        ? String(name) : nil
    }
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    guard isPort(text[colon...]), colon > text.startIndex,
      text[..<colon].utf8.allSatisfy(isNameByte)
    else { return nil }
    return String(text[..<colon])
  }

  /// Returns true if the byte may occur in a registered name (RFC 3986, section 3.2.2).
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~%!$&'()*+,;=".utf8.contains(byte)
    }
  }

  /// Returns true if the text is a port such as `:8642`, or empty.
  private static func isPort(_ text: Substring) -> Bool {
    if text.isEmpty { return true }
    return text.first == ":" && text.count >= 2 && text.count <= 6
      && text.dropFirst().utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }

  private static func isIPv4(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { 0x30...0x39 ~= $0 } && UInt8(part) != nil
      }
  }

  package static func isLoopback(_ name: String) -> Bool {
    name == "[::1]" || name == "::1" || isIPv4(name) && name.hasPrefix("127.")
  }

  private func isSame(_ origin: String, _ host: String) -> Bool {
    guard origin.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    let origin = origin.lowercased()
    return origin == "http://\(host)" || origin == "https://\(host)"
  }

  /// Returns the tokens in a request. They come from a header, from the page's cookie, or from the
  /// address; the address is for programs that can set neither of the other two.
  private func given(_ request: HTTPRequest) -> [[UInt8]] {
    var found: [[UInt8]] = []
    if let value = request.headers["authorization"] {
      let parts = value.split(separator: " ", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == "bearer" { found.append(Array(parts[1].utf8)) }
    }
    for pair in (request.headers["cookie"] ?? "").split(separator: ";") {
      let pair = HTTPRequest.trimmed(pair)
      if pair.hasPrefix(cookie + "=") { found.append(Array(pair.dropFirst(cookie.count + 1).utf8)) }
    }
    if let value = request.value("token") {
      found.append(Array(value.utf8))
      // HTML forms send the token percent-encoded.
      if value.contains("%") { found.append(Self.decoded(value)) }
    }
    return found
  }

  /// Returns the bytes of a string that contains percent encoding, such as `%2B`.
  private static func decoded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Substring(text)
    while let character = rest.first {
      let digits = rest.dropFirst().prefix(2)
      if character == "%", digits.count == 2, let byte = UInt8(digits, radix: 16) {
        bytes.append(byte)
        rest = rest.dropFirst(3)
      } else {
        bytes += Array(character.utf8)
        rest = rest.dropFirst()
      }
    }
    return bytes
  }

  /// Compares two tokens in a time that depends only on the length of `given`, so that the time
  /// reveals nothing about `token`.
  static func isEqual(_ given: [UInt8], _ token: [UInt8]) -> Bool {
    guard !token.isEmpty else { return false }
    var difference = given.count ^ token.count
    for index in given.indices { difference |= Int(given[index] ^ token[index % token.count]) }
    return difference == 0
  }
}
