// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The connection to one chip, whatever the wires: registers can be read and written one by one and
/// in bursts.
public protocol RegisterBus: ~Copyable {
  /// The moment, on the clock of the samples.
  var now: Timestamp { get }

  /// The most bytes that one read can fill: adapters and nodes have their limits.
  var longestRead: Int { get }

  /// The most bytes that one write can carry.
  var longestWrite: Int { get }

  /// True where the wire is SPI: some chips need to be told to keep to it.
  var isSPI: Bool { get }

  /// The abilities of the driver over this connection: a constant, for the compiler to leave out
  /// the rest.
  static var abilities: DriverAbilities { get }

  /// Fills `bytes` from consecutive registers, or from a port, in one transaction.
  mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError)

  mutating func write(_ value: UInt8, to register: UInt8) throws(BusError)

  /// Writes `bytes` to consecutive registers, or to a port, in one transaction; nothing happens for
  /// no bytes.
  mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError)

  /// Fills `bytes` from registers of any bank; see `BankedBus`.
  mutating func read(_ bytes: inout MutableSpan<UInt8>, at address: FlatAddress) throws(BusError)
  mutating func write(_ bytes: Span<UInt8>, at address: FlatAddress) throws(BusError)

  /// Lets the chip show the bank that it shows after a reset, if it was told to show another one:
  /// its next user may not know.
  mutating func showFirstBank() throws(BusError)

  /// Forgets which bank the chip shows: it may have been reset.
  mutating func forgetBank()
}

extension RegisterBus where Self: ~Copyable {
  /// No limit.
  public var longestRead: Int { .max }

  /// One byte, of a connection that does not say how to write several.
  public var longestWrite: Int { 1 }

  /// I2C, or a wire that makes no difference to the chip.
  public var isSPI: Bool { false }

  /// Everything.
  @inlinable @inline(__always)
  public static var abilities: DriverAbilities { .all }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    guard bytes.count <= 1 else { throw .tooLong(limit: 1) }
    if bytes.count == 1 { try write(bytes[0], to: register) }
  }

  // A connection that knows of no banks has one.

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, at address: FlatAddress)
    throws(BusError)
  {
    guard address.bank == 0 else { throw .unsupported }
    try read(&bytes, from: address.register)
  }

  public mutating func write(_ bytes: Span<UInt8>, at address: FlatAddress) throws(BusError) {
    guard address.bank == 0 else { throw .unsupported }
    try write(bytes, to: address.register)
  }

  @inlinable @inline(__always)
  public mutating func showFirstBank() throws(BusError) {}

  @inlinable @inline(__always)
  public mutating func forgetBank() {}
}

/// A bus that a driver owns: one that may be copied, or not.
public typealias ChipBus = RegisterBus & ~Copyable
