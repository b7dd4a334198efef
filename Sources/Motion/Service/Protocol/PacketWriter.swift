// SPDX-License-Identifier: Apache-2.0

/// An encoder for a message: numbers are little-endian, strings are their length in bytes (16 bits)
/// and UTF-8.
struct PacketWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write<Number: FixedWidthInteger>(_ number: Number) {
    for index in 0..<(Number.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> Number(8 * index)))
    }
  }

  mutating func write(_ flag: Bool) { write(UInt8(flag ? 1 : 0)) }

  mutating func write(_ number: Double) { write(number.bitPattern) }

  /// Writes an optional number: a flag, then the number or 0.
  mutating func write(_ number: Double?) {
    write(number != nil)
    write(number ?? 0)
  }

  /// Writes a string, truncated to `limit` bytes at a character boundary.
  mutating func write(_ text: String, limit: Int = Int(UInt16.max)) {
    var utf8 = Array(text.utf8.prefix(limit))
    // Continuation bytes start with the bits 10. If the next byte is a continuation byte, the last
    // character was cut.
    if let next = text.utf8.dropFirst(limit).first, next & 0xC0 == 0x80 {
      while let last = utf8.popLast(), last & 0xC0 == 0x80 {}
    }
    write(UInt16(utf8.count))
    bytes += utf8
  }

  mutating func write(rest: [UInt8]) { bytes += rest }
}

/// An invalid message.
package struct MalformedPacket: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

/// A decoder for a message that validates all of its bytes.
struct PacketReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  private var left: Int { bytes.endIndex - place }

  mutating func read<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(MalformedPacket) -> Number {
    let size = Number.bitWidth / 8
    guard left >= size else { throw MalformedPacket("it ends after \(bytes.count) bytes") }
    var number: Number = 0
    for index in 0..<size {
      number |= Number(truncatingIfNeeded: bytes[place + index]) << Number(8 * index)
    }
    place += size
    return number
  }

  mutating func flag() throws(MalformedPacket) -> Bool {
    let byte = try read(UInt8.self)
    guard byte <= 1 else { throw MalformedPacket("a flag is \(byte)") }
    return byte == 1
  }

  mutating func double() throws(MalformedPacket) -> Double {
    Double(bitPattern: try read(UInt64.self))
  }

  mutating func optionalDouble() throws(MalformedPacket) -> Double? {
    let isThere = try flag()
    let number = try double()
    return isThere ? number : nil
  }

  mutating func text(limit: Int = Int(UInt16.max)) throws(MalformedPacket) -> String {
    let count = Int(try read(UInt16.self))
    guard count <= limit else { throw MalformedPacket("a text of \(count) bytes") }
    guard count <= left else { throw MalformedPacket("it ends in a text") }
    defer { place += count }
    guard let text = String(validating: bytes[place..<(place + count)], as: UTF8.self) else {
      throw MalformedPacket("a text that is not UTF-8")
    }
    return text
  }

  mutating func rest() -> [UInt8] {
    defer { place = bytes.endIndex }
    return Array(bytes[place...])
  }

  /// Reads the number of elements that follow, each of at least `size` bytes.
  mutating func count(of size: Int) throws(MalformedPacket) -> Int {
    let count = Int(try read(UInt16.self))
    guard count * size <= left else { throw MalformedPacket("it ends in a list of \(count)") }
    return count
  }

  /// Throws an error if there are unread bytes.
  func end() throws(MalformedPacket) {
    guard left == 0 else { throw MalformedPacket("\(left) bytes too many") }
  }
}
