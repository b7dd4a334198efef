// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The number of a connection, which no later one has.
package typealias ConnectionNumber = UInt64

/// The side of a server that knows what to serve. All is called on the thread that serves, and
/// must not wait.
package protocol WebApplication: AnyObject {
  /// Returns the answer to a request that was let in; `nil`: it comes later, by the server's
  /// `reply`.
  func answer(_ request: HTTPRequest, from: ConnectionNumber, _ server: WebServer) -> HTTPAnswer?

  /// Returns how a WebSocket at that path, which offers these subprotocols, is taken.
  func welcome(_ request: HTTPRequest, offering: [String]) -> WebSocketWelcome

  func opened(_ socket: ConnectionNumber, _ request: HTTPRequest, _ protocol: String?, _: WebServer)
  func received(_ message: WebSocketMessage, from socket: ConnectionNumber, _ server: WebServer)
  func closed(_ socket: ConnectionNumber)

  /// The time at which `tick` is to be called next.
  var due: Timestamp { get }
  func tick(_ server: WebServer)

  /// Takes note of a request that was refused: its reason, a word, and what it said of itself.
  func refused(_ reason: String, _ detail: String)
}

/// The answer to a WebSocket that wants to be opened.
package enum WebSocketWelcome: Sendable {
  case taken(subprotocol: String?)
  case refused(HTTPAnswer)
}

/// The bounds of what strangers may take of a server.
package struct WebLimits: Sendable {
  /// Connections at once; of one more the stalest that no request has come over is closed.
  package var connections = 128
  /// Of these, WebSockets.
  package var webSockets = 64
  /// A request has to be there after so long, however slowly it is sent.
  package var request = TimeSpan.seconds(10)
  /// A connection lives so long after an answer.
  package var idle = TimeSpan.seconds(30)
  /// A WebSocket that nothing has come from for so long, no pong either, is closed; it is asked
  /// for one after a third of that.
  package var silence = TimeSpan.seconds(60)
  /// Bytes that wait for one client; with more it is closed.
  package var backlog = 4 << 20
  /// Messages a second that a client may send on the average of ten seconds.
  package var messages = 200

  package init() {}
}

/// Counts of a server's work, for metrics.
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
