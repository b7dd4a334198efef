// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The registers through which a chip gives access to its inner registers, which have no address on
/// the bus: two registers for an inner address, high byte first, and after them one register for
/// the contents at that address. A `FlatAddress` names an inner register by its bank, which is part
/// of the high byte, and by its low byte. Bank 0 contains the registers on the bus.
public struct IndirectWindow: Equatable, Sendable, BitwiseCopyable {
  /// The address of the register for the high byte of an inner address. The low byte and the
  /// contents are the next two registers.
  public let first: UInt8
  /// The bits of the high byte that are the same in all inner addresses in use.
  public let page: UInt8
  /// The address of the status register, whose ready flag is set while the chip can accept a
  /// request.
  public let status: UInt8
  /// The mask of the ready flag in the status register.
  public let ready: UInt8

  public init(first: UInt8, page: UInt8, status: UInt8, ready: UInt8) {
    self.first = first
    self.page = page
    self.status = status
    self.ready = ready
  }

  /// The address of the register with the contents of the selected inner register.
  public var data: UInt8 { first &+ 2 }

  /// Returns the high byte of inner addresses in `bank`.
  public func high(of bank: UInt8) -> UInt8 { page | bank }

  /// Returns the bank for `high`, the high byte of an inner address; `nil` if the map has no such
  /// bank.
  public func bank(of high: UInt8) -> UInt8? {
    let bank = high ^ page
    return 1...Self.banks ~= bank ? bank : nil
  }

  /// The largest bank number that `WordRejection` can hold.
  public static var banks: UInt8 { 7 }
}

/// The register map of a chip with inner registers, which are declared as `Banked`.
public protocol IndirectMap: RegisterMap {
  static var indirect: IndirectWindow { get }
}

/// The connection to a chip with inner registers. Registers of bank 0 are accessed directly.
/// Registers of other banks are accessed by their inner addresses, one byte at a time.
///
/// The chip loses a request that arrives while it handles another request (TDK DS-000489, sections
/// 13 and 16.84: 4 us). The ready flag is therefore read before and after each request, as in
/// INAV's and ArduPilot's drivers. A write sends the address and the contents in one transaction;
/// otherwise the chip would read the register first.
public struct IndirectBus<Base: RegisterBus & ~Copyable>: RegisterBus, ~Copyable {
  private var base: Base
  public let window: IndirectWindow

  public init(_ base: consuming Base, _ window: IndirectWindow) {
    self.base = base
    self.window = window
  }

  /// Consumes this connection and returns the connection that it wraps.
  public consuming func release() -> Base { base }

  @inlinable @inline(__always)
  public static var abilities: DriverAbilities { Base.abilities }

  public var now: Timestamp { base.now }

  public var longestRead: Int { base.longestRead }

  public var longestWrite: Int { base.longestWrite }

  public var isSPI: Bool { base.isSPI }

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8)
    throws(BusError)
  {
    try base.read(&bytes, from: register)
  }

  public mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try base.write(value, to: register)
  }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    try base.write(bytes, to: register)
  }

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, at address: FlatAddress)
    throws(BusError)
  {
    guard address.bank != 0 else { return try base.read(&bytes, from: address.register) }
    for index in bytes.indices {
      let low = address.register &+ UInt8(truncatingIfNeeded: index)
      let request: InlineArray<2, UInt8> = [window.high(of: address.bank), low]
      try awaitReady()
      try base.write(request.span, to: window.first)
      try awaitReady()
      bytes[index] = try byte(at: window.data)
    }
  }

  public mutating func write(_ bytes: Span<UInt8>, at address: FlatAddress) throws(BusError) {
    guard address.bank != 0 else { return try base.write(bytes, to: address.register) }
    for index in bytes.indices {
      let low = address.register &+ UInt8(truncatingIfNeeded: index)
      let request: InlineArray<3, UInt8> = [window.high(of: address.bank), low, bytes[index]]
      try awaitReady()
      try base.write(request.span, to: window.first)
    }
  }

  /// Reads the ready flag until the chip can accept a request. A read of the flag takes about as
  /// long as the chip needs for a request, so a few reads are enough.
  private mutating func awaitReady() throws(BusError) {
    for _ in 0..<16 {
      let status = try byte(at: window.status)
      if status & window.ready != 0 { return }
    }
    throw .timeout
  }

  private mutating func byte(at register: UInt8) throws(BusError) -> UInt8 {
    var byte: InlineArray<1, UInt8> = [0]
    var span = byte.mutableSpan
    try base.read(&span, from: register)
    return byte[0]
  }
}
