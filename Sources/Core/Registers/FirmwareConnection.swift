// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A type that provides the firmware of a chip, for programs on a microcontroller that contain this
/// firmware.
public protocol ChipFirmware {
  /// The size of the firmware in bytes.
  static var size: Int { get }

  /// Returns byte `index` of the firmware.
  static func byte(_ index: Int) -> UInt8
}

/// A connection whose driver loads `Firmware` into the chip.
public struct FirmwareConnection<Base: RegisterBus & ~Copyable, Firmware: ChipFirmware>:
  RegisterBus, ~Copyable
{
  private var base: Base

  public init(_ base: consuming Base, loading firmware: Firmware.Type) { self.base = base }

  /// Consumes this connection and returns the connection that it wraps.
  public consuming func release() -> Base { base }

  @inlinable @inline(__always)
  public static var abilities: DriverAbilities { Base.abilities }

  public var now: Timestamp { base.now }

  public var longestRead: Int { base.longestRead }

  public var longestWrite: Int { base.longestWrite }

  public var isSPI: Bool { base.isSPI }

  public var firmwareSize: Int { Firmware.size }

  public func readFirmware(_ bytes: inout MutableSpan<UInt8>, from offset: Int) {
    for index in bytes.indices where offset &+ index < Firmware.size {
      bytes[index] = Firmware.byte(offset &+ index)
    }
  }

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8)
    throws(BusError)
  {
    try base.read(&bytes, from: register)
  }

  public mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try base.write(value, to: register)
  }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    try base.write(bytes, to: register)
  }
}
