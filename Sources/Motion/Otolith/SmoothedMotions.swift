// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Runtime

/// A past motion of the device, corrected by later samples.
public struct SmoothedMotion: Sendable {
  /// The corrected motion. Its `inclinationSigma` applies to the smoothed attitude.
  public var motion: MotionSample
  /// The covariance of the attitude in rad^2, for a rotation vector in the frame of `attitude9`
  /// with Z up. The part for the heading comes from the gyroscope and the magnetometer. The
  /// uncertainty caused by the device's own magnetism is in `motion.headingSigma` instead.
  public var attitudeCovariance: Matrix3
}

/// Motion corrected by later samples, as an asynchronous sequence:
///
///     for try await smoothed in hub.smoothedMotions(lag: .seconds(1)) { ... }
///
/// Later samples make an attitude more accurate, because gravity and the magnetic field can be
/// averaged over the time before and after it, and the bias is better known. Each loop fuses the
/// samples on its own task, and buffers the samples within the lag. Sensors and other streams do
/// not wait for it.
public struct SmoothedMotions: AsyncSequence, Sendable {
  public typealias Failure = SessionError
  public typealias Element = SmoothedMotion

  let hub: MotionHub
  let samples: SensorStream<Sample>
  let lag: Double

  /// A loop over smoothed motions.
  public struct Iterator: AsyncIteratorProtocol {
    private var samples: SensorStream<Sample>.Iterator
    private var order: SampleOrder
    private var smoother: MotionSmoother
    private var origin = YawOrigin()
    private var ready: [SmoothedMotion] = []
    private var handedOn = 0

    init(_ samples: SensorStream<Sample>.Iterator, channels: ChannelSet, _ smoother: MotionSmoother)
    {
      self.samples = samples
      order = SampleOrder(channels: channels)
      self.smoother = smoother
    }

    /// Returns the next motion; `nil` after the task has been cancelled. Throws if the source
    /// cannot be opened or lacks the sensors.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SessionError) -> SmoothedMotion? {
      while handedOn == ready.count {
        ready.removeAll(keepingCapacity: true)
        handedOn = 0
        guard let sample = try await samples.next(isolation: actor) else { return nil }
        var due = order.add(sample)
        while let sample = due {
          smoother.update(sample) { output in
            ready.append(
              SmoothedMotion(
                motion: origin.turned(output.motion), attitudeCovariance: output.covariance))
          }
          due = order.next()
        }
      }
      handedOn += 1
      return ready[handedOn - 1]
    }
  }

  public func makeAsyncIterator() -> Iterator {
    let source = hub.source
    let channels = source?.channels ?? []
    var estimator = MotionEstimator(
      channels: channels, params: source?.pipeline.params ?? FusionEngine.Params())
    if let calibration = source?.calibration { estimator.engine.assume(calibration.memory) }
    if let field = source?.trueNorth?.expectedField {
      estimator.engine.assume(fieldNorm: field.total, dip: field.dip)
    }
    return Iterator(
      samples.makeAsyncIterator(), channels: channels,
      MotionSmoother(estimator: estimator, lag: lag))
  }
}

extension MotionHub {
  /// Returns motion that is computed from all sensors and corrected by the samples within the
  /// following `lag`, from 0.1 to 10 s. The motion is delayed by the lag and a further 0.1 s.
  public func smoothedMotions(
    lag: Duration = .seconds(1), buffering: StreamBuffering = .newest(4096)
  ) -> SmoothedMotions {
    let seconds = lag.seconds
    return SmoothedMotions(
      hub: self,
      samples: SensorStream(
        self,
        StreamQuantity(
          needs: [.acceleration, .rotationRate],
          .samples([.acceleration, .rotationRate, .magneticField, .pressure, .temperature]) { $0 }),
        every: .zero, buffering: buffering),
      lag: seconds < 0.1 ? 0.1 : seconds > 10 ? 10 : seconds)
  }
}
