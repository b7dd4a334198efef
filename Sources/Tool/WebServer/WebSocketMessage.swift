// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import NIOCore

/// A complete WebSocket message.
package enum WebSocketMessage: Equatable, Sendable {
  case text(String)
  case binary([UInt8])

  /// The largest size of a message from a client, in bytes. It applies to whole messages and to the
  /// sum of fragments.
  package static let most = 65_536
}

/// A text message that is encoded once and sent to many clients.
package struct SharedText: Sendable {
  let bytes: ByteBuffer

  package init(_ text: String) { bytes = ByteBuffer(string: text) }
}

/// The reason why a WebSocket is closed (RFC 6455, section 7.4.1).
package enum WebSocketClose: UInt16, Sendable {
  case normal = 1000
  case goingAway = 1001
  case protocolError = 1002
  case badText = 1007
  case policy = 1008
  case tooBig = 1009

  /// Returns the status that answers a client's close frame: the client's own status, or the reason
  /// why the frame is invalid.
  package static func answer(toClose payload: [UInt8]) -> UInt16 {
    guard !payload.isEmpty else { return normal.rawValue }
    guard payload.count >= 2 else { return protocolError.rawValue }
    let status = UInt16(payload[0]) << 8 | UInt16(payload[1])
    switch status {
    // Codes 1004 to 1006 and 1015 are never sent, and other codes below 3000 are not defined.
    case 1000...1003, 1007...1014, 3000...4999: break
    default: return protocolError.rawValue
    }
    guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
      return badText.rawValue
    }
    return status
  }
}

/// A request to open a WebSocket (RFC 6455, section 4.2).
package enum WebSocketHandshake {
  /// Returns the subprotocols that a request offers, in order; `nil` if the request is not for a
  /// WebSocket.
  package static func offers(_ request: HTTPRequest) -> [String]? {
    guard request.words("upgrade").contains("websocket"),
      request.words("connection").contains("upgrade")
    else { return nil }
    // Subprotocol names are case-sensitive, unlike the words of other headers.
    return (request.headers["sec-websocket-protocol"] ?? "").split(separator: ",").map {
      HTTPRequest.trimmed($0)
    }
  }

  /// Returns the response to an invalid request for a WebSocket; `nil` if the request is valid.
  package static func refusal(_ request: HTTPRequest) -> HTTPAnswer? {
    guard request.method == "GET", let key = request.headers["sec-websocket-key"],
      Data(base64Encoded: key)?.count == 16
    else { return HTTPAnswer(.badRequest, "this is not a WebSocket handshake") }
    guard request.headers["sec-websocket-version"] == "13" else {
      return HTTPAnswer(.upgradeRequired, headers: [("Sec-WebSocket-Version", "13")])
    }
    return nil
  }
}
