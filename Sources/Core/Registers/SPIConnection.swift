// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The connection to a chip at one SPI chip select.
public struct SPIConnection<Device: SPIDevice & ~Copyable>: RegisterBus, ~Copyable {
  private var device: Device
  private let format: WireFormat

  public init(_ device: consuming Device, format: WireFormat) {
    self.device = device
    self.format = format
  }

  /// Consumes this connection and returns the SPI device.
  public consuming func release() -> Device { device }

  public var now: Timestamp { device.now }

  public var longestRead: Int { device.longestRead }

  public var longestWrite: Int { format.longestWrite(within: device.longestWrite) }

  public var isSPI: Bool { true }

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8)
    throws(BusError)
  {
    let multiple = bytes.count > 1 ? format.spiMultiple : 0
    try device.read(
      &bytes, after: register | format.spiRead | multiple, dummyBytes: format.spiDummyBytes)
  }

  public mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    let bytes: InlineArray<2, UInt8> = [register & ~format.spiImplied, value]
    try device.write(bytes.span)
  }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    let limit = longestWrite
    guard bytes.count <= limit else { throw .tooLong(limit: limit) }
    guard bytes.count > 0 else { return }
    let multiple = bytes.count > 1 && !format.writesPairs ? format.spiMultiple : 0
    let block = WireBlock(
      bytes, after: register & ~format.spiImplied | multiple, inPairs: format.writesPairs)
    try device.write(block.bytes.span.extracting(first: block.count))
  }
}
