// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The abilities that a driver is to have. On Linux a driver can do everything that its chip can;
/// firmware that has 32 kB in all names the abilities it uses, and the others are not in it:
/// `RegisterBus.abilities` is constant, so the compiler leaves the rest out. A driver refuses
/// requests for the others with `unsupportedSetting`.
public struct DriverAbilities: OptionSet, Sendable, BitwiseCopyable {
  public let rawValue: UInt16

  @inlinable @inline(__always)
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// To answer each data-ready edge with a read.
  @inlinable @inline(__always)
  public static var dataReady: DriverAbilities { DriverAbilities(rawValue: 1) }

  /// To read the chip's queue in bursts.
  @inlinable @inline(__always)
  public static var fifo: DriverAbilities { DriverAbilities(rawValue: 2) }

  /// To ask the status when a sample should be there.
  @inlinable @inline(__always)
  public static var polling: DriverAbilities { DriverAbilities(rawValue: 4) }

  /// To report what the chip detects by itself, beside samples or instead of them.
  @inlinable @inline(__always)
  public static var detections: DriverAbilities { DriverAbilities(rawValue: 8) }

  /// The maker's self-test.
  @inlinable @inline(__always)
  public static var selfTest: DriverAbilities { DriverAbilities(rawValue: 16) }

  /// To work with other members of the family than the one that is expected.
  @inlinable @inline(__always)
  public static var relatives: DriverAbilities { DriverAbilities(rawValue: 32) }

  /// To compare the chip's configuration with what was written while it runs, and so to notice that
  /// its supply failed.
  @inlinable @inline(__always)
  public static var verification: DriverAbilities { DriverAbilities(rawValue: 64) }

  /// The chip's low-power modes.
  @inlinable @inline(__always)
  public static var lowPower: DriverAbilities { DriverAbilities(rawValue: 128) }

  /// To choose codes for physical settings, and so to be configured anew.
  @inlinable @inline(__always)
  public static var settings: DriverAbilities { DriverAbilities(rawValue: 256) }

  /// To sample a magnetometer inside the chip by the chip's own auxiliary master.
  @inlinable @inline(__always)
  public static var magnetometer: DriverAbilities { DriverAbilities(rawValue: 512) }

  /// Everything.
  @inlinable @inline(__always)
  public static var all: DriverAbilities { DriverAbilities(rawValue: .max) }
}

/// A choice of abilities, as a type: what is known when a program is compiled.
public protocol AbilityChoice {
  static var abilities: DriverAbilities { get }
}

/// A connection whose driver is to do no more than `Choice` names.
public struct TrimmedConnection<Base: RegisterBus & ~Copyable, Choice: AbilityChoice>:
  RegisterBus, ~Copyable
{
  private var base: Base

  public init(_ base: consuming Base, for choice: Choice.Type) { self.base = base }

  /// Gives the connection back.
  public consuming func release() -> Base { base }

  @inlinable @inline(__always)
  public static var abilities: DriverAbilities { Choice.abilities }

  public var now: Timestamp { base.now }

  public var longestRead: Int { base.longestRead }

  public var longestWrite: Int { base.longestWrite }

  public var isSPI: Bool { base.isSPI }

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
