// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The users who may connect to a socket: its owner and the members of a group.
public struct SocketAccess: Equatable, Sendable {
  /// The group's id; `nil` for the group of the process.
  public var group: UInt32?
  /// The permissions of the socket's file. Users with write permission may connect (unix(7)).
  public var mode: UInt16

  public init(group: UInt32? = nil, mode: UInt16 = 0o660) {
    self.group = group
    self.mode = mode
  }

  /// Reads the group and the permissions of the file at `path`; `nil` if there is no file.
  public init?(of path: String) {
    var status = stat()
    // The C function does not keep the structure's pointer.
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(group: status.st_gid, mode: UInt16(status.st_mode & 0o777))
  }

  /// Returns the id of the group with this name; `nil` if there is no such group.
  public static func group(named name: String) -> UInt32? {
    // The C function does not keep the string's pointer.
    UInt32(exactly: unsafe otolith_group_id(name))
  }

  /// Returns true if this process may give its files to the group: as root, or as a member
  /// (chown(2)).
  public static func canGive(to group: UInt32) -> Bool {
    if geteuid() == 0 || getegid() == group { return true }
    var groups = [gid_t](repeating: 0, count: 65_536)
    // getgroups(2) does not keep the array's pointer. The array has room for 65536 groups, the most
    // that a process can have on Linux.
    let count = unsafe getgroups(Int32(groups.count), &groups)
    return groups.prefix(Int(max(count, 0))).contains(group)
  }

  /// Returns the name of a group, or its number if it has no name.
  public static func name(ofGroup id: UInt32) -> String {
    var room = [CChar](repeating: 0, count: 256)
    // The C function writes the text with a terminating zero, and does not keep the pointer.
    guard unsafe otolith_group_name(id, &room, room.count) >= 0 else { return "\(id)" }
    return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The advice for other users if root's service has no group. Joining root's own group would give
  /// access to all files of that group.
  package static let stepBeyondRoot =
    "run it for a group: sudo groupadd --system otolith; sudo usermod -aG otolith $USER; start it "
    + "again (sudo otolith service --group otolith), then log in again"

  /// Sets the group and the permissions of the file at `path`. Returns 0 or the errno.
  func give(to path: String) -> Int32 {
    // The C function does not keep the string's pointer.
    if let group, unsafe chown(path, uid_t.max, group) != 0 { return errno }
    return unsafe chmod(path, mode_t(mode)) == 0 ? 0 : errno  // the C function keeps no pointer
  }
}
