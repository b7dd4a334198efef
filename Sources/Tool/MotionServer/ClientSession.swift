// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import LinuxSystem
internal import Quantities
internal import Service
internal import Synchronization

/// One client connection, which both threads of a server share.
final class ClientSession: Sendable {
  let socket: ServerSocket
  /// The time when the client connected.
  let start = monotonicNow()
  let page: ClientPage
  /// The number of times that the client was woken.
  let wakes = Atomic<UInt64>(0)

  var peer: Peer { socket.peer }

  init(_ socket: ServerSocket) throws(SystemError) {
    page = ClientPage(
      try SharedMemory("otolith client", count: ClientPage.bytes, writers: .holders))
    self.socket = socket
  }

  /// Wakes the client's process if it waits for a sample up to the time `newest`. This function
  /// never blocks: if the client's socket is full, the client is awake or stopped.
  func wake(at newest: Timestamp) {
    guard page.takeSleeper(at: newest) else { return }
    wakes.add(1, ordering: .relaxed)
    socket.send(Self.wakeUp)
  }

  private static let wakeUp = ServiceReply.wake.bytes
}
