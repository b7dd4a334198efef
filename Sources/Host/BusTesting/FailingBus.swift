// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A bus with injected failures. A transaction whose index, counted from 0, is one of the given
/// indices throws an error and does not reach the chip.
public struct FailingBus<Base: RegisterBus & ~Copyable>: RegisterBus, ~Copyable {
  private var base: Base
  private let failing: Range<Int>
  private let error: BusError
  private var count = 0

  /// Creates a bus that throws `error` at transaction `index`.
  public init(_ base: consuming Base, at index: Int, throwing error: BusError) {
    self.init(base, at: index..<(index + 1), throwing: error)
  }

  /// Creates a bus that throws `error` at every transaction in `indices`.
  public init(_ base: consuming Base, at indices: Range<Int>, throwing error: BusError) {
    self.base = base
    failing = indices
    self.error = error
  }

  /// Consumes this bus and returns the wrapped bus.
  public consuming func release() -> Base { base }

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
    try pass()
    try base.read(&bytes, from: register)
  }

  public mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try pass()
    try base.write(value, to: register)
  }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    try pass()
    try base.write(bytes, to: register)
  }

  private mutating func pass() throws(BusError) {
    defer { count += 1 }
    if failing.contains(count) { throw error }
  }
}
