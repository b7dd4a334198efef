// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOHTTP1

/// The status of a response (RFC 9110, section 15).
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

  /// Returns the head of the response for NIO's encoder. The date in the head is `moment`, in
  /// seconds since 1970 (RFC 9110, section 6.6.1).
  func head(keepsAlive: Bool, at moment: Int = time(nil)) -> HTTPResponseHead {
    var fields = HTTPHeaders()
    for (name, value) in headers + Self.protection { fields.add(name: name, value: value) }
    fields.add(name: "Date", value: HTTPDate.text(moment))
    if status != .switchingProtocols {
      if status != .noContent { fields.add(name: "Content-Length", value: "\(body.count)") }
      fields.add(name: "Connection", value: keepsAlive ? "keep-alive" : "close")
    }
    return HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: status.rawValue), headers: fields)
  }
}

/// The format of a response's date (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns seconds since 1970 as text such as `Sun, 06 Nov 1994 08:49:37 GMT`; negative seconds
  /// count as 0.
  package static func text(_ seconds: Int) -> String {
    let seconds = max(0, seconds)
    var days = seconds / 86_400
    let weekday = Self.days[days % 7]
    var year = 1970
    while days >= length(of: year) {
      days -= length(of: year)
      year += 1
    }
    var month = 0
    while days >= length(ofMonth: month, year) {
      days -= length(ofMonth: month, year)
      month += 1
    }
    let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(twoDigits)
    return "\(weekday), \(twoDigits(days + 1)) \(months[month]) \(year) "
      + "\(clock.joined(separator: ":")) GMT"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
  private static func length(of year: Int) -> Int { isLeap(year) ? 366 : 365 }
  private static func length(ofMonth month: Int, _ year: Int) -> Int {
    switch month {
    case 1: isLeap(year) ? 29 : 28
    case 3, 5, 8, 10: 30
    default: 31
    }
  }
}
