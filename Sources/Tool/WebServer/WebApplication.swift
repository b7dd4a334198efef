// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The number of a connection, which is never reused.
package typealias ConnectionNumber = UInt64

/// The application that a server serves. All functions are called on the server's thread, and must
/// not block.
package protocol WebApplication: AnyObject {
  /// Returns the response to an allowed request; `nil` if it is sent later by the server's `reply`.
  func answer(_ request: HTTPRequest, from: ConnectionNumber, _ server: WebServer) -> HTTPAnswer?

  /// Returns whether a WebSocket at that path, with these subprotocols, is accepted.
  func welcome(_ request: HTTPRequest, offering: [String]) -> WebSocketWelcome

  func opened(_ socket: ConnectionNumber, _ request: HTTPRequest, _ protocol: String?, _: WebServer)
  func received(_ message: WebSocketMessage, from socket: ConnectionNumber, _ server: WebServer)
  func closed(_ socket: ConnectionNumber)

  /// The time of the next call of `tick`.
  var due: Timestamp { get }
  func tick(_ server: WebServer)

  /// Handles a refused request: its reason, a word, and details from the request.
  func refused(_ reason: String, _ detail: String)
}

/// The decision on a WebSocket request.
package enum WebSocketWelcome: Sendable {
  case taken(subprotocol: String?)
  case refused(HTTPAnswer)
}

/// The limits for clients.
package struct WebLimits: Sendable {
  /// The maximum number of connections. For a further one an idle connection is closed, first those
  /// that never sent a request.
  package var connections = 128
  /// The maximum number of WebSockets among them.
  package var webSockets = 64
  /// The timeout for a complete request.
  package var request = TimeSpan.seconds(10)
  /// The idle timeout after a response.
  package var idle = TimeSpan.seconds(30)
  /// The timeout without data from a WebSocket, pongs included; it gets a ping after a third of
  /// that.
  package var silence = TimeSpan.seconds(60)
  /// The maximum number of bytes queued for one client; beyond it the connection is closed.
  package var backlog = 4 << 20
  /// The maximum number of messages per second from a client, averaged over ten seconds.
  package var messages = 200

  package init() {}
}

/// Counters of a server for metrics.
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
