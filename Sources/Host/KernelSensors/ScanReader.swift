// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
internal import SystemPackage

/// The buffer of a kernel's sensor: its open device node, and the scans that were read from it and
/// not yet taken.
struct ScanReader: ~Copyable {
  private let descriptor: OwnedDescriptor
  private var bytes = [UInt8](repeating: 0, count: 16_384)
  private var begin = 0
  private var end = 0

  /// Takes the open device node, which must not block.
  init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  var fileDescriptor: Int32 { descriptor.rawValue }

  /// True if a scan of `size` bytes has been read and not taken.
  func has(_ size: Int) -> Bool { end - begin >= size }

  /// Reads what the kernel has. Returns 0, or the errno; nothing to read is no error.
  mutating func fill() -> Int32 {
    if begin > 0 {
      // Less than one scan is left, or nothing.
      for place in 0..<(end - begin) { bytes[place] = bytes[begin + place] }
      (begin, end) = (0, end - begin)
    }
    let file = FileDescriptor(rawValue: descriptor.rawValue)
    do {
      // `read` writes at most as many bytes as the rest of the buffer holds.
      let count = try unsafe bytes.withUnsafeMutableBytes { buffer in
        try unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      }
      end += count
      return 0
    } catch {
      guard let errno = error as? Errno else { return Errno.ioError.rawValue }
      return errno == .resourceTemporarilyUnavailable ? 0 : errno.rawValue
    }
  }

  /// Calls `body` with the bytes of the oldest scan, which has `size` bytes, and removes the scan.
  mutating func take(_ size: Int, _ body: (Span<UInt8>) -> Void) {
    body(bytes.span.extracting(begin..<begin + size))
    begin += size
    if begin == end { (begin, end) = (0, 0) }
  }

  /// Discards all scans, read or not.
  mutating func discard() {
    repeat {
      (begin, end) = (0, 0)
      guard fill() == 0 else { return }
    } while end > 0
  }
}
