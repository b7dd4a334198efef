// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// A search in /proc for the process that has a file open (proc_pid_fd(5)). Only root can see the
/// processes of other users there.
package enum DeviceHolder {
  /// Returns a string such as `process 123 (otolith)`; `nil` if no visible process has `path` open.
  package static func description(of path: String) -> String? {
    let wanted = resolved(path)
    for process in names(in: "/proc") where Int(process) != nil {
      let folder = "/proc/\(process)/fd"
      for number in names(in: folder) where target(of: "\(folder)/\(number)") == wanted {
        guard let name = firstLine(of: "/proc/\(process)/comm") else { return "process \(process)" }
        return "process \(process) (\(name))"
      }
    }
    return nil
  }

  /// Returns `path` with links resolved, or `path` itself if resolving fails.
  private static func resolved(_ path: String) -> String {
    // The text from `realpath` is copied before it is freed.
    guard let text = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(text) }  // allocated by realpath(3)
    return unsafe String(cString: text)  // zero-terminated
  }

  /// Returns the names of the files in a folder; empty if the folder cannot be read.
  private static func names(in folder: String) -> [String] {
    // The stream is closed below, and used only by this thread.
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { _ = unsafe closedir(stream) }  // opened above
    var names: [String] = []
    // The entry is valid until the next `readdir`, and its name ends with a zero byte.
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)  // as above
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// Returns the path that a link points to.
  private static func target(of link: String) -> String? {
    // `readlink` writes at most as many bytes as the buffer holds.
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(link, &text, text.count)  // as above
    guard count > 0 else { return nil }
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func firstLine(of path: String) -> String? {
    guard let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    else { return nil }
    defer { try? file.close() }
    // `read` writes at most as many bytes as the buffer holds.
    let bytes = try? unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))  // as above
    }
    return bytes.map { String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self) }
  }
}
