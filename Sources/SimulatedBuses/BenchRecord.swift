// SPDX-License-Identifier: Apache-2.0
internal import CLinux
package import Quantities

/// The records of the virtual bench's device as bytes. What they look like is written in
/// `otolith_bench.h` and nowhere else: both the kernel module and this are compiled from it.
package enum BenchRecord {
  /// The most bytes that a record has.
  package static var longest: Int { Int(OTOLITH_BENCH_RECORD_MAX) }
  /// The number of interrupt lines.
  package static var lines: Int { Int(OTOLITH_BENCH_LINES) }

  static var headerSize: Int { MemoryLayout<otolith_bench_record>.size }
  static var messageSize: Int { MemoryLayout<otolith_bench_message>.size }
  static var frameSize: Int { MemoryLayout<otolith_bench_frame>.size }

  /// The header of `record`; `nil` where it is none, or does not say how long the record is.
  static func header(_ record: Span<UInt8>) -> otolith_bench_record? {
    guard let header = load(record, otolith_bench_record.self, at: 0),
      Int(header.size) == record.count
    else { return nil }
    return header
  }

  /// The structure at `offset`; `nil` where the bytes end before it does.
  static func load<Structure: BitwiseCopyable>(
    _ bytes: Span<UInt8>, _ type: Structure.Type, at offset: Int
  ) -> Structure? {
    guard bytes.count - offset >= MemoryLayout<Structure>.size else { return nil }
    // It ends within the bytes, and is made of integers, of which any bytes are a value.
    return unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type)
  }

  /// Puts the header of an answer before `count` bytes which are there already. Returns the
  /// record's size.
  static func finish(
    answer id: UInt32, _ status: Status, _ count: Int, in record: inout MutableSpan<UInt8>
  ) -> Int {
    let size = headerSize + count
    store(
      otolith_bench_record(
        size: UInt32(size), kind: UInt16(OTOLITH_BENCH_ANSWER), unit: 0, id: id,
        value: -Int32(status.rawValue)), at: 0, in: &record)
    return size
  }

  /// Makes `record` say that `line` goes to `level`, as a chip did at `time`. Returns the record's
  /// size.
  package static func line(
    _ line: Int, _ level: Bool, at time: Timestamp, in record: inout MutableSpan<UInt8>
  ) -> Int {
    let size = headerSize + MemoryLayout<otolith_bench_edge>.size
    store(
      otolith_bench_record(
        size: UInt32(size), kind: UInt16(OTOLITH_BENCH_LINE),
        unit: UInt16(truncatingIfNeeded: line), id: 0, value: level ? 1 : 0), at: 0, in: &record)
    store(otolith_bench_edge(nanoseconds: time.nanoseconds), at: headerSize, in: &record)
    return size
  }

  private static func store(
    _ structure: some BitwiseCopyable, at offset: Int, in record: inout MutableSpan<UInt8>
  ) {
    // The structure has no padding; where it goes is checked, and the pointer lives for the call.
    unsafe record.withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: structure, toByteOffset: offset, as: type(of: structure))
    }
  }
}
