// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The abilities that are compiled into a driver. On Linux a driver has all of them; firmware with
/// 32 kB of flash names the abilities that it uses. `RegisterBus.abilities` is a constant, so the
/// compiler removes the code for the other abilities. The driver rejects requests for abilities
/// that it does not have with `unsupportedSetting`.
public struct DriverAbilities: OptionSet, Sendable, BitwiseCopyable {
  public let rawValue: UInt16

  @inlinable @inline(__always)
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The ability to read a sample at each data-ready edge.
  @inlinable @inline(__always)
  public static var dataReady: DriverAbilities { DriverAbilities(rawValue: 1) }

  /// The ability to read the chip's FIFO in bursts.
  @inlinable @inline(__always)
  public static var fifo: DriverAbilities { DriverAbilities(rawValue: 2) }

  /// The ability to poll the chip's status when a sample is due.
  @inlinable @inline(__always)
  public static var polling: DriverAbilities { DriverAbilities(rawValue: 4) }

  /// The ability to report the events that the chip itself detects, with or without samples.
  @inlinable @inline(__always)
  public static var detections: DriverAbilities { DriverAbilities(rawValue: 8) }

  /// The ability to run the manufacturer's self-test.
  @inlinable @inline(__always)
  public static var selfTest: DriverAbilities { DriverAbilities(rawValue: 16) }

  /// The ability to accept other parts of the expected chip's family.
  @inlinable @inline(__always)
  public static var relatives: DriverAbilities { DriverAbilities(rawValue: 32) }

  /// The ability to compare the chip's configuration with what was written, while the chip runs.
  /// This detects a supply failure.
  @inlinable @inline(__always)
  public static var verification: DriverAbilities { DriverAbilities(rawValue: 64) }

  /// The ability to use the chip's low-power modes.
  @inlinable @inline(__always)
  public static var lowPower: DriverAbilities { DriverAbilities(rawValue: 128) }

  /// The ability to translate physical settings to register codes, which `configure` needs.
  @inlinable @inline(__always)
  public static var settings: DriverAbilities { DriverAbilities(rawValue: 256) }

  /// The ability to sample a magnetometer inside the chip through the chip's auxiliary I2C master.
  @inlinable @inline(__always)
  public static var magnetometer: DriverAbilities { DriverAbilities(rawValue: 512) }

  /// The ability to count in `Health` the samples whose raw values are not valid measurements. The
  /// decoder then becomes part of the driver. Firmware without this ability finds such samples in
  /// `ChipReading.invalid`. Without this ability the BMP280's decoder rejects only the code for "no
  /// data", so that a driver fits into 4 kB.
  @inlinable @inline(__always)
  public static var invalidReadings: DriverAbilities { DriverAbilities(rawValue: 1024) }

  /// All abilities.
  @inlinable @inline(__always)
  public static var all: DriverAbilities { DriverAbilities(rawValue: .max) }
}

/// A type that stands for a set of a driver's abilities, known at compile time.
public protocol AbilityChoice {
  static var abilities: DriverAbilities { get }
}

/// A connection whose driver is limited to the abilities of `Choice`.
public struct TrimmedConnection<Base: RegisterBus & ~Copyable, Choice: AbilityChoice>:
  RegisterBus, ~Copyable
{
  private var base: Base

  public init(_ base: consuming Base, for choice: Choice.Type) { self.base = base }

  /// Consumes this connection and returns the connection that it wraps.
  public consuming func release() -> Base { base }

  @inlinable @inline(__always)
  public static var abilities: DriverAbilities { Choice.abilities }

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
    try base.read(&bytes, from: register)
  }

  public mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try base.write(value, to: register)
  }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    try base.write(bytes, to: register)
  }
}
