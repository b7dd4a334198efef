// SPDX-License-Identifier: Apache-2.0
internal import Quantities

// docs/movement.md describes the format of blocks. Change that page and this code together, and the
// version.

/// The header before the samples in a block.
struct BlockHeader: Equatable, Sendable {
  static let size = 80
  /// The magic number of a block, which is "OTAB" in a file.
  static let magic: UInt32 = 0x4241_544F
  static let version: UInt8 = 1
  /// The flag for a block in which each sample has its own time.
  static let ownTimes: UInt8 = 1
  /// The largest identifier of a block, so that the identifier after it cannot overflow.
  static let mostIdentifier: UInt64 = 1 << 62

  var flags: UInt8
  var count: Int
  /// The length of the whole block in bytes.
  var length: Int
  var checksum: UInt32
  var identifier: UInt64
  var clocks: ClockReading
  var boot: BootIdentifier
  /// The nanoseconds between two samples of the block; 0 if each sample has its own time.
  var period: UInt32
  /// The exponent of the block's unit: a count is 2^-exponent g.
  var exponent: UInt8
  var lost: UInt32

  var hasOwnTimes: Bool { flags & Self.ownTimes != 0 }

  /// Parses the header at `offset`; `nil` if the header is missing or inconsistent. The checksum is
  /// not verified.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard offset >= 0, bytes.count - offset >= Self.size else { return nil }
    guard bytes.number(UInt32.self, at: offset) == Self.magic, bytes[offset + 4] == Self.version
    else { return nil }
    flags = bytes[offset + 5]
    count = Int(bytes.number(UInt16.self, at: offset + 6))
    length = Int(bytes.number(UInt32.self, at: offset + 8))
    checksum = bytes.number(at: offset + 12)
    identifier = bytes.number(at: offset + 16)
    clocks = ClockReading(
      wall: bytes.number(at: offset + 24),
      boot: Timestamp(nanoseconds: bytes.number(at: offset + 32)),
      suspended: TimeSpan(nanoseconds: bytes.number(at: offset + 40)))
    boot = BootIdentifier(
      high: bytes.number(at: offset + 48), low: bytes.number(at: offset + 56))
    period = bytes.number(at: offset + 64)
    exponent = bytes[offset + 68]
    lost = bytes.number(at: offset + 72)
    guard (1...SampleBlock.mostSamples).contains(count), exponent <= 20,
      length == Self.length(count, hasOwnTimes: hasOwnTimes), isOfOurTime,
      identifier < Self.mostIdentifier
    else { return nil }
  }

  /// True if the clocks in the header are plausible. Other values would overflow, and headers are
  /// read before the checksum is verified.
  private var isOfOurTime: Bool {
    clocks.wall.magnitude <= HostClocks.furthest.magnitude
      && clocks.boot.nanoseconds.magnitude < 1 << 61
      && clocks.suspended.nanoseconds.magnitude < 1 << 61
  }

  static func length(_ count: Int, hasOwnTimes: Bool) -> Int {
    size + count * (hasOwnTimes ? 10 : 6)
  }
}

extension SampleBlock {
  /// Parses the block at `offset`; `nil` if there is no valid block.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard let header = BlockHeader(bytes, at: offset),
      bytes.count - offset >= header.length,
      Self.checksum(bytes, at: offset, length: header.length) == header.checksum
    else { return nil }
    self.init(header, bytes, at: offset)
  }

  private init(_ header: BlockHeader, _ bytes: [UInt8], at offset: Int) {
    identifier = header.identifier
    clocks = header.clocks
    boot = header.boot
    lost = header.lost
    let digit = 1 / Double(1 << Int(header.exponent))
    let stride = header.hasOwnTimes ? 10 : 6
    var place = offset + BlockHeader.size
    var time = header.clocks.boot
    samples = []
    samples.reserveCapacity(header.count)
    for index in 0..<header.count {
      if header.hasOwnTimes {
        time = time + TimeSpan(nanoseconds: Int64(bytes.number(UInt32.self, at: place + 6)))
      } else if index > 0 {
        time = time + TimeSpan(nanoseconds: Int64(header.period))
      }
      samples.append(
        TimedAcceleration(
          timestamp: time,
          acceleration: Vector3(
            Double(bytes.number(Int16.self, at: place)) * digit,
            Double(bytes.number(Int16.self, at: place + 2)) * digit,
            Double(bytes.number(Int16.self, at: place + 4)) * digit)))
      place += stride
    }
  }

  /// The bytes of the block. The samples of the block must be finite, in the order of their times,
  /// and at most four seconds apart.
  var encoded: [UInt8] {
    let steps = zip(samples, samples.dropFirst()).map { ($1.timestamp - $0.timestamp).nanoseconds }
    let isEven = steps.allSatisfy { $0 == steps.first }
    let exponent = self.exponent
    let length = BlockHeader.length(samples.count, hasOwnTimes: !isEven)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    bytes.add(BlockHeader.magic)
    bytes.add(BlockHeader.version)
    bytes.add(isEven ? 0 : BlockHeader.ownTimes)
    bytes.add(UInt16(truncatingIfNeeded: samples.count))
    bytes.add(UInt32(truncatingIfNeeded: length))
    bytes.add(UInt32(0))
    bytes.add(identifier)
    bytes.add(clocks.wall)
    bytes.add(clocks.boot.nanoseconds)
    bytes.add(clocks.suspended.nanoseconds)
    bytes.add(boot.high)
    bytes.add(boot.low)
    bytes.add(UInt32(truncatingIfNeeded: isEven ? steps.first ?? 0 : 0))
    bytes.add(exponent)
    bytes.append(contentsOf: [0, 0, 0])
    bytes.add(lost)
    bytes.add(UInt32(0))
    let scale = Double(1 << Int(exponent))
    for (index, sample) in samples.enumerated() {
      for value in [sample.acceleration.x, sample.acceleration.y, sample.acceleration.z] {
        bytes.add(Int16(saturating: value * scale))
      }
      if !isEven {
        bytes.add(UInt32(truncatingIfNeeded: index == 0 ? 0 : steps[index - 1]))
      }
    }
    let checksum = Self.checksum(bytes, at: 0, length: length)
    for index in 0..<4 { bytes[12 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
    return bytes
  }

  /// The exponent of the finest unit in which the largest value fits. The unit is 2^-14 g (0.06 mg)
  /// for values up to 2 g, so that the counts of a chip are kept exactly if the chip's range
  /// permits that.
  private var exponent: UInt8 {
    var greatest = 0.0
    for sample in samples {
      let a = sample.acceleration
      greatest = max(greatest, abs(a.x), abs(a.y), abs(a.z))
    }
    var exponent: UInt8 = 15
    while exponent > 0, greatest * Double(1 << Int(exponent)) > 32_767 { exponent -= 1 }
    return exponent
  }

  /// Computes the checksum of the block without the checksum itself.
  private static func checksum(_ bytes: [UInt8], at offset: Int, length: Int) -> UInt32 {
    var crc = CRC32C()
    crc.add(bytes[offset..<(offset + 12)])
    crc.add(bytes[(offset + 16)..<(offset + length)])
    return crc.value
  }
}

extension [UInt8] {
  /// Returns the little-endian number at `offset`, which must be within the bytes.
  fileprivate func number<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self, at offset: Int
  ) -> Number {
    var value: Number = 0
    for index in stride(from: Number.bitWidth / 8 - 1, through: 0, by: -1) {
      value = value << 8 | Number(truncatingIfNeeded: self[offset + index])
    }
    return value
  }

  fileprivate mutating func add<Number: FixedWidthInteger>(_ number: Number) {
    for index in 0..<(Number.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: number >> (8 * index)))
    }
  }
}
