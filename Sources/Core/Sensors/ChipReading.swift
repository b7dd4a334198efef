// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A measurement of a chip at one time, in the chip's axes and signs; one decoded frame.
public struct ChipReading: ScalarReadings, Equatable, Sendable, BitwiseCopyable {
  public var channels: ChannelSet
  /// The channels whose raw values are not valid measurements. These channels are not in
  /// `channels`.
  public var invalid: ChannelSet
  /// The reason why the raw values of the channels in `invalid` are not valid measurements; `nil`
  /// if `invalid` is empty.
  public var fault: ReadingFault?
  /// The specific force in g: +1 on an axis that points up at rest.
  public var specificForce: Vector3
  /// The rotation rate in rad/s, right-handed.
  public var rotationRate: Vector3
  /// The magnetic field in microtesla.
  public var magneticField: Vector3
  public var scalars: ScalarValues

  @inlinable @inline(__always)
  public init(channels: ChannelSet = []) {
    self.channels = channels
    invalid = []
    fault = nil
    specificForce = .zero
    rotationRate = .zero
    magneticField = .zero
    scalars = ScalarValues()
  }

  /// The reading's value for a channel. The value of a scalar channel is in x.
  public subscript(_ channel: Channel) -> Vector3 {
    get {
      switch channel {
      case .acceleration: specificForce
      case .rotationRate: rotationRate
      case .magneticField: magneticField
      default: Vector3(scalars[channel], 0, 0)
      }
    }
    set {
      switch channel {
      case .acceleration: specificForce = newValue
      case .rotationRate: rotationRate = newValue
      case .magneticField: magneticField = newValue
      default: scalars[channel] = newValue.x
      }
    }
  }
}
