// SPDX-License-Identifier: Apache-2.0

/// The chip's encoding of register addresses on each bus. Driver and chip model both use it.
public struct WireFormat: Equatable, Sendable, BitwiseCopyable {
  /// Set in the sub-address of an I2C burst to make it advance (0x80 on some ST parts, else 0).
  public var i2cIncrement: UInt8
  /// Set in the first byte of an SPI frame for a read.
  public var spiRead: UInt8
  /// Set in the first byte of an SPI frame with several bytes (0x40 on some ST parts, else 0).
  public var spiMultiple: UInt8
  /// Dummy bytes between the command and the first valid byte of an SPI read.
  public var spiDummyBytes: Int
  /// Bits that are set in every register address and absent from SPI frames (0x80 on Bosch's
  /// barometers, where the read flag takes that bit).
  public var spiImplied: UInt8
  /// True if a write of several bytes is pairs of address and value, without address increment.
  public var writesPairs: Bool

  public init(
    i2cIncrement: UInt8 = 0, spiRead: UInt8 = 0x80, spiMultiple: UInt8 = 0, spiDummyBytes: Int = 0,
    spiImplied: UInt8 = 0, writesPairs: Bool = false
  ) {
    self.i2cIncrement = i2cIncrement
    self.spiRead = spiRead
    self.spiMultiple = spiMultiple
    self.spiDummyBytes = spiDummyBytes
    self.spiImplied = spiImplied
    self.writesPairs = writesPairs
  }

  /// The most bytes after the register in one write: those of an SMBus block, which every bus
  /// supports.
  static var longestBlock: Int { 32 }

  /// Returns the number of register bytes that one write carries, on a bus that sends `limit` bytes
  /// at once.
  func longestWrite(within limit: Int) -> Int {
    let room = max(0, min(limit, Self.longestBlock + 1) - 1)
    return writesPairs ? (room + 1) / 2 : room
  }
}

/// The bytes of one write as transferred.
struct WireBlock {
  private(set) var bytes = InlineArray<33, UInt8>(repeating: 0)
  private(set) var count = 1

  /// Creates the transfer of `values`, with `command` before all of them, or before the first pair.
  init(_ values: Span<UInt8>, after command: UInt8, inPairs: Bool) {
    bytes[0] = command
    for index in values.indices {
      if inPairs, index > 0 { append(command &+ UInt8(truncatingIfNeeded: index)) }
      append(values[index])
    }
  }

  private mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }
}
