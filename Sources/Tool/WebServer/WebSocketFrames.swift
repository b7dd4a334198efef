// SPDX-License-Identifier: Apache-2.0

/// A WebSocket message.
package enum WebSocketMessage: Equatable, Sendable {
  case text(String)
  case binary([UInt8])
}

/// The reason why a WebSocket is closed (RFC 6455, section 7.4.1).
package enum WebSocketClose: UInt16, Sendable {
  case normal = 1000
  case goingAway = 1001
  case protocolError = 1002
  case badText = 1007
  case policy = 1008
  case tooBig = 1009
}

/// Encodes frames from a server, which are not masked.
package enum WebSocketFrame {
  package static func bytes(_ message: WebSocketMessage) -> [UInt8] {
    switch message {
    case .text(let text): bytes(opcode: 1, Array(text.utf8))
    case .binary(let data): bytes(opcode: 2, data)
    }
  }

  package static func ping() -> [UInt8] { bytes(opcode: 9, []) }

  package static func close(_ reason: WebSocketClose) -> [UInt8] {
    bytes(opcode: 8, [UInt8(reason.rawValue >> 8), UInt8(reason.rawValue & 0xFF)])
  }

  static func bytes(opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x80 | opcode]
    let count = payload.count
    switch count {
    case ..<126: bytes.append(UInt8(count))
    case ...0xFFFF: bytes += [126, UInt8(count >> 8), UInt8(count & 0xFF)]
    default:
      bytes.append(127)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: count >> shift))
      }
    }
    return bytes + payload
  }
}

/// Decodes frames from a client (RFC 6455, section 5), and fails on protocol violations.
package struct WebSocketReader: Sendable {
  package enum Event: Equatable, Sendable {
    case message(WebSocketMessage)
    /// A ping, to be answered by a pong with these bytes.
    case ping([UInt8])
    case pong
    /// The client closes the connection.
    case close
    /// The connection must be closed.
    case failure(WebSocketClose)
  }

  /// The maximum size of a message in bytes.
  package static let most = 65_536

  private var waiting: [UInt8] = []
  private var fragments: [UInt8] = []
  private var fragmentsOpcode: UInt8?
  private var isOver = false

  package init() {}

  /// Decodes bytes; returns the completed events. Nothing is read after a close or failure.
  package mutating func read(_ bytes: [UInt8]) -> [Event] {
    guard !isOver else { return [] }
    waiting += bytes
    var events: [Event] = []
    var place = 0
    while !isOver, let event = next(from: &place) {
      if let event { events.append(event) }
    }
    waiting.removeFirst(place)
    return events
  }

  /// Returns the next frame's event, which is `nil` for a fragment; `nil` where the frame is
  /// incomplete.
  private mutating func next(from place: inout Int) -> Event?? {
    guard waiting.count >= place + 2 else { return nil }
    let (first, second) = (waiting[place], waiting[place + 1])
    let opcode = first & 0x0F
    let isControl = opcode >= 8
    // No extension was negotiated, and clients must mask.
    guard first & 0x70 == 0, second & 0x80 != 0, [0, 1, 2, 8, 9, 10].contains(opcode) else {
      return fail(.protocolError)
    }
    var start = place + 2
    var length = Int(second & 0x7F)
    if length >= 126 {
      guard !isControl else { return fail(.protocolError) }
      let size = length == 126 ? 2 : 8
      guard waiting.count >= start + size else { return nil }
      let number = waiting[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard number <= UInt64(Self.most) else { return fail(.tooBig) }
      length = Int(number)
      start += size
    }
    if isControl, first & 0x80 == 0 { return fail(.protocolError) }
    guard isControl || fragments.count + length <= Self.most else { return fail(.tooBig) }
    guard waiting.count >= start + 4 + length else { return nil }
    let mask = waiting[start..<start + 4]
    start += 4
    var payload = Array(waiting[start..<start + length])
    for index in payload.indices { payload[index] ^= mask[mask.startIndex + index % 4] }
    place = start + length
    return event(opcode, payload, isFinal: first & 0x80 != 0)
  }

  private mutating func event(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool) -> Event? {
    switch opcode {
    case 8:
      isOver = true
      return .close
    case 9: return .ping(payload)
    case 10: return .pong
    default: break
    }
    guard (opcode == 0) == (fragmentsOpcode != nil) else { return fail(.protocolError) }
    let kind = fragmentsOpcode ?? opcode
    fragments += payload
    guard isFinal else {
      fragmentsOpcode = kind
      return nil
    }
    let whole = fragments
    (fragments, fragmentsOpcode) = ([], nil)
    guard kind == 1 else { return .message(.binary(whole)) }
    guard let text = String(validating: whole, as: UTF8.self) else { return fail(.badText) }
    return .message(.text(text))
  }

  private mutating func fail(_ reason: WebSocketClose) -> Event {
    isOver = true
    return .failure(reason)
  }
}
