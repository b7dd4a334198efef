// SPDX-License-Identifier: Apache-2.0
internal import CLinux
public import LinuxBus
internal import SystemPackage

/// Memory that processes share, of a size that never changes: no process can take it from under
/// another that reads it.
@safe
public final class SharedMemory: Sendable {
  // What lies there is the owner's business.
  public nonisolated(unsafe) let address: UnsafeMutableRawPointer  // constant, mapped until deinit
  /// Bytes.
  public let count: Int
  private let descriptor: OwnedDescriptor

  /// The other processes that may write, besides the one that made it.
  public enum Writers: Sendable {
    /// None: other processes can map it for reading alone (F_SEAL_FUTURE_WRITE, Linux 5.1).
    case none
    /// Every process that has the descriptor.
    case holders
  }

  /// New memory, zeroed; the kernel shows it as `name`. Throws the error number of the system.
  public init(_ name: String, count: Int, writers: Writers) throws(SystemError) {
    var address: UnsafeMutableRawPointer?
    // The pointers live for the call alone.
    let result = unsafe otolith_memory_make(name, count, writers == .none ? 1 : 0, &address)
    guard result >= 0, let address = unsafe address else { throw SystemError(errno: -result) }
    unsafe self.address = address
    self.count = count
    descriptor = OwnedDescriptor(owning: FileDescriptor(rawValue: result))
  }

  /// Maps memory that another process made and this one was given; `count`: as many bytes as it
  /// has. Throws EINVAL where it has another size, or could still shrink.
  public init(
    mapping descriptor: consuming OwnedDescriptor, count: Int? = nil, writing: Bool = false
  ) throws(SystemError) {
    var address: UnsafeMutableRawPointer?
    let count = count ?? Int(otolith_memory_size(descriptor.rawValue))
    guard count > 0 else { throw SystemError(errno: Errno.invalidArgument.rawValue) }
    // The pointer lives for the call alone.
    let result = unsafe otolith_memory_map(
      descriptor.rawValue, count, writing ? 1 : 0, &address)
    guard result >= 0, let address = unsafe address else { throw SystemError(errno: -result) }
    unsafe self.address = address
    self.count = count
    self.descriptor = descriptor
  }

  /// To be given to another process. Valid as long as this object lives.
  public var fileDescriptor: Int32 { descriptor.rawValue }

  // Nothing else uses it any more: users hold this object.
  deinit { unsafe otolith_memory_unmap(address, count) }
}

/// A call of the system failed with this number, errno(3).
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  public let errno: Int32

  public init(errno: Int32) { self.errno = errno }

  public var description: String { "\(Errno(rawValue: errno))" }
}
