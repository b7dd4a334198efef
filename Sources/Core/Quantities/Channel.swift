// SPDX-License-Identifier: Apache-2.0

/// A physical quantity that a sensor samples. `ChannelRow` holds the channel's properties. The raw
/// value is the channel's number in channel sets and in protocols, and never changes.
public enum Channel: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case acceleration
  case rotationRate
  case magneticField
  // The channels from here on are scalar. `ScalarValues` has a value for each of them.
  case pressure
  case temperature
  case humidity
  case illuminance
  case proximity

  /// True if the quantity is a vector, which must be rotated from chip axes to device axes.
  @inlinable @inline(__always)
  public var isVector: Bool { rawValue < Channel.pressure.rawValue }

  /// The number of components of a value of the channel: 3 for a vector, otherwise 1.
  @inlinable @inline(__always)
  public var width: Int { isVector ? 3 : 1 }

  /// The unit of a channel's values in every layer above the chips.
  public var unit: StaticString { row.unit }
}

/// A set of channels.
public struct ChannelSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16

  @inlinable @inline(__always)
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  @inlinable @inline(__always)
  public init(_ channel: Channel) { rawValue = 1 << UInt16(channel.rawValue) }

  /// Creates a set of channels that contains all of `channels`.
  @inlinable
  public init(_ channels: some Sequence<Channel>) {
    self = channels.reduce(into: []) { $0.insert(ChannelSet($1)) }
  }

  @inlinable @inline(__always)
  public static var acceleration: ChannelSet { ChannelSet(.acceleration) }
  @inlinable @inline(__always)
  public static var rotationRate: ChannelSet { ChannelSet(.rotationRate) }
  @inlinable @inline(__always)
  public static var magneticField: ChannelSet { ChannelSet(.magneticField) }
  @inlinable @inline(__always)
  public static var pressure: ChannelSet { ChannelSet(.pressure) }
  @inlinable @inline(__always)
  public static var temperature: ChannelSet { ChannelSet(.temperature) }
  @inlinable @inline(__always)
  public static var humidity: ChannelSet { ChannelSet(.humidity) }
  @inlinable @inline(__always)
  public static var illuminance: ChannelSet { ChannelSet(.illuminance) }
  @inlinable @inline(__always)
  public static var proximity: ChannelSet { ChannelSet(.proximity) }

  /// The set of all channels.
  @inlinable
  public static var all: ChannelSet {
    ChannelSet(rawValue: UInt16(truncatingIfNeeded: (1 << Channel.allCases.count) - 1))
  }

  @inlinable @inline(__always)
  public func contains(_ channel: Channel) -> Bool { contains(ChannelSet(channel)) }
}

/// A number for each scalar channel.
public struct ScalarValues: Equatable, Sendable, BitwiseCopyable {
  // The values of the scalar channels, in the order of the channels from `pressure` on.
  @usableFromInline var values: InlineArray<5, Scalar>

  /// Creates values in which every scalar channel is zero.
  @inlinable @inline(__always)
  public init() { values = [0, 0, 0, 0, 0] }

  /// The value of the scalar channel `channel`, in the channel's unit.
  @inlinable
  public subscript(_ channel: Channel) -> Scalar {
    @inline(__always) get { values[Int(channel.rawValue &- Channel.pressure.rawValue)] }
    @inline(__always) set { values[Int(channel.rawValue &- Channel.pressure.rawValue)] = newValue }
  }

  public static func == (a: ScalarValues, b: ScalarValues) -> Bool {
    a.values.indices.allSatisfy { a.values[$0] == b.values[$0] }
  }
}

/// A type that has a number for each scalar channel.
public protocol ScalarReadings {
  var scalars: ScalarValues { get set }
}

extension ScalarReadings {
  /// The air pressure in kPa.
  @inlinable
  public var pressure: Scalar {
    @inline(__always) get { scalars[.pressure] }
    @inline(__always) set { scalars[.pressure] = newValue }
  }
  /// The temperature in degrees Celsius.
  @inlinable
  public var temperature: Scalar {
    @inline(__always) get { scalars[.temperature] }
    @inline(__always) set { scalars[.temperature] = newValue }
  }
  /// The relative humidity in percent.
  @inlinable
  public var humidity: Scalar {
    @inline(__always) get { scalars[.humidity] }
    @inline(__always) set { scalars[.humidity] = newValue }
  }
}
