// SPDX-License-Identifier: Apache-2.0

/// A writer of values in ROS 2's wire format: CDR, little endian, with each number aligned to a
/// multiple of its size (OMG Common Data Representation, DDS-XTypes 1.3, section 7.4.1).
package struct CDRWriter {
  /// The bytes of a message: the encapsulation, whose four bytes do not count for alignment, and
  /// then the values.
  package private(set) var bytes: [UInt8] = [0, 1, 0, 0]

  package init() {}

  package mutating func write(_ value: some FixedWidthInteger) {
    align(to: value.bitWidth / 8)
    bytes.append(littleEndian: value)
  }

  package mutating func write(_ value: Double) { write(value.bitPattern) }
  package mutating func write(_ value: Float) { write(value.bitPattern) }

  package mutating func write(_ values: [Double]) {
    for value in values { write(value) }
  }

  /// Writes the length of a string, which includes a terminating zero, then the string and the
  /// zero.
  package mutating func write(_ text: String) {
    write(UInt32(text.utf8.count + 1))
    bytes += text.utf8
    bytes.append(0)
  }

  private mutating func align(to size: Int) {
    let over = (bytes.count - 4) % size
    if over > 0 { bytes += repeatElement(0, count: size - over) }
  }
}

/// A reader of CDR values in either byte order. A value beyond the end is `nil`.
struct CDRReader {
  private let bytes: ArraySlice<UInt8>
  private let isLittle: Bool
  private var place: Int

  /// Creates a reader; `nil` if the bytes do not begin with a CDR encapsulation.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 4, bytes[bytes.startIndex] == 0, bytes[bytes.startIndex + 1] <= 1 else {
      return nil
    }
    self.bytes = bytes
    isLittle = bytes[bytes.startIndex + 1] == 1
    place = bytes.startIndex + 4
  }

  mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
    let size = Integer.bitWidth / 8
    let over = (place - bytes.startIndex - 4) % size
    let start = over > 0 ? place + size - over : place
    guard start + size <= bytes.endIndex else { return nil }
    place = start + size
    var value: Integer = 0
    for index in 0..<size {
      value |=
        Integer(truncatingIfNeeded: bytes[start + index])
        << Integer(8 * (isLittle ? index : size - 1 - index))
    }
    return value
  }

  mutating func double() -> Double? { integer(UInt64.self).map { Double(bitPattern: $0) } }
  mutating func float() -> Float? { integer(UInt32.self).map { Float(bitPattern: $0) } }

  mutating func doubles(_ count: Int) -> [Double]? {
    var values: [Double] = []
    for _ in 0..<count {
      guard let value = double() else { return nil }
      values.append(value)
    }
    return values
  }

  mutating func text() -> String? {
    guard let length = integer(UInt32.self), Int(length) <= bytes.endIndex - place else {
      return nil
    }
    // Some writers leave out the terminating zero of an empty text.
    guard length >= 1 else { return "" }
    defer { place += Int(length) }
    return String(decoding: bytes[place..<(place + Int(length) - 1)], as: UTF8.self)
  }
}

extension [UInt8] {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
