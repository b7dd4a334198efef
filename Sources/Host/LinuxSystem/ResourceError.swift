// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The error that a resource of this process could not be created: a thread, or a file descriptor
/// without a path.
public struct ResourceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of resource.
  public enum Kind: Equatable, Sendable {
    /// A thread.
    case thread
    /// The resource is a file descriptor without a path.
    case descriptor
  }

  public let kind: Kind
  /// The name of the thread, or the use of the descriptor.
  public let name: String
  /// The error number of the operating system, errno(3).
  public let errno: Int32

  package init(_ kind: Kind, _ name: String, errno: Int32) {
    self.kind = kind
    self.name = name
    self.errno = errno
  }

  /// The error in one line for users: what failed, the likely cause and what to do.
  public var description: String {
    switch (kind, errno) {
    case (_, EMFILE), (_, ENFILE):
      "cannot open \(subject): too many files are open; \(Self.stepForTooMany(errno))"
    // EAGAIN from pthread_create(3) means that no more threads can be created.
    case (.thread, EAGAIN), (.thread, ENOMEM):
      "cannot start \(subject): no thread or memory is left for it (errno \(errno)); raise the "
        + "process's limits (ulimit -v and -u, in a unit LimitAS=, MemoryMax= and TasksMax=)"
    case (.thread, _): "cannot start \(subject): errno \(errno)"
    case (.descriptor, _): "cannot open \(subject): file descriptor, errno \(errno)"
    }
  }

  private var subject: String { kind == .thread ? "thread \"\(name)\"" : name }

  /// Returns advice for EMFILE or ENFILE, when no more descriptors can be opened.
  package static func stepForTooMany(_ number: Int32) -> String {
    number == ENFILE
      ? "the system's limit is reached (sysctl fs.file-max)"
      : "raise the process's limit (ulimit -n 1024, in a unit LimitNOFILE=)"
  }
}
