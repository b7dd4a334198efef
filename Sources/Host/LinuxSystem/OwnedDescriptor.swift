// SPDX-License-Identifier: Apache-2.0
public import SystemPackage

/// An open file descriptor with one owner. It closes on deinit, and child processes never inherit
/// it: everything here opens with O_CLOEXEC.
public struct OwnedDescriptor: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Takes ownership of `descriptor`; nothing else may close it.
  public init(owning descriptor: FileDescriptor) {
    self.descriptor = descriptor
  }

  /// The descriptor's number for system calls. Valid as long as this value lives.
  public var rawValue: Int32 { descriptor.rawValue }

  /// Closes now and throws an error that `deinit` would have to ignore. The descriptor is closed
  /// even when this throws (close(2): after an error it must not be closed again).
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
