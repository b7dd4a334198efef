// SPDX-License-Identifier: Apache-2.0

extension MotionHub {
  /// Returns acceleration in g, gravity included; flat and face up at rest is (0, 0, -1). A zero
  /// `interval` takes every sample.
  public func accelerations(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<VectorSample> {
    SensorStream(self, .acceleration, every: interval, buffering: buffering)
  }

  /// Returns rotation rates in rad/s, bias included.
  public func rotationRates(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<VectorSample> {
    SensorStream(self, .rotationRate, every: interval, buffering: buffering)
  }

  /// Returns the magnetic field in microtesla, the device's own included.
  public func magneticFields(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<VectorSample> {
    SensorStream(self, .magneticField, every: interval, buffering: buffering)
  }

  /// Returns raw samples of every chip as they come, of one source each: several channels where a
  /// chip samples them at once.
  public func samples(
    of channels: ChannelSet, every interval: Duration = .zero,
    buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<Sample> {
    SensorStream(self, .samples(of: channels), every: interval, buffering: buffering)
  }

  /// Returns motion fused from all sensors, seen from `frame`. Throws where the source cannot give
  /// that frame: north needs a magnetometer, true north a location too.
  public func deviceMotions(
    in frame: ReferenceFrame = .xArbitraryZVertical, every interval: Duration = .zero,
    buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<DeviceMotion> {
    SensorStream(self, .deviceMotion(in: frame), every: interval, buffering: buffering)
  }

  /// Returns everything that fusion knows, in all frames at once: `deviceMotions` is made of it.
  public func motions(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<MotionSample> {
    SensorStream(self, .motion, every: interval, buffering: buffering)
  }
}
