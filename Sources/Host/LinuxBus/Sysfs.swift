// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import SystemPackage

/// Returns the text that the C function `fill` writes into a buffer of `capacity` bytes; `nil` if
/// it returns a negative number.
internal func text(
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
internal func linkName(_ path: String) -> String? {
  // The C function does not keep the pointers.
  unsafe text(256) { unsafe otolith_link_name(path, $0, $1) }
}

/// Returns the last component of a path, with links resolved if possible.
internal func realName(_ path: String) -> String {
  // The C function does not keep the pointers.
  unsafe text(256) { unsafe otolith_real_name(path, $0, $1) }
    ?? String(path.split(separator: "/").last ?? "")
}

/// Returns the file names in a directory; an empty list if the directory cannot be read.
internal func names(in directory: String) -> [String] {
  var names: [String] = []
  // The C function calls the callback only until it returns, and does not keep the pointers.
  _ = unsafe withUnsafeMutablePointer(to: &names) { list in
    unsafe otolith_list(
      directory,
      { name, context in
        // The name and the context are the pointers that the surrounding call passed.
        guard let name = unsafe name, let context = unsafe context else { return }
        unsafe context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
      }, list)
  }
  return names
}

/// Returns the first bytes of a small file, such as those in sysfs; `nil` if the file cannot be
/// read.
internal func contents(of path: String, limit: Int = 256) -> [UInt8]? {
  guard
    let descriptor = try? FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
  else { return nil }
  defer { try? descriptor.close() }
  // `read` writes at most as many bytes as the buffer holds.
  return try? unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
    count = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))  // bounded
  }
}

/// Returns the decimal number in a small file; `nil` if the file cannot be read.
internal func number(in path: String) -> Int? {
  guard let bytes = contents(of: path) else { return nil }
  return Int(String(decoding: bytes.prefix { (48...57).contains($0) }, as: UTF8.self))
}

/// Returns two hexadecimal digits.
internal func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
