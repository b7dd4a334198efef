// SPDX-License-Identifier: Apache-2.0

/// Values sampled at one time, in device axes and Core Motion's units and signs: one row of a
/// recording. Only the quantities in `channels` are valid; the others are zero.
public struct Sample: ScalarReadings, Equatable, Sendable, BitwiseCopyable {
  /// The time at which the sample was taken.
  public var timestamp: Timestamp
  public var channels: ChannelSet
  /// The number of samples from this source known to be lost just before this one.
  public var missing: UInt32
  /// The acceleration in g, including gravity; flat and face up at rest it is (0, 0, -1), the
  /// negated specific force.
  public var acceleration: Vector3
  /// The rotation rate in rad/s, right-handed, as measured (bias included).
  public var rotationRate: Vector3
  /// The magnetic field in microtesla, as measured (the device's own field included).
  public var magneticField: Vector3
  /// The scalar values. The temperature is that of the barometer if there is one, else of the die.
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

  /// The value of a channel; a scalar channel is in x.
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
