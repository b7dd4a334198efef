// SPDX-License-Identifier: Apache-2.0

// Typed access to registers. The functions that depend on a register's type are inlined. They call
// functions that are not inlined, so that a program contains only one copy of these.
extension RegisterBus where Self: ~Copyable {
  /// Reads the contents of a register.
  @inlinable @inline(never)
  package mutating func contents(of address: UInt8) throws(ChipError) -> UInt8 {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    do { try read(&span, from: address) } catch { throw .bus(error, register: address) }
    return bytes[0]
  }

  /// Reads consecutive registers starting at `address`, or a FIFO, in one transaction. A bus error
  /// is reported for the register `blamed`.
  @inlinable @inline(never)
  package mutating func fetch(
    _ bytes: inout MutableSpan<UInt8>, from address: UInt8, blaming blamed: UInt8
  ) throws(ChipError) {
    do { try read(&bytes, from: address) } catch { throw .bus(error, register: blamed) }
  }

  /// Writes the contents of a register.
  @inlinable @inline(never)
  package mutating func put(_ value: UInt8, to address: UInt8) throws(ChipError) {
    do { try write(value, to: address) } catch { throw .bus(error, register: address) }
  }

  /// Reads a register.
  @inline(__always)
  public mutating func read<Layout, Access: ReadableAccess>(_ register: Register<Layout, Access>)
    throws(ChipError) -> Contents<Layout>
  {
    register.contents(try contents(of: register.address))
  }

  /// Reads consecutive registers starting at `register`, or a FIFO, in one transaction.
  @inline(__always)
  public mutating func read<Layout, Access: ReadableAccess>(
    _ bytes: inout MutableSpan<UInt8>, from register: Register<Layout, Access>
  ) throws(ChipError) {
    try fetch(&bytes, from: register.address, blaming: register.address)
  }

  /// Reads `count` bytes starting at `register` in one transaction.
  @inline(__always)
  public mutating func bytes<let count: Int, Layout, Access: ReadableAccess>(
    from register: Register<Layout, Access>
  ) throws(ChipError) -> InlineArray<count, UInt8> {
    var bytes = InlineArray<count, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    try read(&span, from: register)
    return bytes
  }

  /// Writes the named fields of a register. All other fields of the register become 0.
  @inline(__always)
  public mutating func set<Layout, Access: WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) throws(ChipError) {
    try put(register.change(fields).applied(to: 0), to: register.address)
  }

  /// Reads the register, changes the named fields and writes it back. All other fields, including
  /// reserved bits, keep their values.
  public mutating func modify<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) throws(ChipError) {
    let contents = try read(register).raw
    try put(register.change(fields).applied(to: contents), to: register.address)
  }

  /// Changes the named fields, reads the register again and compares it. Throws `rejected` if the
  /// contents differ.
  public mutating func modifyAndVerify<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) throws(ChipError) {
    try modify(register, fields)
    let change = register.change(fields)
    let contents = try read(register).raw
    guard change.holds(in: contents) else {
      throw .rejected(register: register.address, wrote: change.bits, readBack: contents)
    }
  }
}
