// SPDX-License-Identifier: Apache-2.0
public import Buses
public import Quantities

/// The connection to one chip, whatever the wires: registers can be read in a burst and written one by one.
public protocol RegisterBus: ~Copyable {
  /// The moment, on the clock of the samples.
  var now: Timestamp { get }

  /// The most bytes that one read can fill: adapters and nodes have their limits.
  var longestRead: Int { get }

  /// Whether the wire is SPI: some chips need to be told to keep to it.
  var isSPI: Bool { get }

  /// What the driver over this connection is to be able to do: a constant, for the compiler to leave out the rest.
  static var abilities: DriverAbilities { get }

  /// Fills `bytes` from consecutive registers, or from a port, in one transaction.
  mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError)

  mutating func write(_ value: UInt8, to register: UInt8) throws(BusError)
}

extension RegisterBus where Self: ~Copyable {
  /// No limit.
  public var longestRead: Int { .max }

  /// I2C, or a wire that makes no difference to the chip.
  public var isSPI: Bool { false }

  /// Everything.
  @inlinable @inline(__always)
  public static var abilities: DriverAbilities { .all }
}
