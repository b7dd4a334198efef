// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The users who may connect to a socket: its owner, and a group.
public struct SocketAccess: Equatable, Sendable {
  /// The group's id; `nil`: that of the process.
  public var group: UInt32?
  /// Permissions of the socket's file; a user that may write may connect (unix(7)).
  public var mode: UInt16

  public init(group: UInt32? = nil, mode: UInt16 = 0o660) {
    self.group = group
    self.mode = mode
  }

  /// Of the file at `path`; `nil` where there is none.
  public init?(of path: String) {
    var status = stat()
    // Written within the call alone.
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(group: status.st_gid, mode: UInt16(status.st_mode & 0o777))
  }

  /// The id of the group of this name; `nil` where there is none.
  public static func group(named name: String) -> UInt32? {
    // The string lives for the call alone.
    UInt32(exactly: unsafe otolith_group_id(name))
  }

  /// Returns true where this process may give a file of its own to the group: as root, or as a
  /// member (chown(2)).
  public static func canGive(to group: UInt32) -> Bool {
    if geteuid() == 0 || getegid() == group { return true }
    var groups = [gid_t](repeating: 0, count: 65_536)
    // Written within the call alone, at most as many as there is room for: as many as Linux lets a
    // process have.
    let count = unsafe getgroups(Int32(groups.count), &groups)
    return groups.prefix(Int(max(count, 0))).contains(group)
  }

  /// The name of a group, or its number.
  public static func name(ofGroup id: UInt32) -> String {
    var room = [CChar](repeating: 0, count: 256)
    // Written within the call alone, and ended by it.
    guard unsafe otolith_group_name(id, &room, room.count) >= 0 else { return "\(id)" }
    return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The advice for others than root where a service of root's has no group: to be in root's own is
  /// to read whatever that group may.
  package static let stepBeyondRoot =
    "run it for a group: sudo groupadd --system otolith; sudo usermod -aG otolith $USER; start it "
    + "anew (sudo otolith service --group otolith), then log in again"

  /// Sets owner and permissions of the file at `path`; 0 or the errno.
  func give(to path: String) -> Int32 {
    // The strings live for the calls alone.
    if let group, unsafe chown(path, uid_t.max, group) != 0 { return errno }
    return unsafe chmod(path, mode_t(mode)) == 0 ? 0 : errno  // as above
  }
}
