// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The connection to a chip at one address of an I2C bus.
public struct I2CConnection<Bus: I2CBus & ~Copyable>: RegisterBus, ~Copyable {
  private var bus: Bus
  public let address: UInt8
  private let format: WireFormat

  public init(_ bus: consuming Bus, address: UInt8, format: WireFormat) {
    self.bus = bus
    self.address = address
    self.format = format
  }

  /// Consumes this connection and returns the bus.
  public consuming func release() -> Bus { bus }

  public var now: Timestamp { bus.now }

  public var longestRead: Int { bus.longestRead }

  public var longestWrite: Int { format.longestWrite(within: bus.longestWrite) }

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8)
    throws(BusError)
  {
    let sent = bytes.count > 1 ? register | format.i2cIncrement : register
    try bus.read(&bytes, after: sent, from: address)
  }

  public mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    let bytes: InlineArray<2, UInt8> = [register, value]
    try bus.write(bytes.span, to: address)
  }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    let limit = longestWrite
    guard bytes.count <= limit else { throw .tooLong(limit: limit) }
    guard bytes.count > 0 else { return }
    let increment = bytes.count > 1 && !format.writesPairs ? format.i2cIncrement : 0
    let block = WireBlock(bytes, after: register | increment, inPairs: format.writesPairs)
    try bus.write(block.bytes.span.extracting(first: block.count), to: address)
  }
}
