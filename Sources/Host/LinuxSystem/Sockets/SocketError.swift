// SPDX-License-Identifier: Apache-2.0
internal import SystemPackage

/// The reason why a server could not listen.
public struct SocketError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Cause: Equatable, Sendable {
    /// A running process already listens at the socket's path.
    case inUse
    /// The file at the socket's path is not a socket.
    case notASocket
    /// The path has more than `limit` bytes, the largest size of a socket's path.
    case tooLong(limit: Int)
    case noFolder
    case noPermission
    /// The group or permissions of the socket could not be set.
    case access(errno: Int32)
    /// The descriptor from the service manager is not the required socket. The text describes what
    /// it is.
    case inherited(String)
    case system(errno: Int32)
  }

  public let cause: Cause
  public let path: String

  init(_ cause: Cause, _ path: String) {
    self.cause = cause
    self.path = path
  }

  /// Creates the error for an error number of bind(2).
  init(errno number: Int32, _ path: String) {
    self.path = path
    switch Errno(rawValue: number) {
    case .noSuchFileOrDirectory, .notDirectory: cause = .noFolder
    case .permissionDenied, .notPermitted, .readOnlyFileSystem: cause = .noPermission
    default: cause = .system(errno: number)
    }
  }

  /// The error in one line for users: what failed and what to do.
  public var description: String {
    let folder = ListeningSocket.folder(of: path)
    switch cause {
    case .inUse:
      return "\(path): another process listens on this socket; end it, or choose another path"
    case .notASocket:
      return "\(path): exists and is not a socket; remove it, or choose another path"
    case .tooLong(let limit):
      return
        "\(path): a socket's path has \(limit) bytes at most, and this one \(path.utf8.count); "
        + "choose a shorter one, such as /tmp/otolith.sock"
    case .noFolder:
      return "\(path): there is no folder \(folder); make it, or choose another path"
    case .noPermission:
      return "\(path): no permission to make a socket in \(folder); choose a folder that belongs "
        + "to you"
    case .access(let number):
      return
        "\(path): cannot give the socket to that group: \(Errno(rawValue: number)); run as a "
        + "member of it, or as root"
    case .inherited(let what):
      return
        "\(path), the socket passed in LISTEN_FDS, is \(what); it must be one that listens for "
        + "sequential packets at a path (ListenSequentialPacket= of otolith.socket)"
    case .system(let number):
      return "\(path): cannot listen on this socket: \(Errno(rawValue: number))"
    }
  }
}
