// SPDX-License-Identifier: Apache-2.0

/// What was sampled at one moment, in device axes and Core Motion's units and signs: one row of a recording.
/// Only the quantities in `channels` are valid; the others are zero.
public struct Sample: Equatable, Sendable, BitwiseCopyable {
  /// When the sample was taken.
  public var timestamp: Timestamp
  public var channels: ChannelSet
  /// How many samples of this source are known to have been lost just before this one.
  public var missing: UInt32
  /// g, gravity included; flat and face up at rest reads (0, 0, -1), the negative of specific force.
  public var acceleration: Vector3
  /// rad/s, right-handed, as measured (bias included).
  public var rotationRate: Vector3
  /// Microtesla, as measured (the device's own field included).
  public var magneticField: Vector3
  /// kPa.
  public var pressure: Scalar
  /// Degrees Celsius, of the barometer where there is one, else of the die.
  public var temperature: Scalar
  /// Relative humidity in percent.
  public var humidity: Scalar

  public init(timestamp: Timestamp, channels: ChannelSet = []) {
    self.timestamp = timestamp
    self.channels = channels
    missing = 0
    acceleration = .zero
    rotationRate = .zero
    magneticField = .zero
    pressure = 0
    temperature = 0
    humidity = 0
  }
}
