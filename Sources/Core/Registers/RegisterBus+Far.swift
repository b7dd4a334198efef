// SPDX-License-Identifier: Apache-2.0

// Access to 16-bit registers.
extension RegisterBus where Self: ~Copyable {
  /// Reads the contents of a 16-bit register.
  @inlinable @inline(never)
  package mutating func word(of address: UInt8, _ order: ByteOrder) throws(ChipError) -> UInt16 {
    var bytes: InlineArray<2, UInt8> = [0, 0]
    var span = bytes.mutableSpan
    do { try read(&span, from: address) } catch { throw .bus(error, register: address) }
    return order.word(bytes[0], bytes[1])
  }

  /// Writes a 16-bit register, both bytes in one transaction.
  @inlinable @inline(never)
  package mutating func put(_ word: UInt16, to address: UInt8, _ order: ByteOrder)
    throws(ChipError)
  {
    let bytes = order.bytes(word)
    do { try write(bytes.span, to: address) } catch { throw .bus(error, register: address) }
  }

  /// Reads a 16-bit register.
  @inline(__always)
  public mutating func read<Layout, Access: ReadableAccess>(
    _ register: WideRegister<Layout, Access>
  ) throws(ChipError) -> WideContents<Layout> {
    register.contents(try word(of: register.address, register.order))
  }

  /// Writes the named fields of a 16-bit register. All other fields of the register become 0.
  @inline(__always)
  public mutating func set<Layout, Access: WritableAccess>(
    _ register: WideRegister<Layout, Access>, _ fields: (Layout) -> WideChange
  ) throws(ChipError) {
    try put(register.change(fields).applied(to: 0), to: register.address, register.order)
  }

  /// Reads a 16-bit register, changes the named fields and writes the register back. All other
  /// fields keep their values.
  public mutating func modify<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: WideRegister<Layout, Access>, _ fields: (Layout) -> WideChange
  ) throws(ChipError) {
    let contents = try read(register).raw
    try put(register.change(fields).applied(to: contents), to: register.address, register.order)
  }

  /// Changes the named fields of a 16-bit register, then reads the register again and compares it.
  /// Throws `rejectedWord` if the contents differ.
  public mutating func modifyAndVerify<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: WideRegister<Layout, Access>, _ fields: (Layout) -> WideChange
  ) throws(ChipError) {
    try modify(register, fields)
    let change = register.change(fields)
    let contents = try read(register).raw
    guard change.holds(in: contents) else {
      throw .rejectedWord(
        FlatAddress(register.address), wrote: change.bits, readBack: contents)
    }
  }
}

extension RegisterBus where Self: ~Copyable {
  /// Reads the contents of a register in any bank.
  @inlinable @inline(never)
  package mutating func contents(of address: FlatAddress) throws(ChipError) -> UInt8 {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    do { try read(&span, at: address) } catch { throw .bus(error, register: address.register) }
    return bytes[0]
  }

  /// Writes the contents of a register in any bank.
  @inlinable @inline(never)
  package mutating func put(_ value: UInt8, to address: FlatAddress) throws(ChipError) {
    let bytes: InlineArray<1, UInt8> = [value]
    do { try write(bytes.span, at: address) } catch {
      throw .bus(error, register: address.register)
    }
  }

  /// Reads a register in any bank.
  @inline(__always)
  public mutating func read<Layout, Access: ReadableAccess>(_ register: Banked<Layout, Access>)
    throws(ChipError) -> Contents<Layout>
  {
    register.register.contents(try contents(of: register.address))
  }

  /// Reads consecutive registers of a bank starting at `register`, or a FIFO, in one transaction.
  public mutating func read<Layout, Access: ReadableAccess>(
    _ bytes: inout MutableSpan<UInt8>, from register: Banked<Layout, Access>
  ) throws(ChipError) {
    do { try read(&bytes, at: register.address) } catch {
      throw .bus(error, register: register.register.address)
    }
  }

  /// Reads `count` bytes starting at `register` in one transaction.
  @inline(__always)
  public mutating func bytes<let count: Int, Layout, Access: ReadableAccess>(
    from register: Banked<Layout, Access>
  ) throws(ChipError) -> InlineArray<count, UInt8> {
    var bytes = InlineArray<count, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    try read(&span, from: register)
    return bytes
  }

  /// Writes the named fields of a register in any bank. All other fields of the register become 0.
  @inline(__always)
  public mutating func set<Layout, Access: WritableAccess>(
    _ register: Banked<Layout, Access>, _ fields: (Layout) -> Change
  ) throws(ChipError) {
    try put(register.register.change(fields).applied(to: 0), to: register.address)
  }

  /// Reads the register, changes the named fields and writes it back. All other fields keep their
  /// values.
  public mutating func modify<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Banked<Layout, Access>, _ fields: (Layout) -> Change
  ) throws(ChipError) {
    let contents = try read(register).raw
    try put(register.register.change(fields).applied(to: contents), to: register.address)
  }

  /// Changes the named fields, reads the register again and compares it. Throws `rejectedWord` if
  /// the contents differ.
  public mutating func modifyAndVerify<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Banked<Layout, Access>, _ fields: (Layout) -> Change
  ) throws(ChipError) {
    try modify(register, fields)
    let change = register.register.change(fields)
    let contents = try read(register).raw
    guard change.holds(in: contents) else {
      throw .rejectedWord(
        register.address, wrote: UInt16(change.bits), readBack: UInt16(contents))
    }
  }
}
