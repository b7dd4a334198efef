// SPDX-License-Identifier: Apache-2.0
import MotionViews
import WebServer

/// Takes what a stranger sends to the port of `serve`: a request, the frames of a WebSocket, and
/// a message of Foxglove's protocol. It is the same in whatever pieces it comes.
func takeWeb(_ bytes: [UInt8]) {
  let place = bytes.isEmpty ? 0 : Int(bytes[0]) % bytes.count
  takeRequest(bytes, cutAt: place)
  var whole = WebSocketReader()
  let events = whole.read(bytes)
  var pieces = WebSocketReader()
  let first = pieces.read(Array(bytes[..<place]))
  check(first + pieces.read(Array(bytes[place...])) == events, "frames in pieces are others")
  var client = FoxgloveClient()
  for event in events {
    guard case .message(.text(let text)) = event else { continue }
    for answer in client.receive(text) { check(!answer.isEmpty, "an answer without a word") }
  }
  // And without the frame around it, which has to be masked.
  _ = client.receive(String(decoding: bytes, as: UTF8.self))
}

private func takeRequest(_ bytes: [UInt8], cutAt place: Int) {
  let outcome = HTTPParser.parse(bytes)
  guard case .request(let request, let length) = outcome else { return }
  check(0 < length && length <= bytes.count, "a request of \(length) bytes of \(bytes.count)")
  check(request.body.count <= HTTPParser.mostBody, "a body of \(request.body.count) bytes")
  check(HTTPParser.parse(bytes + [0x47]) == outcome, "what follows changes a request")
  if place < length {
    check(HTTPParser.parse(Array(bytes[..<place])) == .incomplete, "half a request is one")
  }
  _ = (request.words("connection"), request.value("token"))
}
