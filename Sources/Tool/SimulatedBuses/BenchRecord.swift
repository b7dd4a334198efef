// SPDX-License-Identifier: Apache-2.0
internal import CLinux
package import Quantities

/// The records of the virtual bench's device. Their layout is defined only in `otolith_bench.h`,
/// which the kernel module uses too.
package enum BenchRecord {
  /// The size of the longest record in bytes.
  package static var longest: Int { Int(OTOLITH_BENCH_RECORD_MAX) }
  /// The number of interrupt lines.
  package static var lines: Int { Int(OTOLITH_BENCH_LINES) }

  static var headerSize: Int { MemoryLayout<otolith_bench_record>.size }
  static var messageSize: Int { MemoryLayout<otolith_bench_message>.size }
  static var frameSize: Int { MemoryLayout<otolith_bench_frame>.size }

  /// Returns the header of `record`; `nil` if the record is too short or its stated size is wrong.
  static func header(_ record: Span<UInt8>) -> otolith_bench_record? {
    guard let header = load(record, otolith_bench_record.self, at: 0),
      Int(header.size) == record.count
    else { return nil }
    return header
  }

  /// Returns the structure at `offset`; `nil` if it extends beyond the bytes.
  static func load<Structure: BitwiseCopyable>(
    _ bytes: Span<UInt8>, _ type: Structure.Type, at offset: Int
  ) -> Structure? {
    guard bytes.count - offset >= MemoryLayout<Structure>.size else { return nil }
    // The structure lies within the bytes. It consists of integers, for which all bit patterns are
    // valid.
    return unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type)
  }

  /// Writes the header of an answer whose `count` bytes are already in place. Returns the record's
  /// size.
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

  /// Writes a record that sets `line` to `level` at `time`. Returns the record's size.
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
    // The structure has no padding, the offset was checked, and the pointer is valid during the
    // call.
    unsafe record.withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: structure, toByteOffset: offset, as: type(of: structure))
    }
  }
}
