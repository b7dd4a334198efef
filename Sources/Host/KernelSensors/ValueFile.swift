// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// An open file with one number, which the kernel reads from the chip at each read from the file's
/// beginning. A read allocates nothing.
final class ValueFile {
  private let descriptor: OwnedDescriptor

  init(_ path: String) throws(SystemError) {
    do {
      descriptor = OwnedDescriptor(
        owning: try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec))
    } catch { throw SystemError(errno: (error as? Errno)?.rawValue ?? EIO) }
  }

  /// Returns the number. Throws EINVAL if the file has another text.
  func read() throws(SystemError) -> Double {
    var bytes = InlineArray<64, CChar>(repeating: 0)
    var number = Double.nan
    var failure: Int32 = 0
    var span = bytes.mutableSpan
    // The functions use the pointer only within their calls; the last byte stays 0.
    unsafe span.withUnsafeMutableBufferPointer { buffer in
      guard let text = buffer.baseAddress else { return }
      let count = unsafe pread(descriptor.rawValue, text, buffer.count - 1, 0)
      guard count > 0 else {
        failure = count < 0 ? errno : EINVAL
        return
      }
      var end: UnsafeMutablePointer<CChar>?
      // Both pointers are into the buffer.
      number = unsafe strtod(text, &end)
      if unsafe end == text { failure = EINVAL }  // compared alone
    }
    guard failure == 0 else { throw SystemError(errno: failure) }
    guard number.isFinite else { throw SystemError(errno: EINVAL) }
    return number
  }
}
