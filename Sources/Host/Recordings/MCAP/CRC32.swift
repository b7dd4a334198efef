// SPDX-License-Identifier: Apache-2.0

/// The checksum of zlib and MCAP: polynomial 0xEDB88320, reflected.
struct CRC32: Sendable {
  private var state: UInt32 = 0xFFFF_FFFF

  /// Eight tables of 256 entries. Table k contains the effect of a byte that is followed by k more
  /// bytes.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
    for index in 256..<(8 * 256) {
      let before = tables[index - 256]
      tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
    }
    return tables
  }()

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    let tables = Self.tables
    var state = self.state
    var place = bytes.startIndex
    // Eight bytes are processed at once, which is four times as fast as one by one.
    while bytes.endIndex - place >= 8 {
      var sum: UInt32 = 0
      for index in 0..<4 {
        let early = UInt8(truncatingIfNeeded: state >> UInt32(8 * index)) ^ bytes[place + index]
        let late = bytes[place + 4 + index]
        sum ^= tables[(7 - index) * 256 + Int(early)] ^ tables[(3 - index) * 256 + Int(late)]
      }
      state = sum
      place += 8
    }
    for byte in bytes[place...] {
      state = tables[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
    }
    self.state = state
  }

  mutating func add(_ bytes: [UInt8]) { add(bytes[...]) }

  var value: UInt32 { ~state }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = CRC32()
    sum.add(Array(bytes))
    return sum.value
  }
}
