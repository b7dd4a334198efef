// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The connection to a chip whose registers are in several banks. Before each access the connection
/// selects the register's bank, unless that bank is selected already. Plain registers belong to
/// bank 0.
///
/// The selected bank is cached. Every error invalidates the cache, so that the next access selects
/// the register's bank again and no write reaches the wrong bank.
public struct BankedBus<Base: RegisterBus & ~Copyable>: RegisterBus, ~Copyable {
  private var base: Base
  public let window: RegisterWindow
  /// The bank that `showFirstBank` selects.
  private let home: UInt8
  /// The selected bank; `nil` if it is unknown.
  private var shown: UInt8?

  /// Creates a connection for a driver. The selected bank is unknown, and `showFirstBank` selects
  /// bank 0.
  public init(_ base: consuming Base, _ window: RegisterWindow) {
    self.base = base
    self.window = window
    home = 0
  }

  /// Creates a connection for a reader. `bank` is the bank that is selected on the chip now, and
  /// `showFirstBank` selects it again.
  public init(_ base: consuming Base, _ window: RegisterWindow, showing bank: UInt8) {
    self.base = base
    self.window = window
    home = bank
    shown = bank
  }

  /// Consumes this connection and returns the connection that it wraps.
  public consuming func release() -> Base { base }

  @inlinable @inline(__always)
  public static var abilities: DriverAbilities { Base.abilities }

  public var now: Timestamp { base.now }

  public var longestRead: Int { base.longestRead }

  public var longestWrite: Int { base.longestWrite }

  public var isSPI: Bool { base.isSPI }

  public var firmwareSize: Int { base.firmwareSize }

  public func readFirmware(_ bytes: inout MutableSpan<UInt8>, from offset: Int) {
    base.readFirmware(&bytes, from: offset)
  }

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8)
    throws(BusError)
  {
    try read(&bytes, at: FlatAddress(register))
  }

  public mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    let bytes: InlineArray<1, UInt8> = [value]
    try write(bytes.span, at: FlatAddress(register))
  }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    try write(bytes, at: FlatAddress(register))
  }

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, at address: FlatAddress)
    throws(BusError)
  {
    try show(address, count: bytes.count)
    do throws(BusError) { try base.read(&bytes, from: address.register) } catch {
      shown = nil
      throw error
    }
  }

  public mutating func write(_ bytes: Span<UInt8>, at address: FlatAddress) throws(BusError) {
    try show(address, count: bytes.count)
    let isSelecting =
      address.register <= window.selector
      && Int(address.register) + bytes.count > Int(window.selector)
    do throws(BusError) {
      if bytes.count == 1 {
        try base.write(bytes[0], to: address.register)
      } else {
        try base.write(bytes, to: address.register)
      }
    } catch {
      shown = nil
      throw error
    }
    if isSelecting { shown = nil }
  }

  public mutating func showFirstBank() throws(BusError) {
    guard let shown, shown != home else { return }
    try select(home)
  }

  public mutating func forgetBank() { shown = nil }

  private mutating func show(_ address: FlatAddress, count: Int) throws(BusError) {
    guard shown != address.bank, window.isTouched(from: address.register, count: count) else {
      return
    }
    try select(address.bank)
  }

  private mutating func select(_ bank: UInt8) throws(BusError) {
    shown = nil
    try base.write(window.contents(selecting: bank), to: window.selector)
    shown = bank
  }
}
