// SPDX-License-Identifier: Apache-2.0

extension MotionHub {
  /// Returns acceleration in g, including gravity. A device that lies flat and face up at rest
  /// measures (0, 0, -1). A zero `interval` selects every sample.
  public func accelerations(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<VectorSample> {
    SensorStream(self, .acceleration, every: interval, buffering: buffering)
  }

  /// Returns rotation rates in rad/s, including bias.
  public func rotationRates(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<VectorSample> {
    SensorStream(self, .rotationRate, every: interval, buffering: buffering)
  }

  /// Returns the magnetic field in microtesla, including the device's own field.
  public func magneticFields(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<VectorSample> {
    SensorStream(self, .magneticField, every: interval, buffering: buffering)
  }

  /// Returns the samples from which motion is computed, as they arrive. Channels that several chips
  /// sample are combined; all other channels are as measured. A sample has several channels if a
  /// chip samples them together.
  public func samples(
    of channels: ChannelSet, every interval: Duration = .zero,
    buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<Sample> {
    SensorStream(self, .samples(of: channels), every: interval, buffering: buffering)
  }

  /// Returns motion in `frame`, computed from all sensors. Throws if the source does not support
  /// the frame: north needs a magnetometer, and true north also needs a location.
  public func deviceMotions(
    in frame: ReferenceFrame = .xArbitraryZVertical, every interval: Duration = .zero,
    buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<DeviceMotion> {
    SensorStream(self, .deviceMotion(in: frame), every: interval, buffering: buffering)
  }

  /// Returns all results of fusion, in all frames at once. `deviceMotions` is derived from these
  /// results.
  public func motions(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<MotionSample> {
    SensorStream(self, .motion, every: interval, buffering: buffering)
  }
}
