// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Runtime

/// The motion of one chip, computed from its samples alone, as an asynchronous sequence:
///
///     for try await motion in hub.attitudes(of: "shank") { ... }
///
/// Use this for boards whose chips are on different parts of a body, such as two limbs, or a
/// vehicle and its driver. In the board file, `uses: []` keeps such a chip out of the board's
/// motion. Each loop fuses the samples on its own task. In the arbitrary frames, yaw is zero at the
/// first motion.
public struct ChipAttitudes: AsyncSequence, Sendable {
  public typealias Failure = SessionError
  public typealias Element = MotionSample

  let hub: MotionHub
  let chip: String
  let samples: SensorStream<Sample>

  /// A loop over the motion of a chip.
  public struct Iterator: AsyncIteratorProtocol {
    private var samples: SensorStream<Sample>.Iterator
    private var order: SampleOrder
    private var estimator: MotionEstimator
    private var origin = YawOrigin()
    /// True if `order` may contain another sample that is due.
    private var hasMore = false

    init(
      _ samples: SensorStream<Sample>.Iterator, channels: ChannelSet, params: FusionEngine.Params
    ) {
      self.samples = samples
      order = SampleOrder(channels: channels)
      estimator = MotionEstimator(channels: channels, params: params)
    }

    /// Returns the next motion; `nil` after the task was cancelled. Throws if the source cannot be
    /// opened or has no such chip.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SessionError) -> MotionSample? {
      while true {
        var due = hasMore ? order.next() : nil
        if due == nil {
          guard let sample = try await samples.next(isolation: actor) else { return nil }
          due = order.add(sample)
        }
        hasMore = due != nil
        if let due, let motion = estimator.update(due) { return origin.turned(motion) }
      }
    }
  }

  public func makeAsyncIterator() -> Iterator {
    let index = hub.source?.index(ofChip: chip)
    let channels = index.flatMap { hub.source?.channels(ofChip: $0) } ?? []
    let params = index.flatMap { hub.source?.pipeline.params(ofChip: $0) }
    return Iterator(
      samples.makeAsyncIterator(), channels: channels, params: params ?? FusionEngine.Params())
  }
}

extension MotionSource {
  /// Returns the index of the chip called `name`; `nil` if there is no such chip.
  func index(ofChip name: String) -> Int? {
    (0..<pipeline.chipCount).first { self.name(ofChip: $0) == name }
  }
}

extension MotionHub {
  /// Returns the motion of the chip called `chip` in the board file, computed from its samples
  /// alone, in all frames at once. Other chips with the same channels are not used. The chip may
  /// still contribute to the board's motion.
  public func attitudes(
    of chip: String, buffering: StreamBuffering = .newest(4096)
  ) -> ChipAttitudes {
    var quantity = StreamQuantity<Sample>(needs: [], .chip(chip) { $0 })
    quantity.refusal = { source in
      source.index(ofChip: chip) == nil ? .noChip(chip, source: source.name) : nil
    }
    return ChipAttitudes(
      hub: self, chip: chip,
      samples: SensorStream(self, quantity, every: .zero, buffering: buffering))
  }
}
