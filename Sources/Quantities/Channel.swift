// SPDX-License-Identifier: Apache-2.0

/// A physical quantity that a sensor samples.
public enum Channel: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case acceleration
  case rotationRate
  case magneticField
  case pressure
  case temperature
  case humidity

  /// The unit in which every layer above the chips speaks.
  public var unit: StaticString {
    switch self {
    case .acceleration: "g"
    case .rotationRate: "rad/s"
    case .magneticField: "uT"
    case .pressure: "kPa"
    case .temperature: "degC"
    case .humidity: "%"
    }
  }
}

/// Several channels at once.
public struct ChannelSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8

  @inlinable @inline(__always)
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable @inline(__always)
  public init(_ channel: Channel) { rawValue = 1 << channel.rawValue }

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
  public func contains(_ channel: Channel) -> Bool { contains(ChannelSet(channel)) }
}
