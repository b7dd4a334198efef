// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// SHA-1 (FIPS 180-4, section 6.1), which the WebSocket handshake requires. It is not used for
/// security there.
enum SHA1 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bits = UInt64(message.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for start in stride(from: 0, to: bytes.count, by: 64) {
      mix(bytes[start..<start + 64], into: &state)
    }
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
    var words: [UInt32] = []
    for place in stride(from: block.startIndex, to: block.endIndex, by: 4) {
      words.append(block[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    for index in 16..<80 {
      let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words.append(rotated(word, by: 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (f, k): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotated(a, by: 5) &+ f &+ e &+ k &+ words[index]
      (e, d, c, b, a) = (d, c, rotated(b, by: 30), a, next)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }
}

/// The WebSocket handshake (RFC 6455, section 4.2).
package enum WebSocketHandshake {
  /// Returns the subprotocols offered by a request, in order; `nil` where it does not request a
  /// WebSocket.
  package static func offers(_ request: HTTPRequest) -> [String]? {
    guard request.words("upgrade").contains("websocket"),
      request.words("connection").contains("upgrade")
    else { return nil }
    // Subprotocols are case-sensitive, unlike other words.
    return (request.headers["sec-websocket-protocol"] ?? "").split(separator: ",").map {
      HTTPParser.trimmed($0)
    }
  }

  /// Returns the response to a WebSocket request: the protocol switch, or an error.
  package static func answer(_ request: HTTPRequest, choosing subprotocol: String?) -> HTTPAnswer {
    guard request.method == "GET", let key = request.headers["sec-websocket-key"],
      Data(base64Encoded: key)?.count == 16
    else { return HTTPAnswer(.badRequest, "this is no handshake of a WebSocket") }
    guard request.headers["sec-websocket-version"] == "13" else {
      return HTTPAnswer(.upgradeRequired, headers: [("Sec-WebSocket-Version", "13")])
    }
    let digest = SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    var headers = [
      (name: "Upgrade", value: "websocket"), ("Connection", "Upgrade"),
      ("Sec-WebSocket-Accept", Data(digest).base64EncodedString()),
    ]
    if let subprotocol { headers.append(("Sec-WebSocket-Protocol", subprotocol)) }
    return HTTPAnswer(.switchingProtocols, headers: headers)
  }
}
