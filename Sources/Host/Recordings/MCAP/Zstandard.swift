// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The library that compresses the chunks of MCAP files (RFC 8878). The library is loaded when a
/// chunk is written or read, so that programs need not link it. Debian's dpkg depends on it, so the
/// library is installed on Debian systems.
@safe struct Zstandard: Sendable {  // functions of a library that is never unloaded
  private typealias Compress =
    @convention(c) (
      UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int, Int32
    ) -> Int
  fileprivate typealias Create = @convention(c) () -> OpaquePointer?
  fileprivate typealias Free = @convention(c) (OpaquePointer?) -> Int
  fileprivate typealias Limit = @convention(c) (OpaquePointer?, Int32, Int32) -> Int
  fileprivate typealias Stream =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> Int
  private typealias Measure = @convention(c) (Int) -> Int
  fileprivate typealias Judge = @convention(c) (Int) -> UInt32

  /// The zstd library; `nil` if it is not installed.
  static let shared = Zstandard()

  private let compress: Compress
  fileprivate let create: Create
  fileprivate let free: Free
  fileprivate let limit: Limit
  fileprivate let stream: Stream
  private let bound: Measure
  fileprivate let isError: Judge

  private init?() {
    // The zstd library is never closed, because its functions are used until the process ends.
    guard let library = unsafe dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL),
      let compress = unsafe dlsym(library, "ZSTD_compress"),
      let create = unsafe dlsym(library, "ZSTD_createDCtx"),
      let free = unsafe dlsym(library, "ZSTD_freeDCtx"),
      let limit = unsafe dlsym(library, "ZSTD_DCtx_setParameter"),
      let stream = unsafe dlsym(library, "ZSTD_decompressStream"),
      let bound = unsafe dlsym(library, "ZSTD_compressBound"),
      let isError = unsafe dlsym(library, "ZSTD_isError")
    else { return nil }
    // Each zstd function has this signature since version 1.4 of zstd.h.
    unsafe self.compress = unsafeBitCast(compress, to: Compress.self)
    unsafe self.create = unsafeBitCast(create, to: Create.self)
    unsafe self.free = unsafeBitCast(free, to: Free.self)
    unsafe self.limit = unsafeBitCast(limit, to: Limit.self)
    unsafe self.stream = unsafeBitCast(stream, to: Stream.self)
    self.bound = unsafe unsafeBitCast(bound, to: Measure.self)
    self.isError = unsafe unsafeBitCast(isError, to: Judge.self)
  }

  /// Returns a zstd frame that contains `bytes`; `nil` if the compression fails.
  func packed(_ bytes: [UInt8]) -> [UInt8]? {
    let room = bound(bytes.count)
    var packed: [UInt8] = []
    packed.reserveCapacity(room)
    // zstd does not keep the arrays' pointers, and stays within their sizes.
    let isDone = unsafe fill(&packed, room: room) { target in
      unsafe bytes.withUnsafeBytes { source in
        unsafe compress(target.baseAddress, room, source.baseAddress, source.count, 1)
      }
    }
    return isDone ? packed : nil
  }

  private func fill(
    _ bytes: inout [UInt8], room: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Bool {
    var isDone = false
    // The result is the number of bytes that were written; the rest of the buffer is not read.
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      let written = unsafe write(UnsafeMutableRawBufferPointer(buffer))
      isDone = isError(written) == 0
      count = isDone ? written : 0
    }
    return isDone
  }
}

/// A decompressor that processes a frame piece by piece in bounded memory.
@safe final class ZstandardStream: @unchecked Sendable {  // a single reader owns it
  private let library: Zstandard
  private let context: OpaquePointer
  /// The largest window of a zstd frame, as a power of two: 32 MB.
  private static let largestWindow: Int32 = 25
  /// The number of ZSTD_d_windowLogMax in zstd.h.
  private static let windowLogMax: Int32 = 100

  /// Creates a decompressor; `nil` if there is not enough memory.
  init?(_ library: Zstandard) {
    guard let context = unsafe library.create() else { return nil }
    unsafe self.context = context
    self.library = library
    _ = unsafe library.limit(context, Self.windowLogMax, Self.largestWindow)
  }

  deinit { _ = unsafe library.free(context) }  // made by init, freed once

  /// Decompresses the beginning of `packed` into at most `room` bytes. Returns the decompressed
  /// bytes, and the number of bytes of `packed` that were used; `nil` if `packed` is not a frame.
  func unpack(_ packed: ArraySlice<UInt8>, room: Int) -> (bytes: [UInt8], used: Int)? {
    var (used, result) = (0, 0)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
      // The arrays are ZSTD_outBuffer and ZSTD_inBuffer: a pointer, its size and the current
      // position. zstd does not keep the pointers, and stays within the sizes.
      unsafe packed.withUnsafeBytes { source in
        var output = [UInt(bitPattern: target.baseAddress), UInt(room), 0]
        var input = [UInt(bitPattern: source.baseAddress), UInt(source.count), 0]
        result = unsafe library.stream(context, &output, &input)
        (used, count) = (Int(clamping: input[2]), Int(clamping: output[2]))
      }
    }
    return library.isError(result) == 0 ? (bytes, used) : nil
  }
}
