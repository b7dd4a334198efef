// SPDX-License-Identifier: Apache-2.0

/// The intended contents of one whole register: a row of a configuration table, which is written at
/// start and verified while running.
public struct RegisterValue: Equatable, Sendable, BitwiseCopyable {
  public var address: UInt8
  public var value: UInt8

  /// Creates contents of the register at `address` that are filled in later.
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
  /// Writes one row of a configuration table to the chip.
  @inlinable @inline(__always)
  public mutating func write(_ line: RegisterValue) throws(ChipError) {
    try put(line.value, to: line.address)
  }

  /// Compares one row of a configuration table with the chip. Throws `rejected` if row and register
  /// differ.
  @inlinable @inline(never)
  public mutating func verify(_ line: RegisterValue) throws(ChipError) {
    let contents = try contents(of: line.address)
    guard contents == line.value else {
      throw .rejected(register: line.address, wrote: line.value, readBack: contents)
    }
  }

  /// Writes every row of a configuration table, then compares every row with the chip. `line`
  /// returns the row at an index, and `nil` after the last row.
  @inlinable
  public mutating func configure(_ line: (Int) -> RegisterValue?) throws(ChipError) {
    var index = 0
    while let next = line(index) {
      try write(next)
      index += 1
    }
    index = 0
    while let next = line(index) {
      try verify(next)
      index += 1
    }
  }
}
