// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The process at the other end of a socket, as that process was when it connected (SO_PEERCRED,
/// unix(7)). The kernel supplies these values, so they cannot be forged.
public struct Peer: Equatable, Sendable {
  public let process: Int32
  public let user: UInt32
  public let group: UInt32
  /// The supplementary groups of the process at the other end.
  public let groups: [UInt32]

  /// Reads the identity of the peer. Throws if the kernel cannot supply the identity.
  public init(of socket: borrowing PacketSocket) throws(SystemError) {
    var peer = otolith_peer()
    // The C functions do not keep the pointers.
    let result = unsafe otolith_peer_of(socket.rawValue, &peer)
    guard result >= 0 else { throw SystemError(errno: -result) }
    // If the array is too small, SO_PEERGROUPS returns no groups. 65536 is the largest number that
    // a process can have on Linux.
    var groups: [UInt32] = []
    var count: Int32 = 0
    for room in [256, 65_536] {
      groups = [UInt32](repeating: 0, count: room)
      count = unsafe otolith_peer_groups(socket.rawValue, &groups, UInt32(room))  // valid here
      if count >= 0 { break }
    }
    self.init(
      process: peer.process, user: peer.user, group: peer.group,
      groups: count > 0 ? Array(groups.prefix(Int(count))) : [])
  }

  public init(process: Int32, user: UInt32, group: UInt32, groups: [UInt32] = []) {
    self.process = process
    self.user = user
    self.group = group
    self.groups = groups
  }

  /// Returns true if the process is in `group`.
  public func isMember(of group: UInt32) -> Bool {
    self.group == group || groups.contains(group)
  }
}
