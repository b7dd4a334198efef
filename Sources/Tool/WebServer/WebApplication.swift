// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The number of a connection; numbers are never reused.
package typealias ConnectionNumber = UInt64

/// The application that a server serves. All functions are called on the server's thread, so they
/// must not block.
package protocol WebApplication: AnyObject {
  /// Returns the response to an allowed request; `nil` if the application sends the response later
  /// with the server's `reply`.
  func answer(_ request: HTTPRequest, from: ConnectionNumber, _ server: WebServer) -> HTTPAnswer?

  /// Returns the decision whether the server accepts a WebSocket at this path with these
  /// subprotocols.
  func welcome(_ request: HTTPRequest, offering: [String]) -> WebSocketWelcome

  func opened(_ socket: ConnectionNumber, _ request: HTTPRequest, _ protocol: String?, _: WebServer)
  func received(_ message: WebSocketMessage, from socket: ConnectionNumber, _ server: WebServer)
  func closed(_ socket: ConnectionNumber)

  /// The time at which `tick` must be called next.
  var due: Timestamp { get }
  func tick(_ server: WebServer)

  /// Handles a rejected request. `reason` is a word for counters, and `detail` is text from the
  /// request.
  func refused(_ reason: String, _ detail: String)
}

/// The decision about a request for a WebSocket.
package enum WebSocketWelcome: Sendable {
  case taken(subprotocol: String?)
  case refused(HTTPAnswer)
}

/// The limits for clients.
package struct WebLimits: Sendable {
  /// The largest number of connections. To accept a further connection, the server closes an idle
  /// one, preferably one that has never sent a request.
  package var connections = 128
  /// The largest number of WebSockets among the connections.
  package var webSockets = 64
  /// The time within which a request must be complete.
  package var request = TimeSpan.seconds(10)
  /// The time after a response at which an idle connection is closed.
  package var idle = TimeSpan.seconds(30)
  /// The time after which a WebSocket is closed if it has sent no data, not even a pong. A ping is
  /// sent after a third of this time.
  package var silence = TimeSpan.seconds(60)
  /// The largest number of bytes queued for one client. Above this number the connection is closed.
  package var backlog = 4 << 20
  /// The largest mean number of messages per second from a client, measured over ten seconds.
  package var messages = 200

  package init() {}
}

/// The counters of a server, for metrics.
package struct WebCounts: Sendable {
  package var accepted: UInt64 = 0
  package var requests: UInt64 = 0
  package var evicted: UInt64 = 0
  package var bytesSent: UInt64 = 0
  package var refused: [String: UInt64] = [:]
  package var open = 0
  package var webSockets = 0

  package init() {}
}
