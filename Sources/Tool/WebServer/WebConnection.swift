// SPDX-License-Identifier: Apache-2.0
internal import FlyingSocks
internal import Foundation
internal import Quantities

/// One connection: its received and pending bytes, its stage and timeouts.
struct WebConnection {
  enum Stage {
    /// Waiting for a request.
    case request
    case webSocket(WebSocketReader)
    /// The pending bytes are sent, then the connection ends.
    case ending
    /// Everything was sent; closing waits for the client, which might otherwise lose the last
    /// response.
    case ended
  }

  let number: ConnectionNumber
  let socket: Socket
  /// The peer's address, for users.
  let peer: String
  var stage = Stage.request
  var inbox: [UInt8] = []
  private(set) var outbox = Data()
  /// The request whose response is pending.
  var awaited: HTTPRequest?
  /// True where a request was answered.
  var wasServed = false
  /// The start of the stage's timeout.
  var since: Timestamp
  /// The time of the last transfer.
  var heard: Timestamp
  var wasPinged = false
  /// The messages in the current ten seconds.
  var messages = (since: Timestamp.zero, count: 0)

  init(_ number: ConnectionNumber, _ socket: Socket, peer: String, at now: Timestamp) {
    self.number = number
    self.socket = socket
    self.peer = peer
    since = now
    heard = now
  }

  var isWebSocket: Bool { if case .webSocket = stage { true } else { false } }

  /// True where the connection is idle, so that it can be closed in favour of another.
  var isEvictable: Bool {
    switch stage {
    case .request: awaited == nil
    case .ending, .ended: true
    case .webSocket: false
    }
  }

  var descriptor: Int32 { socket.file.rawValue }

  /// True where to poll for input: nothing is read while a response is pending.
  var wantsToRead: Bool {
    switch stage {
    case .request: outbox.isEmpty && awaited == nil
    case .webSocket, .ended: true
    case .ending: false
    }
  }
  var wantsToWrite: Bool { !outbox.isEmpty }

  mutating func queue(_ bytes: [UInt8]) { outbox.append(contentsOf: bytes) }

  enum Progress { case going, blocked, gone }

  /// Sends as many pending bytes as the socket accepts, and counts them.
  mutating func flush(_ sent: inout UInt64, at now: Timestamp) -> Progress {
    while !outbox.isEmpty {
      do {
        let next = try socket.write(outbox, from: outbox.startIndex)
        sent += UInt64(next - outbox.startIndex)
        outbox = next == outbox.endIndex ? Data() : outbox.subdata(in: next..<outbox.endIndex)
        since = isWebSocket ? since : now
      } catch SocketError.blocked { return .blocked } catch { return .gone }
    }
    return .going
  }

  /// Returns up to 64 kB of received data; `nil` where the peer is gone.
  func received() -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < 1 << 16 {
      do { bytes += try socket.read(atMost: 1 << 14) } catch SocketError.blocked {
        return bytes
      } catch { return bytes.isEmpty ? nil : bytes }
    }
    return bytes
  }
}
