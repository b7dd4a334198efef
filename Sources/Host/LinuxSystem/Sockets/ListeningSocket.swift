// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// A Unix socket that listens at a path. The socket's file is removed when the socket is closed.
public struct ListeningSocket: ~Copyable, Sendable {
  /// The kind of data that a connection transfers.
  public enum Kind: Sendable {
    /// A stream of bytes.
    case stream
    /// Whole packets.
    case packets

    var type: __socket_type { self == .stream ? SOCK_STREAM : SOCK_SEQPACKET }
  }

  private let descriptor: OwnedDescriptor
  public let path: String
  /// The identity of the socket's file, which shows whether another process has replaced the file.
  private let identity: FileIdentity?

  /// Listens at `path`. A socket file that remained from an ended process is replaced. If a running
  /// process listens at `path`, an error is thrown. `access` sets which users may connect; with
  /// `nil` the umask of the process decides.
  public init(
    path: String, kind: Kind = .stream, access: SocketAccess? = nil
  ) throws(SocketError) {
    let address = try SocketAddress(path)
    // The lock prevents a race: of two processes that find the same unused socket file, the second
    // would otherwise remove the socket file of the first.
    let lock = FolderLock(Self.folder(of: path))
    defer { lock.release() }
    let socket = try Self.open(path, kind)
    var failure = address.bind(socket.rawValue)
    if failure == EADDRINUSE {
      try Self.removeDead(address, path, kind)
      failure = address.bind(socket.rawValue)
      if failure == EADDRINUSE { throw SocketError(.inUse, path) }
    }
    if failure == ENOENT, FileIdentity(Self.folder(of: path)) != nil {
      // The folder of the socket exists, but files cannot be created in it (/proc).
      throw SocketError(.system(errno: failure), path)
    }
    guard failure == 0 else { throw SocketError(errno: failure, path) }
    // No client can connect before listen(2), so the permissions are set first.
    let refusal = access?.give(to: path) ?? 0
    let number = refusal != 0 ? refusal : listen(socket.rawValue, 64) == 0 ? 0 : errno
    guard number == 0 else {
      // The C function does not keep the string's pointer.
      _ = unsafe unlink(path)
      throw refusal != 0
        ? SocketError(.access(errno: number), path) : SocketError(errno: number, path)
    }
    descriptor = socket
    self.path = path
    identity = FileIdentity(path)
  }

  /// Takes over a listening socket that the parent of this process opened (systemd.socket(5)). This
  /// process does not remove the socket's file.
  public init(inheriting descriptor: consuming OwnedDescriptor, path: String) {
    _ = fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor.rawValue, F_SETFL, O_NONBLOCK)
    self.descriptor = descriptor
    self.path = path
    identity = nil
  }

  deinit {
    // The C function does not keep the string's pointer.
    if identity != nil, FileIdentity(path) == identity { _ = unsafe unlink(path) }
  }

  /// The socket's descriptor for poll(2). The descriptor is valid as long as this value exists.
  public var rawValue: Int32 { descriptor.rawValue }

  /// The result of accept(2).
  public enum Arrival: ~Copyable {
    case client(OwnedDescriptor)
    /// No client is waiting for a connection, or the client has already disconnected.
    case nobody
    /// No descriptors or memory are left for the client's connection.
    case noRoom
  }

  public borrowing func accept() -> Arrival {
    // The client's address is not needed, so both pointers are nil.
    let number = Glibc.accept(descriptor.rawValue, nil, nil)
    guard number >= 0 else {
      return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) ? .noRoom : .nobody
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return .client(OwnedDescriptor(owning: FileDescriptor(rawValue: number)))
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: Binding

  private static func open(_ path: String, _ kind: Kind) throws(SocketError) -> OwnedDescriptor {
    let kind = kind.type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let number = socket(AF_UNIX, Int32(kind), 0)
    guard number >= 0 else { throw SocketError(errno: errno, path) }
    return OwnedDescriptor(owning: FileDescriptor(rawValue: number))
  }

  /// Removes the file at `path` if it is a socket on which no process listens.
  private static func removeDead(
    _ address: SocketAddress, _ path: String, _ kind: Kind
  ) throws(SocketError) {
    guard let there = FileIdentity(path) else { return }
    guard there.isSocket else { throw SocketError(.notASocket, path) }
    let probe = try open(path, kind)
    switch address.connect(probe.rawValue) {
    case ECONNREFUSED:
      // The C function does not keep the string's pointer.
      if unsafe unlink(path) != 0, errno != ENOENT { throw SocketError(errno: errno, path) }
    case ENOENT: break
    // A process uses the path for a socket of the other kind.
    case EPROTOTYPE: throw SocketError(.inUse, path)
    case EACCES: throw SocketError(.noPermission, path)
    // The socket accepted the connection, or its queue is full, so a process listens.
    default: throw SocketError(.inUse, path)
    }
  }
}

/// A lock on a folder that is held for a short time. If the lock is not available within a second,
/// the caller continues without the lock, because the lock only prevents a race.
private struct FolderLock {
  private let descriptor: FileDescriptor?

  init(_ folder: String) {
    descriptor = try? FileDescriptor.open(
      FilePath(folder), .readOnly, options: [.closeOnExec, .directory])
    guard let descriptor else { return }
    for _ in 0..<20 where flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 { usleep(50_000) }
  }

  /// Closing the descriptor of the folder releases the lock on the folder.
  func release() { try? descriptor?.close() }
}

/// The identity of a file: its device and inode number.
private struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let node: ino_t
  private let mode: mode_t

  /// Reads the identity of the file at `path`; `nil` if there is no file or that identity cannot be
  /// read.
  init?(_ path: String) {
    var status = stat()
    // The C function does not keep the structure's pointer.
    guard unsafe lstat(path, &status) == 0 else { return nil }
    device = status.st_dev
    node = status.st_ino
    mode = status.st_mode
  }

  var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
}
