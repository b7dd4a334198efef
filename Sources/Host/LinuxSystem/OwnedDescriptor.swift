// SPDX-License-Identifier: Apache-2.0
public import SystemPackage

/// An open file descriptor with one owner. It is closed on deinit. Child processes do not inherit
/// the descriptor, because every descriptor is opened with O_CLOEXEC.
public struct OwnedDescriptor: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Takes ownership of `descriptor`. No other code may close it.
  public init(owning descriptor: FileDescriptor) {
    self.descriptor = descriptor
  }

  /// The descriptor's number for system calls. The number is valid as long as this value exists.
  public var rawValue: Int32 { descriptor.rawValue }

  /// Closes the descriptor now and throws an error that `deinit` would have to ignore. The
  /// descriptor is closed even if this function throws (close(2): after an error it must not be
  /// closed again).
  public consuming func close() throws(ResourceError) {
    let result = Result { try descriptor.close() }
    let number = descriptor.rawValue
    discard self
    if case .failure(let error) = result {
      throw ResourceError(
        .descriptor, "descriptor \(number)",
        errno: (error as? Errno)?.rawValue ?? Errno.ioError.rawValue)
    }
  }

  deinit { try? descriptor.close() }
}
