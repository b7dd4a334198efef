// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import LinuxBus
internal import SystemPackage

/// A unix socket that listens at a path, and takes its file away with itself.
public struct ListeningSocket: ~Copyable, Sendable {
  /// The kind of data that its connections carry.
  public enum Kind: Sendable {
    /// Bytes.
    case stream
    /// Whole packets.
    case packets

    var type: __socket_type { self == .stream ? SOCK_STREAM : SOCK_SEQPACKET }
  }

  private let descriptor: OwnedDescriptor
  public let path: String
  /// The identity of the file it made: another process may have put its own there since.
  private let identity: FileIdentity?

  /// Listens at `path`. The socket file of a process that is no more is replaced; that of a living
  /// one is an error. `access` gives the users who may connect; `nil`: as the process's umask has
  /// it.
  public init(
    path: String, kind: Kind = .stream, access: SocketAccess? = nil
  ) throws(SocketError) {
    let address = try SocketAddress(path)
    // Two that find the same dead socket must not both replace it, or the second takes away the
    // first one's.
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
      // The folder is there, and is none that files can be made in (/proc).
      throw SocketError(.system(errno: failure), path)
    }
    guard failure == 0 else { throw SocketError(errno: failure, path) }
    // Before it listens no client can connect, so none gets in that has no right to.
    let refusal = access?.give(to: path) ?? 0
    let number = refusal != 0 ? refusal : listen(socket.rawValue, 64) == 0 ? 0 : errno
    guard number == 0 else {
      // The string lives for the call alone.
      _ = unsafe unlink(path)
      throw refusal != 0
        ? SocketError(.access(errno: number), path) : SocketError(errno: number, path)
    }
    descriptor = socket
    self.path = path
    identity = FileIdentity(path)
  }

  /// A socket that listens already: opened by the parent of this process (systemd.socket(5)). Its
  /// file is not this process's to take away.
  public init(inheriting descriptor: consuming OwnedDescriptor, path: String) {
    _ = fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor.rawValue, F_SETFL, O_NONBLOCK)
    self.descriptor = descriptor
    self.path = path
    identity = nil
  }

  deinit {
    // The string lives for the call alone.
    if identity != nil, FileIdentity(path) == identity { _ = unsafe unlink(path) }
  }

  /// For poll(2). Valid as long as this value lives.
  public var rawValue: Int32 { descriptor.rawValue }

  /// The outcome of accept(2).
  public enum Arrival: ~Copyable {
    case client(OwnedDescriptor)
    /// No client is there, or it went away again.
    case nobody
    /// There are no descriptors or no memory left.
    case noRoom
  }

  public borrowing func accept() -> Arrival {
    // The address of a client is not needed.
    let number = Glibc.accept(descriptor.rawValue, nil, nil)
    guard number >= 0 else {
      return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) ? .noRoom : .nobody
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return .client(OwnedDescriptor(owning: FileDescriptor(rawValue: number)))
  }

  /// The folder that `path` is in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: Taking the place

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
      // The string lives for the call alone.
      if unsafe unlink(path) != 0, errno != ENOENT { throw SocketError(errno: errno, path) }
    case ENOENT: break
    // Of the other kind.
    case EPROTOTYPE: throw SocketError(.inUse, path)
    case EACCES: throw SocketError(.noPermission, path)
    // It took the connection, or has so many waiting that it would not.
    default: throw SocketError(.inUse, path)
    }
  }
}

/// The lock on a folder, held for a moment. Where it cannot be had within a second, the caller goes
/// on without it: it guards against a race and nothing else.
private struct FolderLock {
  private let descriptor: FileDescriptor?

  init(_ folder: String) {
    descriptor = try? FileDescriptor.open(
      FilePath(folder), .readOnly, options: [.closeOnExec, .directory])
    guard let descriptor else { return }
    for _ in 0..<20 where flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 { usleep(50_000) }
  }

  /// Closing it releases the lock.
  func release() { try? descriptor?.close() }
}

/// The identity of the file at a path.
private struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let node: ino_t
  private let mode: mode_t

  /// `nil` where there is none, or it cannot be told.
  init?(_ path: String) {
    var status = stat()
    // Written within the call alone.
    guard unsafe lstat(path, &status) == 0 else { return nil }
    device = status.st_dev
    node = status.st_ino
    mode = status.st_mode
  }

  var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
}
