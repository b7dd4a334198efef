// SPDX-License-Identifier: Apache-2.0

/// The CRC of RFC 3720 (iSCSI), section 12.1: polynomial 0x1EDC6F41, reflected, initial and final
/// value inverted. This CRC detects every burst of errors of up to 32 bits, and a partly written
/// block except in one of 2^32 cases.
struct CRC32C {
  private var register: UInt32 = .max

  var value: UInt32 { ~register }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      register = (register >> 8) ^ Self.table[Int((register ^ UInt32(byte)) & 0xFF)]
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 0 ? value >> 1 : (value >> 1) ^ 0x82F6_3B78
    }
  }
}
