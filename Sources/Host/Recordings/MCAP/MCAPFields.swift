// SPDX-License-Identifier: Apache-2.0

/// A reader of the fields in a record, in their order. A field beyond the end of the record is
/// `nil`.
struct MCAPFields {
  private let content: ArraySlice<UInt8>
  private var place: Int

  init(_ content: ArraySlice<UInt8>) {
    self.content = content
    place = content.startIndex
  }

  var rest: ArraySlice<UInt8> { content[place...] }

  mutating func bytes(_ count: UInt64) -> ArraySlice<UInt8>? {
    guard count <= UInt64(content.endIndex - place) else { return nil }
    defer { place += Int(count) }
    return content[place..<(place + Int(count))]
  }

  mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
    guard let bytes = bytes(UInt64(Integer.bitWidth / 8)) else { return nil }
    var value: Integer = 0
    for byte in bytes.reversed() { value = value << 8 | Integer(truncatingIfNeeded: byte) }
    return value
  }

  mutating func text() -> String? {
    guard let length = integer(UInt32.self), let bytes = bytes(UInt64(length)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
