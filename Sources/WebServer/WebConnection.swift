// SPDX-License-Identifier: Apache-2.0
internal import FlyingSocks
internal import Foundation
internal import Quantities

/// One connection: what has come and what is to go, and since when it waits for what.
struct WebConnection {
  enum Stage {
    /// A request is to come.
    case request
    case webSocket(WebSocketReader)
    /// The bytes that wait are sent, then it ends.
    case ending
    /// All is sent; the client's end is waited for, or it might lose the last answer.
    case ended
  }

  let number: ConnectionNumber
  let socket: Socket
  /// The other end, for people.
  let peer: String
  var stage = Stage.request
  var inbox: [UInt8] = []
  private(set) var outbox = Data()
  /// The request whose answer is to come.
  var awaited: HTTPRequest?
  /// True where a request has been answered.
  var wasServed = false
  /// The time from which the limit of its stage counts.
  var since: Timestamp
  /// The time at which something was taken or sent last.
  var heard: Timestamp
  var wasPinged = false
  /// Messages of the present ten seconds.
  var messages = (since: Timestamp.zero, count: 0)

  init(_ number: ConnectionNumber, _ socket: Socket, peer: String, at now: Timestamp) {
    self.number = number
    self.socket = socket
    self.peer = peer
    since = now
    heard = now
  }

  var isWebSocket: Bool { if case .webSocket = stage { true } else { false } }

  /// True where it holds a place and nothing more: another may have it.
  var isEvictable: Bool {
    switch stage {
    case .request: awaited == nil
    case .ending, .ended: true
    case .webSocket: false
    }
  }

  var descriptor: Int32 { socket.file.rawValue }

  /// True where poll is to wait for bytes: nothing more is read while an answer waits.
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

  /// Sends what waits, as far as it is taken; counts it.
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

  /// Takes up to 64 kB of what has come; `nil` where the other end is gone.
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
