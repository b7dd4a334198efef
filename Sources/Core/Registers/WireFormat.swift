// SPDX-License-Identifier: Apache-2.0

/// The way in which a chip encodes register addresses on each bus. The chip's driver and its model
/// both use this format.
public struct WireFormat: Equatable, Sendable, BitwiseCopyable {
  /// The bits that are set in the sub-address of an I2C burst to make the address advance: 0x80 on
  /// some ST parts, otherwise 0.
  public var i2cIncrement: UInt8
  /// The bits that are set in the first byte of an SPI frame for a read.
  public var spiRead: UInt8
  /// The bits that are set in the first byte of an SPI frame with several data bytes: 0x40 on some
  /// ST parts, otherwise 0.
  public var spiMultiple: UInt8
  /// The number of dummy bytes between the command and the first valid byte of an SPI read.
  public var spiDummyBytes: Int
  /// The address bits that are omitted in SPI frames: 0x80 on Bosch's barometers. There this bit is
  /// set in every register address, but an SPI frame uses the bit for the read flag.
  public var spiImplied: UInt8
  /// True if a write of several registers consists of pairs of address and value, because the
  /// address does not advance.
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

  /// The largest number of bytes after the register's address in one write. The limit is the size
  /// of an SMBus block, which every bus supports.
  static var longestBlock: Int { 32 }

  /// Returns the number of register bytes that one write can carry on a bus that sends at most
  /// `limit` bytes at once.
  func longestWrite(within limit: Int) -> Int {
    let room = max(0, min(limit, Self.longestBlock + 1) - 1)
    return writesPairs ? (room + 1) / 2 : room
  }
}

/// The bytes of one write in the form in which the bus transfers them.
struct WireBlock {
  private(set) var bytes = InlineArray<33, UInt8>(repeating: 0)
  private(set) var count = 1

  /// Creates the bytes of a write of `values` to consecutive registers: `command` and then all
  /// values. With `inPairs` each value has a command before it, and the command increases by one
  /// each time.
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
