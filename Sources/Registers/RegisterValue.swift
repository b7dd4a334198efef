// SPDX-License-Identifier: Apache-2.0

/// What one whole register shall hold: a line of a configuration table, which is written at start and compared
/// while running.
public struct RegisterValue: Equatable, Sendable, BitwiseCopyable {
  public var address: UInt8
  public var value: UInt8

  /// The register with the fields named set and all others 0.
  public init<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) {
    address = register.address
    value = register.change(fields).applied(to: 0)
  }
}

extension RegisterBus where Self: ~Copyable {
  /// Writes one line of a configuration table.
  public mutating func write(_ line: RegisterValue) throws(ChipError) {
    do { try write(line.value, to: line.address) } catch {
      throw .bus(error, register: line.address)
    }
  }

  /// Compares one line of a configuration table with the chip; throws `rejected` where they differ.
  public mutating func verify(_ line: RegisterValue) throws(ChipError) {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    do { try read(&span, from: line.address) } catch {
      throw .bus(error, register: line.address)
    }
    guard bytes[0] == line.value else {
      throw .rejected(register: line.address, wrote: line.value, readBack: bytes[0])
    }
  }
}
