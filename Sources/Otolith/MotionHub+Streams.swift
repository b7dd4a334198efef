// SPDX-License-Identifier: Apache-2.0

extension MotionHub {
  /// Returns acceleration in g, gravity included; flat and face up at rest is (0, 0, -1). A zero
  /// `interval` takes every sample.
  public func accelerations(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<VectorSample> {
    vectors(.acceleration, interval, buffering) { $0.acceleration }
  }

  /// Returns rotation rates in rad/s, bias included.
  public func rotationRates(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<VectorSample> {
    vectors(.rotationRate, interval, buffering) { $0.rotationRate }
  }

  /// Returns the magnetic field in microtesla, the device's own included.
  public func magneticFields(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<VectorSample> {
    vectors(.magneticField, interval, buffering) { $0.magneticField }
  }

  private func vectors(
    _ channels: ChannelSet, _ interval: Duration, _ buffering: StreamBuffering,
    _ value: @escaping @Sendable (Sample) -> Vector3
  ) -> SensorStream<VectorSample> {
    SensorStream(
      self, needs: channels,
      .samples(channels) { sample in
        VectorSample(value(sample), timestamp: sample.timestamp, missing: sample.missing)
      }, every: interval, buffering: buffering)
  }

  /// Returns raw samples of every chip as they come, of one source each: several channels where a
  /// chip samples them at once.
  public func samples(
    of channels: ChannelSet, every interval: Duration = .zero,
    buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<Sample> {
    SensorStream(
      self, needs: channels, .samples(channels) { $0 }, every: interval, buffering: buffering)
  }

  /// Returns motion fused from all sensors, seen from `frame`. Throws where the source cannot give
  /// that frame: north needs a magnetometer, true north a location too.
  public func deviceMotions(
    in frame: ReferenceFrame = .xArbitraryZVertical, every interval: Duration = .zero,
    buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<DeviceMotion> {
    var needs: ChannelSet = [.acceleration, .rotationRate]
    if frame != .xArbitraryZVertical { needs.insert(.magneticField) }
    let declination = source?.declination
    var stream = SensorStream<DeviceMotion>(
      self, needs: needs,
      .motions { DeviceMotion($0, in: frame, declination: declination ?? 0) }, every: interval,
      buffering: buffering)
    if frame == .xTrueNorthZVertical {
      stream.refusal = { $0.declination == nil ? .placeUnknown(source: $0.name) : nil }
    }
    return stream
  }

  /// Returns everything that fusion knows, in all frames at once: `deviceMotions` is made of it.
  public func motions(
    every interval: Duration = .zero, buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<MotionSample> {
    SensorStream(self, needs: [], .motions { $0 }, every: interval, buffering: buffering)
  }
}
