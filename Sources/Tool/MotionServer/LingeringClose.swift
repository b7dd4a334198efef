// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import LinuxSystem

/// Closes the connections of programs that have ended. Closing discards unread packets, which may
/// contain the last descriptors of open files: closing these takes as long as the sender chooses
/// (SO_LINGER of socket(7), a user-space file system). Neither thread of the server may wait for
/// it, so a third one does.
final class LingeringClose {
  /// The connections being closed in this way. They count against their users' limits; otherwise
  /// there could be any number.
  private var slow: [ServerSocket] = []

  func close(_ socket: ServerSocket) {
    if socket.discard() { return socket.close() }
    slow.append(socket)
    // If no thread can be started, leave it open and let it count against the limit.
    if let thread = try? startThread(name: "otolith close", { socket.close() }) {
      _ = consume thread  // nothing joins it
    }
  }

  func count(ofUser user: UInt32) -> Int {
    forget()
    return slow.count { $0.peer.user == user }
  }

  var count: Int {
    forget()
    return slow.count
  }

  private func forget() { slow.removeAll { $0.isClosed } }
}
