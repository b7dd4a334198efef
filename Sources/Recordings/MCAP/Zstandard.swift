// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The library that packs the chunks of MCAP files (RFC 8878), looked for when one is written or
/// read: Debian's dpkg needs it, so it is there; no program has to link it.
@safe struct Zstandard: Sendable {  // its pointers are functions of a library that stays
  private typealias Compress =
    @convention(c) (
      UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int, Int32
    ) -> Int
  private typealias Decompress =
    @convention(c) (
      UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int
    ) -> Int
  private typealias Measure = @convention(c) (Int) -> Int
  private typealias Judge = @convention(c) (Int) -> UInt32

  /// `nil` where this machine has none.
  static let shared = Zstandard()

  private let compress: Compress
  private let decompress: Decompress
  private let bound: Measure
  private let isError: Judge

  private init?() {
    // Never closed: the functions are used as long as the process goes on.
    guard let library = unsafe dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL),
      let compress = unsafe dlsym(library, "ZSTD_compress"),
      let decompress = unsafe dlsym(library, "ZSTD_decompress"),
      let bound = unsafe dlsym(library, "ZSTD_compressBound"),
      let isError = unsafe dlsym(library, "ZSTD_isError")
    else { return nil }
    // Each has this signature since version 1.0 of zstd.h.
    unsafe self.compress = unsafeBitCast(compress, to: Compress.self)
    unsafe self.decompress = unsafeBitCast(decompress, to: Decompress.self)
    self.bound = unsafe unsafeBitCast(bound, to: Measure.self)
    self.isError = unsafe unsafeBitCast(isError, to: Judge.self)
  }

  /// Returns a frame with `bytes`; `nil` where it cannot be made.
  func packed(_ bytes: [UInt8]) -> [UInt8]? {
    let room = bound(bytes.count)
    var packed: [UInt8] = []
    packed.reserveCapacity(room)
    // The arrays live for the call alone, which stays within their counts.
    let isDone = unsafe fill(&packed, room: room) { target in
      unsafe bytes.withUnsafeBytes { source in
        unsafe compress(target.baseAddress, room, source.baseAddress, source.count, 1)
      }
    }
    return isDone ? packed : nil
  }

  /// Returns the `count` bytes of a frame; `nil` where that is no frame of so many.
  func unpacked(_ frame: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    // As above.
    let isDone = unsafe fill(&bytes, room: count) { target in
      unsafe frame.withUnsafeBytes { source in
        unsafe decompress(target.baseAddress, count, source.baseAddress, source.count)
      }
    }
    return isDone && bytes.count == count ? bytes : nil
  }

  private func fill(
    _ bytes: inout [UInt8], room: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Bool {
    var isDone = false
    // What is written is counted; the rest of the room is not read.
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      let written = unsafe write(UnsafeMutableRawBufferPointer(buffer))
      isDone = isError(written) == 0
      count = isDone ? written : 0
    }
    return isDone
  }
}
