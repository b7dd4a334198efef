// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import LinuxSystem

/// A closer for the connections of clients that have ended. Closing a connection discards unread
/// packets, which may contain the last descriptors of open files. Closing these files can block
/// (SO_LINGER of socket(7), a user-space file system). A separate thread therefore closes the
/// connections, so that the server's threads never wait.
final class LingeringClose {
  /// The connections that are still being closed. They count against their users' limits, because
  /// otherwise their number would be unlimited.
  private var slow: [ServerSocket] = []

  func close(_ socket: ServerSocket) {
    if socket.discard() { return socket.close() }
    slow.append(socket)
    // If no thread can be started, leave the connection open. It then counts against its user's
    // limit.
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
