// SPDX-License-Identifier: Apache-2.0

/// The checksum of zlib and MCAP: polynomial 0xEDB88320, reflected.
struct CRC32 {
  private var state: UInt32 = 0xFFFF_FFFF

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      state = Self.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
    }
  }

  var value: UInt32 { ~state }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = CRC32()
    sum.add(bytes)
    return sum.value
  }
}
