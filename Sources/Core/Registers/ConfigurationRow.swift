// SPDX-License-Identifier: Apache-2.0

/// A row of a configuration table: one register, which is written at start and verified while
/// running. Chips with plain registers use `RegisterValue`; chips with register banks or 16-bit
/// registers use `BankedValue` or `WideValue`.
public protocol ConfigurationRow: Equatable, Sendable, BitwiseCopyable {
  /// Writes the row's value to the chip's register.
  func write<Bus: RegisterBus & ~Copyable>(to bus: inout Bus) throws(ChipError)

  /// Compares the value with the chip's register. Throws `rejected` or `rejectedWord` if the
  /// register contains another value.
  func verify<Bus: RegisterBus & ~Copyable>(on bus: inout Bus) throws(ChipError)

  /// True if all configuration rows of this type are plain registers.
  static var isPlain: Bool { get }

  /// The configuration row as a plain register; `nil` if the row's register is not plain.
  var plain: RegisterValue? { get }
}

extension RegisterValue: ConfigurationRow {
  @inlinable @inline(__always)
  public func write<Bus: RegisterBus & ~Copyable>(to bus: inout Bus) throws(ChipError) {
    try bus.write(self)
  }

  @inlinable @inline(__always)
  public func verify<Bus: RegisterBus & ~Copyable>(on bus: inout Bus) throws(ChipError) {
    try bus.verify(self)
  }

  @inlinable @inline(__always)
  public static var isPlain: Bool { true }

  @inlinable @inline(__always)
  public var plain: RegisterValue? { self }
}

extension ConfigurationRow {
  @inlinable @inline(__always)
  public static var isPlain: Bool { false }

  @inlinable @inline(__always)
  public var plain: RegisterValue? { nil }
}

/// The intended contents of a whole register in any bank.
public struct BankedValue: ConfigurationRow {
  public var address: FlatAddress
  public var value: UInt8

  /// Creates the contents of a register in bank 0. The named fields are set, and all other fields
  /// are 0.
  @inline(__always)
  public init<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) {
    address = FlatAddress(register.address)
    value = register.change(fields).applied(to: 0)
  }

  /// Creates the contents of a register in another bank. The named fields are set, and all other
  /// fields are 0.
  @inline(__always)
  public init<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Banked<Layout, Access>, _ fields: (Layout) -> Change
  ) {
    address = register.address
    value = register.register.change(fields).applied(to: 0)
  }

  public func write<Bus: RegisterBus & ~Copyable>(to bus: inout Bus) throws(ChipError) {
    try bus.put(value, to: address)
  }

  public func verify<Bus: RegisterBus & ~Copyable>(on bus: inout Bus) throws(ChipError) {
    let contents = try bus.contents(of: address)
    guard contents == value else {
      throw .rejectedWord(address, wrote: UInt16(value), readBack: UInt16(contents))
    }
  }
}

/// The intended contents of a whole 16-bit register.
public struct WideValue: ConfigurationRow {
  public var address: UInt8
  public var order: ByteOrder
  public var value: UInt16

  /// Creates the contents of a 16-bit register. The named fields are set, and all other fields are
  /// 0.
  @inline(__always)
  public init<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: WideRegister<Layout, Access>, _ fields: (Layout) -> WideChange
  ) {
    address = register.address
    order = register.order
    value = register.change(fields).applied(to: 0)
  }

  public func write<Bus: RegisterBus & ~Copyable>(to bus: inout Bus) throws(ChipError) {
    try bus.put(value, to: address, order)
  }

  public func verify<Bus: RegisterBus & ~Copyable>(on bus: inout Bus) throws(ChipError) {
    let contents = try bus.word(of: address, order)
    guard contents == value else {
      throw .rejectedWord(FlatAddress(address), wrote: value, readBack: contents)
    }
  }
}
