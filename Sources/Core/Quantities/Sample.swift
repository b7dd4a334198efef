// SPDX-License-Identifier: Apache-2.0

/// Values that were sampled at one time, in device axes and in Core Motion's units and signs; one
/// row of a recording. Only the quantities in `channels` are valid; all other quantities are zero.
public struct Sample: ScalarReadings, Equatable, Sendable, BitwiseCopyable {
  /// The time at which the sample was taken.
  public var timestamp: Timestamp
  public var channels: ChannelSet
  /// The number of samples of this source that are known to be lost just before this sample.
  public var missing: UInt32
  /// The acceleration in g, including gravity. Acceleration is the negated specific force: (0, 0,
  /// -1) at rest, flat and face up.
  public var acceleration: Vector3
  /// The measured rotation rate in rad/s, right-handed and including the gyroscope's bias.
  public var rotationRate: Vector3
  /// The measured magnetic field in microtesla, including the field of the device itself.
  public var magneticField: Vector3
  /// The values of the scalar channels. The temperature comes from the barometer if there is one,
  /// otherwise from inside the sampled chip.
  public var scalars: ScalarValues

  @inlinable @inline(__always)
  public init(timestamp: Timestamp, channels: ChannelSet = []) {
    self.timestamp = timestamp
    self.channels = channels
    missing = 0
    acceleration = .zero
    rotationRate = .zero
    magneticField = .zero
    scalars = ScalarValues()
  }

  /// The sample's value for a channel. The value of a scalar channel is in x.
  public subscript(_ channel: Channel) -> Vector3 {
    get {
      switch channel {
      case .acceleration: acceleration
      case .rotationRate: rotationRate
      case .magneticField: magneticField
      default: Vector3(scalars[channel], 0, 0)
      }
    }
    set {
      switch channel {
      case .acceleration: acceleration = newValue
      case .rotationRate: rotationRate = newValue
      case .magneticField: magneticField = newValue
      default: scalars[channel] = newValue.x
      }
    }
  }
}
