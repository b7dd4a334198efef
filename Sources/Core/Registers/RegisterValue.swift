// SPDX-License-Identifier: Apache-2.0

/// The intended contents of one whole register: a row of a configuration table, which is written at
/// start and verified while running.
public struct RegisterValue: Equatable, Sendable, BitwiseCopyable {
  public var address: UInt8
  public var value: UInt8

  /// Creates a register value from the address and the contents of a register.
  @usableFromInline package init(address: UInt8, value: UInt8) {
    self.address = address
    self.value = value
  }

  /// Creates the contents of a whole register. The named fields are set, and all other fields are
  /// 0.
  @inline(__always)
  public init<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) {
    address = register.address
    value = register.change(fields).applied(to: 0)
  }
}

extension RegisterBus where Self: ~Copyable {
  /// Writes the register value to the chip.
  @inlinable @inline(__always)
  public mutating func write(_ row: RegisterValue) throws(ChipError) {
    try put(row.value, to: row.address)
  }

  /// Compares the register value with the chip's register. Throws `rejected` if the register
  /// contains another value.
  @inlinable @inline(never)
  public mutating func verify(_ row: RegisterValue) throws(ChipError) {
    let contents = try contents(of: row.address)
    guard contents == row.value else {
      throw .rejected(register: row.address, wrote: row.value, readBack: contents)
    }
  }

  /// Writes all registers of a configuration table, then reads and compares them. `row` returns the
  /// register value at an index, and `nil` after the last value.
  @inlinable
  public mutating func configure(_ row: (Int) -> RegisterValue?) throws(ChipError) {
    var index = 0
    while let next = row(index) {
      try write(next)
      index += 1
    }
    index = 0
    while let next = row(index) {
      try verify(next)
      index += 1
    }
  }
}
