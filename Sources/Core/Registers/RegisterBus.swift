// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The connection to one chip over any bus, for reading and writing registers singly and in bursts.
public protocol RegisterBus: ~Copyable {
  /// The current time, on the samples' clock.
  var now: Timestamp { get }

  /// The most bytes that one read can fill, as adapters and nodes are limited.
  var longestRead: Int { get }

  /// The most bytes that one write can send.
  var longestWrite: Int { get }

  /// True if the bus is SPI: some chips must be configured to stay on SPI.
  var isSPI: Bool { get }

  /// The abilities of the driver over this connection: a constant, so that the compiler removes the
  /// code for the others.
  static var abilities: DriverAbilities { get }

  /// Fills `bytes` from consecutive registers, or from a port, in one transaction.
  mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError)

  mutating func write(_ value: UInt8, to register: UInt8) throws(BusError)

  /// Writes `bytes` to consecutive registers, or to a port, in one transaction; does nothing if
  /// `bytes` is empty.
  mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError)

  /// Fills `bytes` from registers in any bank; see `BankedBus`.
  mutating func read(_ bytes: inout MutableSpan<UInt8>, at address: FlatAddress) throws(BusError)
  mutating func write(_ bytes: Span<UInt8>, at address: FlatAddress) throws(BusError)

  /// Selects the chip's reset bank if another one is selected: the chip's next user may not select
  /// one.
  mutating func showFirstBank() throws(BusError)

  /// Invalidates the cached bank, as the chip may have been reset.
  mutating func forgetBank()
}

extension RegisterBus where Self: ~Copyable {
  /// No limit.
  public var longestRead: Int { .max }

  /// One byte, for a connection that does not implement writes of several.
  public var longestWrite: Int { 1 }

  /// False: I2C, or a bus whose kind does not matter to the chip.
  public var isSPI: Bool { false }

  /// All abilities.
  @inlinable @inline(__always)
  public static var abilities: DriverAbilities { .all }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    guard bytes.count <= 1 else { throw .tooLong(limit: 1) }
    if bytes.count == 1 { try write(bytes[0], to: register) }
  }

  // A connection without banks has only bank 0.

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

/// A bus that a driver owns; it may be copyable or not.
public typealias ChipBus = RegisterBus & ~Copyable
