// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import SystemPackage

/// Memory of a fixed size that several processes share. No process can remove it while another
/// process reads it.
@safe
public final class SharedMemory: Sendable {
  // The address of the shared memory. The owner of this object is responsible for the contents.
  public nonisolated(unsafe) let address: UnsafeMutableRawPointer  // constant, mapped until deinit
  /// The size of the shared memory in bytes.
  public let count: Int
  private let descriptor: OwnedDescriptor

  /// The processes that may write to the memory in addition to the creator.
  public enum Writers: Sendable {
    /// No other process may write to the memory. Other processes can map the memory only for
    /// reading (F_SEAL_FUTURE_WRITE, Linux 5.1).
    case none
    /// Every process that has the descriptor may write to the memory.
    case holders
  }

  /// Creates shared memory whose bytes are zero. The kernel shows the memory as `name`. Throws the
  /// error number of the system.
  public init(_ name: String, count: Int, writers: Writers) throws(SystemError) {
    var address: UnsafeMutableRawPointer?
    // The C function does not keep the pointers.
    let result = unsafe otolith_memory_make(name, count, writers == .none ? 1 : 0, &address)
    guard result >= 0, let address = unsafe address else { throw SystemError(errno: -result) }
    unsafe self.address = address
    self.count = count
    descriptor = OwnedDescriptor(owning: FileDescriptor(rawValue: result))
  }

  /// Maps memory that another process created. `count` is its size in bytes, `nil` to accept any
  /// size. Throws EINVAL if the memory has another size or could still shrink.
  public init(
    mapping descriptor: consuming OwnedDescriptor, count: Int? = nil, writing: Bool = false
  ) throws(SystemError) {
    var address: UnsafeMutableRawPointer?
    let count = count ?? Int(otolith_memory_size(descriptor.rawValue))
    guard count > 0 else { throw SystemError(errno: Errno.invalidArgument.rawValue) }
    // The C function does not keep the pointer.
    let result = unsafe otolith_memory_map(
      descriptor.rawValue, count, writing ? 1 : 0, &address)
    guard result >= 0, let address = unsafe address else { throw SystemError(errno: -result) }
    unsafe self.address = address
    self.count = count
    self.descriptor = descriptor
  }

  /// The descriptor, to pass to another process. The descriptor is valid as long as this object
  /// exists.
  public var fileDescriptor: Int32 { descriptor.rawValue }

  // All users of the shared memory retain this object, so the memory is not in use any more.
  deinit { unsafe otolith_memory_unmap(address, count) }
}

/// The error number of a failed system call, errno(3).
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  public let errno: Int32

  public init(errno: Int32) { self.errno = errno }

  public var description: String { "\(Errno(rawValue: errno))" }
}
