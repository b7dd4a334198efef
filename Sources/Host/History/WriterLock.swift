// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// A lock that prevents a second writer in a folder: flock(2) on a lock file, which the kernel
/// releases however a process ends. The file contains the owner's process ID, for users.
enum WriterLock {
  /// Takes the writer's lock, which is held until the returned descriptor is closed.
  static func take(in folder: String) throws(HistoryError) -> FileDescriptor {
    let path = folder + "/lock"
    let file = try StateFile.open(path, .readWrite)
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
      let error = Errno(rawValue: errno)
      defer { try? file.close() }
      guard error == .wouldBlock else { throw HistoryError(error, path: path) }
      throw HistoryError(.inUse(process: owner(file)), path: folder, reason: "\(error)")
    }
    let text = Array("\(getpid())\n".utf8)
    // The process ID is only for the error message in another process. The lock works without the
    // process ID.
    _ = ftruncate(file.rawValue, 0)
    // The C function does not keep the buffer's pointer.
    _ = try? unsafe text.withUnsafeBytes { try unsafe file.write(toAbsoluteOffset: 0, $0) }
    return file
  }

  private static func owner(_ file: FileDescriptor) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    // The C function does not keep the buffer's pointer.
    guard
      let count = try? unsafe bytes.withUnsafeMutableBytes({
        try unsafe file.read(fromAbsoluteOffset: 0, into: $0)
      })
    else { return nil }
    return Int32(String(decoding: bytes.prefix(count), as: UTF8.self).filter(\.isNumber))
  }
}
