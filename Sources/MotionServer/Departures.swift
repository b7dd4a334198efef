// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import LinuxBus

/// Closes the connections of programs that have gone. Closing discards what was sent and not read,
/// and that may hold descriptors of files that are open nowhere else any more: closing those takes
/// as long as their maker chooses (SO_LINGER of socket(7), a file system of one's own). Neither
/// thread of a server may wait for that, so a third does.
final class Departures {
  /// Those that are being closed so. They take their users' places meanwhile, or they could be any
  /// number.
  private var slow: [ServerSocket] = []

  func close(_ socket: ServerSocket) {
    if socket.discard() { return socket.close() }
    slow.append(socket)
    // Without a thread it stays open, and takes its place: a process in such need has other cares.
    if let thread = try? startThread(name: "otolith close", { socket.close() }) {
      _ = consume thread  // nothing waits for it
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
