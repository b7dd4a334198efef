// SPDX-License-Identifier: Apache-2.0
import Quantities
@testable import Recordings

/// MCAP files assembled record by record, after mcap.dev/spec, including records that our writer
/// never writes.
struct MCAPBuilder {
  enum Packing { case none, zstd }

  private(set) var bytes: [UInt8]
  private(set) var messages: [UInt16: UInt64] = [:]
  private var definitions: [UInt8] = []
  private var chunkIndexes: [UInt8] = []
  private var chunks: UInt32 = 0

  init() {
    var header: [UInt8] = []
    header.append(counted: "ros2")
    header.append(counted: "by hand")
    bytes = Self.magic + Self.record(1, header)
  }

  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]

  static func record(_ opcode: UInt8, _ content: [UInt8]) -> [UInt8] {
    var bytes = [opcode]
    bytes.append(littleEndian: UInt64(content.count))
    return bytes + content
  }

  mutating func add(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Adds a topic, with a schema of the same number.
  mutating func topic(
    _ id: UInt16, _ name: String, _ type: String, encoding: String = "cdr"
  ) {
    var schema: [UInt8] = []
    schema.append(littleEndian: id)
    for text in [type, "ros2msg", ""] { schema.append(counted: text) }
    var channel: [UInt8] = []
    channel.append(littleEndian: id)
    channel.append(littleEndian: id)
    for text in [name, encoding, ""] { channel.append(counted: text) }
    let both = Self.record(3, schema) + Self.record(4, channel)
    definitions += both
    bytes += both
  }

  /// Returns the record of a message.
  mutating func message(_ id: UInt16, log: Int64, _ data: [UInt8]) -> [UInt8] {
    messages[id, default: 0] += 1
    var content: [UInt8] = []
    content.append(littleEndian: id)
    content.append(littleEndian: UInt32(0))
    content.append(littleEndian: log)
    content.append(littleEndian: log)
    return Self.record(5, content + data)
  }

  /// Adds a chunk with these records. `size` and `sum` replace its stated size and checksum.
  mutating func chunk(
    _ records: [UInt8], _ packing: Packing = .none, size: UInt64? = nil, sum: UInt32? = nil
  ) {
    let packed = packing == .zstd ? Zstandard.shared?.packed(records) ?? [] : records
    var content: [UInt8] = []
    content.append(littleEndian: Int64(0))
    content.append(littleEndian: Int64(0))
    content.append(littleEndian: size ?? UInt64(records.count))
    content.append(littleEndian: sum ?? CRC32.of(records))
    content.append(counted: packing == .zstd ? "zstd" : "")
    content.append(littleEndian: UInt64(packed.count))
    let chunk = Self.record(6, content + packed)
    var index: [UInt8] = []
    for number in [0, 0, Int64(bytes.count), Int64(chunk.count)] {
      index.append(littleEndian: number)
    }
    index.append(counted: [UInt8]())
    index.append(littleEndian: Int64(0))
    index.append(counted: packing == .zstd ? "zstd" : "")
    index.append(littleEndian: UInt64(packed.count))
    index.append(littleEndian: UInt64(records.count))
    chunkIndexes += Self.record(8, index)
    chunks += 1
    bytes += chunk
  }

  /// The complete file with its end: a summary with a checksum, and a checksum of all data.
  var whole: [UInt8] {
    var dataEnd: [UInt8] = []
    dataEnd.append(littleEndian: CRC32.of(bytes))
    let data = bytes + Self.record(15, dataEnd)
    var statistics: [UInt8] = []
    statistics.append(littleEndian: messages.values.reduce(0, +))
    statistics.append(littleEndian: UInt16(messages.count))
    for count in [UInt32(messages.count), 0, 0, chunks] { statistics.append(littleEndian: count) }
    statistics += [UInt8](repeating: 0, count: 16)
    var counts: [UInt8] = []
    for (id, count) in messages.sorted(by: { $0.key < $1.key }) {
      counts.append(littleEndian: id)
      counts.append(littleEndian: count)
    }
    statistics.append(counted: counts)
    let summary = definitions + chunkIndexes + Self.record(11, statistics)
    var footer: [UInt8] = []
    footer.append(littleEndian: UInt64(data.count))
    footer.append(littleEndian: UInt64(0))
    var head: [UInt8] = [2]
    head.append(littleEndian: UInt64(20))
    footer.append(littleEndian: CRC32.of(summary + head + footer))
    return data + summary + head + footer + Self.magic
  }
}

// Messages of ROS 2.
extension MCAPBuilder {
  private static func header(_ stamp: Int64) -> CDRWriter {
    var writer = CDRWriter()
    writer.write(Int32(stamp / 1_000_000_000))
    writer.write(UInt32(stamp % 1_000_000_000))
    writer.write("imu_link")
    return writer
  }

  /// Returns a message with one number: a pressure, a temperature, a humidity or light.
  static func number(_ value: Double, stamp: Int64) -> [UInt8] {
    var writer = header(stamp)
    writer.write([value, 0])
    return writer.bytes
  }

  /// Returns an IMU message in rad/s and m/s2; with `isRateAbsent` its covariance marks the rate as
  /// missing.
  static func imu(
    rate: [Double], acceleration: [Double], stamp: Int64, isRateAbsent: Bool = false
  ) -> [UInt8] {
    var writer = header(stamp)
    let zeros = [Double](repeating: 0, count: 9)
    writer.write([0, 0, 0, 1] + zeros + rate)
    writer.write(isRateAbsent ? [-1] + zeros.dropLast() : zeros)
    writer.write(acceleration + zeros)
    return writer.bytes
  }
}

/// The samples of a file and its messages; the path is shown as `a.mcap`.
struct MCAPReading {
  var samples: [Sample] = []
  var channels: ChannelSet = []
  var notes: [String] = []
  var remark: String?
  var warnings: [String] = []
  var stretches = 0
  var error: String?

  init(
    _ bytes: [UInt8], _ order: RecordingReader.Order = .lenient,
    _ conventions: RecordingConventions = RecordingConventions()
  ) {
    do {
      var reader = try RecordingReader(bytes: bytes, file: "a.mcap", order: order, conventions)
      (channels, notes) = (reader.channels, reader.notes.map(\.text))
      while let sample = try reader.next() { samples.append(sample) }
      (remark, stretches) = (reader.remark, reader.stretches)
      warnings = reader.warnings.map(\.text)
    } catch { self.error = error.description }
  }

  /// The time stamps in seconds.
  var times: [Double] { samples.map(\.timestamp.seconds) }
}
