// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The connection to one chip over any bus. Through it a driver reads and writes single registers,
/// and several registers in a burst.
public protocol RegisterBus: ~Copyable {
  /// The current time, on the clock of the samples.
  var now: Timestamp { get }

  /// The largest number of bytes that one read can return. Bus adapters and device nodes limit it.
  var longestRead: Int { get }

  /// The largest number of bytes that one write can send.
  var longestWrite: Int { get }

  /// True if the bus is SPI. Some chips must be configured to stay on SPI.
  var isSPI: Bool { get }

  /// The abilities of a driver over this connection. They are constant, so that the compiler
  /// removes the code for the other abilities.
  static var abilities: DriverAbilities { get }

  /// Fills `bytes` from consecutive registers starting at `register`, or from a FIFO, in one
  /// transaction.
  mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError)

  mutating func write(_ value: UInt8, to register: UInt8) throws(BusError)

  /// Writes `bytes` to consecutive registers starting at `register` in one transaction. Does
  /// nothing if `bytes` is empty.
  mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError)

  /// Fills `bytes` from registers in any bank; see `BankedBus`.
  mutating func read(_ bytes: inout MutableSpan<UInt8>, at address: FlatAddress) throws(BusError)
  mutating func write(_ bytes: Span<UInt8>, at address: FlatAddress) throws(BusError)

  /// Selects the bank that is selected after a reset, because the chip's next user may not select
  /// any bank.
  mutating func showFirstBank() throws(BusError)

  /// Invalidates the cached number of the selected bank, because the chip may have been reset.
  mutating func forgetBank()

  /// The size in bytes of the firmware for this chip: a program by the manufacturer that some chips
  /// must load after each reset. 0 if the connection has no firmware.
  var firmwareSize: Int { get }

  /// Fills `bytes` from the firmware, starting at `offset`. Bytes beyond the end of the firmware
  /// are left unchanged.
  func readFirmware(_ bytes: inout MutableSpan<UInt8>, from offset: Int)
}

extension RegisterBus where Self: ~Copyable {
  /// By default one read can return any number of bytes.
  public var longestRead: Int { .max }

  /// By default one write can send at most one byte, because not every connection implements writes
  /// of several bytes.
  public var longestWrite: Int { 1 }

  /// By default the bus is not SPI: it is I2C, or its kind does not matter to the chip.
  public var isSPI: Bool { false }

  /// By default a driver on this bus has all abilities.
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

  // The default for the majority of chips, which need no firmware.

  @inlinable @inline(__always)
  public var firmwareSize: Int { 0 }

  @inlinable @inline(__always)
  public func readFirmware(_ bytes: inout MutableSpan<UInt8>, from offset: Int) {}
}

/// A connection that a driver owns. It may be copyable or not.
public typealias ChipBus = RegisterBus & ~Copyable
