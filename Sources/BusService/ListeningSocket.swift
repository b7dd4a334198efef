// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LinuxBus
internal import SystemPackage

/// A unix stream socket that listens at a path, and takes its file away with itself.
struct ListeningSocket: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor
  let path: String
  /// Which file it made: another process may have put its own there since.
  private let identity: FileIdentity?

  /// Listens at `path`. The socket file of a process that is no more is replaced; that of a living one is an error.
  init(path: String) throws(ServerError) {
    let address = try SocketAddress(path)
    // Two that find the same dead socket must not both replace it, or the second takes away the first one's.
    let lock = FolderLock(Self.folder(of: path))
    defer { lock.release() }
    let socket = try Self.open(path)
    var failure = address.bind(socket.rawValue)
    if failure == EADDRINUSE {
      try Self.removeDead(address, path)
      failure = address.bind(socket.rawValue)
      if failure == EADDRINUSE { throw ServerError(.inUse, path) }
    }
    if failure == ENOENT, FileIdentity(Self.folder(of: path)) != nil {
      // The folder is there, and is none that files can be made in (/proc).
      throw ServerError(.system(errno: failure), path)
    }
    guard failure == 0 else { throw ServerError(errno: failure, path) }
    guard listen(socket.rawValue, 64) == 0 else {
      let number = errno
      // The string lives for the call alone.
      _ = unsafe unlink(path)
      throw ServerError(errno: number, path)
    }
    descriptor = socket
    self.path = path
    identity = FileIdentity(path)
  }

  deinit {
    // The string lives for the call alone.
    if identity != nil, FileIdentity(path) == identity { _ = unsafe unlink(path) }
  }

  /// For poll(2). Valid as long as this value lives.
  var rawValue: Int32 { descriptor.rawValue }

  /// What accept(2) gave.
  enum Arrival: ~Copyable {
    case client(OwnedDescriptor)
    /// Nobody is there, or went away again.
    case nobody
    /// There are no descriptors or no memory left.
    case noRoom
  }

  borrowing func accept() -> Arrival {
    // Nobody asks for the address of a client.
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

  private static func open(_ path: String) throws(ServerError) -> OwnedDescriptor {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let number = socket(AF_UNIX, Int32(kind), 0)
    guard number >= 0 else { throw ServerError(errno: errno, path) }
    return OwnedDescriptor(owning: FileDescriptor(rawValue: number))
  }

  /// Removes the file at `path` if it is a socket that nobody listens on.
  private static func removeDead(_ address: SocketAddress, _ path: String) throws(ServerError) {
    guard let there = FileIdentity(path) else { return }
    guard there.isSocket else { throw ServerError(.notASocket, path) }
    let probe = try open(path)
    switch address.connect(probe.rawValue) {
    case ECONNREFUSED:
      // The string lives for the call alone.
      if unsafe unlink(path) != 0, errno != ENOENT { throw ServerError(errno: errno, path) }
    case ENOENT: break
    case EACCES: throw ServerError(.noPermission, path)
    // It took the connection, or has so many waiting that it would not.
    default: throw ServerError(.inUse, path)
    }
  }
}

/// The lock on a folder, held for a moment. Where it cannot be had within a second, nobody is kept waiting: it guards
/// against a race and nothing else.
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

/// Which file lies at a path.
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

/// A path as the socket calls want it.
struct SocketAddress {
  private var address: sockaddr_un

  init(_ path: String) throws(ServerError) {
    address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard bytes.count <= limit else { throw ServerError(.tooLong(limit: limit), path) }
    // The count was checked above; the rest stays zero and ends the text.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
  }

  /// bind(2); 0 or the errno.
  func bind(_ descriptor: Int32) -> Int32 {
    // The address lives for the call alone.
    unsafe withPointer { unsafe Glibc.bind(descriptor, $0, $1) == 0 ? 0 : errno }
  }

  /// connect(2); 0 or the errno.
  func connect(_ descriptor: Int32) -> Int32 {
    // The address lives for the call alone.
    unsafe withPointer { unsafe Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
  }

  private func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    // sockaddr is how the calls name any address; its family says which it is.
    unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
