// SPDX-License-Identifier: Apache-2.0

/// Encodes values as deterministic CBOR (RFC 8949, section 4.2.1): definite lengths in the fewest
/// bytes, numbers as the shortest exact float, names in byte order. Equal values give equal bytes.
package enum CBOR {
  package static func bytes(_ value: PublishedValue) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  private static func append(_ value: PublishedValue, to bytes: inout [UInt8]) {
    switch value {
    case .number(let number): append(number, to: &bytes)
    case .integer(let integer):
      if integer >= 0 {
        head(0, UInt64(integer), to: &bytes)
      } else {
        // -1 - n, computed without overflow for the minimum.
        head(1, UInt64(bitPattern: ~integer), to: &bytes)
      }
    case .flag(let flag): bytes.append(flag ? 0xF5 : 0xF4)
    case .text(let text): append(text, to: &bytes)
    case .list(let values):
      head(4, UInt64(values.count), to: &bytes)
      for value in values { append(value, to: &bytes) }
    case .object(let fields):
      let entries = fields.filter(\.value.isSayable).map { field in
        var key: [UInt8] = []
        append(field.name, to: &key)
        return (key: key, value: field.value)
      }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      head(5, UInt64(entries.count), to: &bytes)
      for entry in entries {
        bytes += entry.key
        append(entry.value, to: &bytes)
      }
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    head(3, UInt64(text.utf8.count), to: &bytes)
    bytes += text.utf8
  }

  private static func append(_ number: Double, to bytes: inout [UInt8]) {
    let single = Float(number)
    if number.isNaN {
      bytes += [0xF9, 0x7E, 0x00]
    } else if Double(single) != number {
      bytes.append(0xFB)
      bigEndian(number.bitPattern, count: 8, to: &bytes)
    } else if Float(Float16(single)) == single {
      bytes.append(0xF9)
      bigEndian(UInt64(Float16(single).bitPattern), count: 2, to: &bytes)
    } else {
      bytes.append(0xFA)
      bigEndian(UInt64(single.bitPattern), count: 4, to: &bytes)
    }
  }

  /// Appends a major type with its argument.
  private static func head(_ type: UInt8, _ argument: UInt64, to bytes: inout [UInt8]) {
    let high = type << 5
    switch argument {
    case ..<24: bytes.append(high | UInt8(argument))
    case ..<0x100:
      bytes.append(high | 24)
      bigEndian(argument, count: 1, to: &bytes)
    case ..<0x1_0000:
      bytes.append(high | 25)
      bigEndian(argument, count: 2, to: &bytes)
    case ..<0x1_0000_0000:
      bytes.append(high | 26)
      bigEndian(argument, count: 4, to: &bytes)
    default:
      bytes.append(high | 27)
      bigEndian(argument, count: 8, to: &bytes)
    }
  }

  private static func bigEndian(_ value: UInt64, count: Int, to bytes: inout [UInt8]) {
    for index in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
    }
  }
}
