// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// One file of a spool, open for as long as it is used.
final class SpoolFile {
  let path: String
  private let descriptor: Int32
  private(set) var size: Int

  /// Opens the file, and makes it where it is not there.
  init(path: String) throws(PublishError) {
    self.path = path
    // The path lives for the call alone, here and below.
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.error(path) }
    size = Int(lseek(descriptor, 0, SEEK_END))
  }

  deinit { close(descriptor) }

  static func error(_ path: String) -> PublishError {
    // The text belongs to the C library and is copied here.
    .file("\(path): \(unsafe String(cString: strerror(errno)))")
  }

  /// Appends all of `bytes` or nothing.
  func append(_ bytes: [UInt8]) throws(PublishError) {
    var done = 0
    while done < bytes.count {
      // The pointer lives for the call alone, which stays within the count.
      let count = unsafe bytes[done...].withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, size + done)
      }
      guard count > 0 || errno == EINTR else {
        let error = Self.error(path)
        ftruncate(descriptor, size)
        throw error
      }
      done += max(count, 0)
    }
    size += bytes.count
  }

  /// Returns `count` bytes from `offset`, or as many as there are.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    // Filled within the call alone, and counted.
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let new = unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, offset + filled)
        guard new > 0 || (new < 0 && errno == EINTR) else { return }
        filled += max(new, 0)
      }
    }
  }

  /// Returns the message at `offset` with the offset behind it; `nil` where there is none that is
  /// whole.
  func message(at offset: Int) -> (message: Message, end: Int)? {
    guard let record = SpoolRecord(header: bytes(at: offset, count: SpoolRecord.headerSize)),
      offset + record.size <= size,
      let message = record.message(
        bytes(at: offset + SpoolRecord.headerSize, count: record.size - SpoolRecord.headerSize))
    else { return nil }
    return (message, offset + record.size)
  }

  /// Leaves out what follows `offset`.
  func truncate(to offset: Int) {
    ftruncate(descriptor, offset)
    size = offset
  }

  func sync() { fdatasync(descriptor) }

  func replace(with bytes: [UInt8]) {
    // As above; it is shorter than a page, which a kill does not tear.
    _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    size = max(size, bytes.count)
  }

  /// Returns false where another process has it.
  func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  func remove() { _ = unsafe unlink(path) }
}
