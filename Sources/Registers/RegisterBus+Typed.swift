// SPDX-License-Identifier: Apache-2.0
internal import Buses

extension RegisterBus where Self: ~Copyable {
  /// One register, with its fields.
  public mutating func read<Layout, Access: ReadableAccess>(_ register: Register<Layout, Access>)
    throws(ChipError) -> Contents<Layout>
  {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    do { try read(&span, from: register.address) } catch {
      throw .bus(error, register: register.address)
    }
    return Contents(raw: bytes[0])
  }

  /// Consecutive registers from `register` on, or a queue's port, in one transaction.
  public mutating func read<Layout, Access: ReadableAccess>(
    _ bytes: inout MutableSpan<UInt8>, from register: Register<Layout, Access>
  ) throws(ChipError) {
    do { try read(&bytes, from: register.address) } catch {
      throw .bus(error, register: register.address)
    }
  }

  /// Writes the fields named; all others of the register become 0.
  public mutating func set<Layout, Access: WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) throws(ChipError) {
    let value = register.change(fields).applied(to: 0)
    do { try write(value, to: register.address) } catch {
      throw .bus(error, register: register.address)
    }
  }

  /// Reads the register, changes the fields named and leaves all others, reserved bits too, as they were.
  public mutating func modify<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) throws(ChipError) {
    let contents = try read(register).raw
    do { try write(register.change(fields).applied(to: contents), to: register.address) } catch {
      throw .bus(error, register: register.address)
    }
  }

  /// Changes the fields named, reads the register again and compares them.
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
