// SPDX-License-Identifier: Apache-2.0
internal import Quantities
package import Runtime

/// The layout of a sample in an element of the service's ring. Each value has whole words of 64
/// bits. Word 0 is the timestamp. The low half of word 1 holds the channels, the high half the
/// number of missing samples. The fields follow as listed.
package struct SampleLayout: Equatable, Sendable {
  /// A channel of the ring. It is given by its number, because this program may not know the
  /// channel.
  package struct Field: Equatable, Sendable {
    package var number: UInt8
    /// The offset of the field's first byte.
    package var offset: Int
  }

  /// The size of an element in bytes.
  package var size: Int
  package var fields: [Field]
  /// The offset of the chip's index in the board, which has four bytes.
  package var sourceOffset: Int

  /// The layout of this program's rings: vectors first, in the order of `Sample`.
  package static let own: SampleLayout = {
    var offset = 16
    var fields: [Field] = []
    for channel in Channel.allCases {
      fields.append(Field(number: channel.rawValue, offset: offset))
      offset += 8 * channel.width
    }
    return SampleLayout(size: offset + 4, fields: fields, sourceOffset: offset)
  }()

  /// Returns the sample in `words`, which hold one whole element. Channels that this program does
  /// not know are omitted.
  package func sample(_ words: Span<UInt64>) -> SourcedSample {
    var sample = Sample(timestamp: Timestamp(nanoseconds: Int64(bitPattern: words[0])))
    sample.missing = UInt32(truncatingIfNeeded: words[1] >> 32)
    let channels = UInt16(truncatingIfNeeded: words[1])
    for field in fields {
      guard let channel = Channel(rawValue: field.number),
        channels & ChannelSet(channel).rawValue != 0
      else { continue }
      let word = field.offset / 8
      func number(_ index: Int) -> Double { Double(bitPattern: words[word + index]) }
      sample[channel] =
        channel.isVector ? Vector3(number(0), number(1), number(2)) : Vector3(number(0), 0, 0)
      sample.channels.insert(ChannelSet(channel))
    }
    let source = Int32(truncatingIfNeeded: Int64(bitPattern: words[sourceOffset / 8]))
    return SourcedSample(sample, source: source)
  }
}

extension SampleLayout {
  func write(to writer: inout PacketWriter) {
    writer.write(UInt16(size))
    writer.write(UInt16(sourceOffset))
    writer.write(UInt8(fields.count))
    for field in fields {
      writer.write(field.number)
      writer.write(UInt16(field.offset))
    }
  }

  init(_ reader: inout PacketReader) throws(MalformedPacket) {
    size = Int(try reader.read(UInt16.self))
    sourceOffset = Int(try reader.read(UInt16.self))
    fields = []
    for _ in 0..<(try reader.read(UInt8.self)) {
      fields.append(
        Field(number: try reader.read(), offset: Int(try reader.read(UInt16.self))))
    }
    // Unknown channels are not read, so their width does not matter.
    let isSound = fields.allSatisfy { field in
      let width = Channel(rawValue: field.number)?.width ?? 0
      return field.offset % 8 == 0 && field.offset >= 16 && field.offset + 8 * width <= size
    }
    guard isSound, sourceOffset % 8 == 0, sourceOffset >= 16, sourceOffset + 4 <= size else {
      throw MalformedPacket("a sample of \(size) bytes with a value that is not in them")
    }
  }
}
