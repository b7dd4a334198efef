// SPDX-License-Identifier: Apache-2.0

/// The status of a response, with its reason phrase (RFC 9110, section 15).
package enum HTTPStatus: Int, Sendable {
  case switchingProtocols = 101
  case ok = 200
  case noContent = 204
  case seeOther = 303
  case badRequest = 400
  case unauthorized = 401
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case conflict = 409
  case contentTooLarge = 413
  case unsupportedMediaType = 415
  case misdirectedRequest = 421
  case upgradeRequired = 426
  case headersTooLarge = 431
  case internalError = 500
  case notImplemented = 501
  case unavailable = 503
  case versionNotSupported = 505

  package var words: String {
    switch self {
    case .switchingProtocols: "Switching Protocols"
    case .ok: "OK"
    case .noContent: "No Content"
    case .seeOther: "See Other"
    case .badRequest: "Bad Request"
    case .unauthorized: "Unauthorized"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .conflict: "Conflict"
    case .contentTooLarge: "Content Too Large"
    case .unsupportedMediaType: "Unsupported Media Type"
    case .misdirectedRequest: "Misdirected Request"
    case .upgradeRequired: "Upgrade Required"
    case .headersTooLarge: "Request Header Fields Too Large"
    case .internalError: "Internal Server Error"
    case .notImplemented: "Not Implemented"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}

/// A response to a request.
package struct HTTPAnswer: Equatable, Sendable {
  package var status: HTTPStatus
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  package init(
    _ status: HTTPStatus, type: String? = nil, body: [UInt8] = [],
    headers: [(name: String, value: String)] = []
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    if let type { self.headers.append(("Content-Type", type)) }
  }

  /// Creates a plain-text response of one line.
  package init(_ status: HTTPStatus, _ text: String) {
    self.init(status, type: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
  }

  package static func == (a: HTTPAnswer, b: HTTPAnswer) -> Bool {
    a.status == b.status && a.body == b.body && a.headers.elementsEqual(b.headers, by: ==)
  }

  /// The security headers of every response: scripts only from the server's files, no framing, no
  /// MIME sniffing, no caching.
  private static let protection: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
        + "frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cache-Control", "no-store"),
  ]

  /// Returns the bytes to send, without the body for a HEAD request.
  package func bytes(keepsAlive: Bool, withoutBody: Bool = false) -> [UInt8] {
    var text = "HTTP/1.1 \(status.rawValue) \(status.words)\r\n"
    for (name, value) in headers + Self.protection { text += "\(name): \(value)\r\n" }
    if status != .switchingProtocols {
      if status != .noContent { text += "Content-Length: \(body.count)\r\n" }
      text += "Connection: \(keepsAlive ? "keep-alive" : "close")\r\n"
    }
    text += "\r\n"
    return Array(text.utf8) + (withoutBody ? [] : body)
  }
}
