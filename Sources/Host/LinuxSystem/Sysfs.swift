// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The files in which the kernel describes devices and processes: sysfs and procfs.
package enum Sysfs {
  /// Returns the text that the C function `fill` writes into a buffer of `capacity` bytes; `nil` if
  /// it returns a negative number.
  package static func text(
    _ capacity: Int, _ fill: (UnsafeMutablePointer<CChar>?, Int) -> Int32
  ) -> String? {
    var buffer = [CChar](repeating: 0, count: capacity)
    // The C function does not keep the pointer.
    let result = unsafe buffer.withUnsafeMutableBufferPointer {
      unsafe fill($0.baseAddress, capacity)
    }
    guard result >= 0 else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the last component of the path that a symbolic link refers to.
  package static func linkName(_ path: String) -> String? {
    // The C function does not keep the pointers.
    unsafe text(256) { unsafe otolith_link_name(path, $0, $1) }
  }

  /// Returns the last component of a path, with links resolved if possible.
  package static func realName(_ path: String) -> String {
    // The C function does not keep the pointers.
    unsafe text(256) { unsafe otolith_real_name(path, $0, $1) }
      ?? String(path.split(separator: "/").last ?? "")
  }

  /// Returns the path of a file or folder without links; `nil` if nothing is at `path`.
  package static func path(of path: String) -> String? {
    // realpath(3) allocates what it returns, which is copied and freed here.
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// True if there is a file or folder at `path`.
  package static func exists(_ path: String) -> Bool { self.path(of: path) != nil }

  /// Returns the file names in a directory; an empty list if the directory cannot be read.
  package static func names(in directory: String) -> [String] {
    var names: [String] = []
    // The C function calls the callback only until it returns, and does not keep the pointers.
    _ = unsafe withUnsafeMutablePointer(to: &names) { list in
      unsafe otolith_list(
        directory,
        { name, context in
          // The name and the context are the pointers that the surrounding call passed.
          guard let name = unsafe name, let context = unsafe context else { return }
          unsafe context.assumingMemoryBound(to: [String].self).pointee.append(
            String(cString: name))
        }, list)
    }
    return names
  }

  /// Returns the first bytes of a small file; `nil` if the file cannot be read.
  package static func contents(of path: String, limit: Int = 256) -> [UInt8]? {
    guard
      let descriptor = try? FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    else { return nil }
    defer { try? descriptor.close() }
    // `read` writes at most as many bytes as the buffer holds.
    return try? unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))  // bounded
    }
  }

  /// Returns the first line of a small file; `nil` if the file cannot be read.
  package static func line(of path: String, limit: Int = 256) -> String? {
    contents(of: path, limit: limit).map {
      String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self)
    }
  }

  /// Returns the decimal number in a small file; `nil` if the file cannot be read.
  package static func number(in path: String) -> Int? {
    guard let bytes = contents(of: path) else { return nil }
    return Int(String(decoding: bytes.prefix { (48...57).contains($0) }, as: UTF8.self))
  }

  /// Returns the number in a small file, which may have decimals.
  package static func decimal(in path: String) -> Result<Double, SystemError> {
    do {
      let descriptor = try FileDescriptor.open(
        FilePath(path), .readOnly, options: .closeOnExec)
      defer { try? descriptor.close() }
      // `read` writes at most as many bytes as the buffer holds.
      let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        count = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))  // bounded
      }
      guard let number = Double(String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)),
        number.isFinite
      else { return .failure(SystemError(errno: Errno.invalidArgument.rawValue)) }
      return .success(number)
    } catch {
      return .failure(SystemError(errno: (error as? Errno)?.rawValue ?? Errno.ioError.rawValue))
    }
  }

  /// Writes `text` into a small file that exists, in one call. Returns 0, or the errno.
  package static func write(_ text: String, to path: String) -> Int32 {
    do {
      let descriptor = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.closeOnExec, .truncate])
      defer { try? descriptor.close() }
      _ = try descriptor.writeAll(text.utf8)
      return 0
    } catch { return (error as? Errno)?.rawValue ?? Errno.ioError.rawValue }
  }

  /// Creates a folder. Returns 0, also if it exists, or the errno.
  package static func makeFolder(_ path: String) -> Int32 {
    // mkdir(2) does not keep the pointer.
    guard unsafe mkdir(path, 0o755) != 0 else { return 0 }
    return errno == EEXIST ? 0 : errno
  }
}
