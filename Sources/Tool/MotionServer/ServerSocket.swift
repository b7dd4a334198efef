// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
internal import Runtime
internal import Synchronization

/// The server's end of a connection, used by both threads. The connection is closed explicitly, not
/// by releasing the last reference, because closing may block: see `LingeringClose`.
final class ServerSocket: Sendable {
  private final class Held: Sendable {
    let socket: PacketSocket
    init(_ socket: consuming PacketSocket) { self.socket = socket }
  }
  // The socket is used only under the lock, so that no other thread holds a reference to it.
  private let held: Mutex<Held?>
  let peer: Peer
  /// The descriptor for poll(2), valid until the socket is closed.
  let descriptor: Int32

  init(_ socket: consuming PacketSocket) throws(SystemError) {
    peer = try Peer(of: socket)
    descriptor = socket.rawValue
    held = Mutex(Held(socket))
  }

  @discardableResult
  func send(_ bytes: [UInt8], descriptors: [Int32] = []) -> PacketSocket.Sending {
    held.withLock { $0?.socket.send(bytes, descriptors: descriptors) ?? .over(errno: 0) }
  }

  func receive(into buffer: inout [UInt8]) -> PacketSocket.Arrival {
    held.withLock { held in
      guard let held else { return .end }
      return held.socket.receive(into: &buffer)
    }
  }

  func carriesDescriptors() -> Bool? {
    held.withLock { held in
      // The socket is already closed, which the next read reports.
      guard let held else { return false }
      return held.socket.carriesDescriptors()
    }
  }

  func discard() -> Bool { held.withLock { $0?.socket.discard() ?? true } }

  /// Closes the socket on the calling thread.
  func close() {
    // Remove the socket under the lock and close it afterwards, so that `send` does not wait.
    _ = held.withLock { $0.take() }
    closed.store(true, ordering: .releasing)
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }
  private let closed = Atomic<Bool>(false)
}
