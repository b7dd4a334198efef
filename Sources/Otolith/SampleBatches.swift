// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The samples of a short span of time, oldest first.
public struct SampleBatch<Element: Sendable>: Sendable {
  public var elements: [Element]
  /// The number of samples known to be missing just before the first or between them: lost by the
  /// chip, overwritten before this program took them, or in batches that it took too late. 0 where
  /// none is.
  public var missed: UInt64

  public init(_ elements: [Element], missed: UInt64 = 0) {
    self.elements = elements
    self.missed = missed
  }
}

extension MotionHub {
  /// Returns samples that hold any of `channels`, all of which the source must have, every one of
  /// them, in batches that cover `span` each: a program at 1 kHz need not wake a thousand times a
  /// second. A batch is handed over with the first sample after it.
  ///
  /// The chips run from this call until the loop's task is cancelled or the stream is released. A
  /// loop that is too slow finds the newest `limit` batches; `SampleBatch.missed` of the next
  /// counts the samples of those dropped. Throws `SessionError` where the source cannot be opened
  /// or has no such sensor. A sensor that falls silent does not end the stream: it goes on when the
  /// sensor is back.
  public func batches(
    of channels: ChannelSet = .acceleration, every span: Duration = .milliseconds(20),
    bufferingNewest limit: Int = 256
  ) -> AsyncThrowingStream<SampleBatch<Sample>, any Error> {
    openBatches(of: channels, every: span, bufferingNewest: limit, failed: { _ in }).stream
  }

  /// Returns the same batches of motion: attitude, gravity, rotation rate and everything else that
  /// fusion makes of the samples.
  public func motionBatches(
    every span: Duration = .milliseconds(20), bufferingNewest limit: Int = 256
  ) -> AsyncThrowingStream<SampleBatch<MotionSample>, any Error> {
    openMotionBatches(every: span, bufferingNewest: limit, failed: { _ in }).stream
  }

  /// Opens the stream of `batches`. With `failed` a chip that falls silent is reported there, else
  /// it ends the stream.
  package func openBatches(
    of channels: ChannelSet, every span: Duration, bufferingNewest limit: Int,
    failed: (@Sendable (SensorFailure) -> Void)? = nil
  ) -> BatchStream<Sample> {
    let batcher = Batcher<Sample>(every: span)
    return open(limit, needs: channels) { sink in
      BatchReceiver(
        hub: self, watching: channels, demand: SampleDemand(channels), sink: sink, failed: failed,
        sample: { sample in
          sample.channels.isDisjoint(with: channels)
            ? nil : batcher.add(sample, at: sample.timestamp, missing: sample.missing)
        }, motion: { _ in nil }, missed: batcher.lose, nextEnd: { batcher.due })
    }
  }

  /// Opens the stream of `motionBatches`, like `openBatches`.
  package func openMotionBatches(
    every span: Duration, bufferingNewest limit: Int,
    failed: (@Sendable (SensorFailure) -> Void)? = nil
  ) -> BatchStream<MotionSample> {
    let batcher = Batcher<MotionSample>(every: span)
    return open(limit, needs: [.acceleration, .rotationRate]) { sink in
      BatchReceiver(
        hub: self, watching: [.acceleration, .rotationRate],
        demand: SampleDemand([], motion: .infinity), sink: sink, failed: failed,
        sample: { _ in nil },
        motion: { batcher.add($0, at: $0.timestamp, missing: $0.missing) },
        missed: batcher.lose, nextEnd: { batcher.due })
    }
  }

  private func open<Element: Sendable>(
    _ limit: Int, needs: ChannelSet,
    _ receiver: (BatchStream<Element>.Sink) -> BatchReceiver<Element>
  ) -> BatchStream<Element> {
    let (stream, sink) = AsyncThrowingStream.makeStream(
      of: SampleBatch<Element>.self, throwing: (any Error).self,
      bufferingPolicy: .bufferingNewest(limit))
    let receiver = receiver(sink)
    do throws(SessionError) {
      if let source, !source.has(needs) {
        throw .missing(needs.subtracting(source.channels), source: source.name)
      }
      let listening = try listen(receiver)
      // Keeps both alive as long as the stream, and stops the sensors with it.
      sink.onTermination = { _ in
        // Not waited for: see `SensorStream`.
        listening.stopWithoutWaiting()
        receiver.finish()
      }
      // A chip that was silent from the start has ended it before there was a receiver.
      if receiver.hasFailed { listening.stopWithoutWaiting() }
    } catch { sink.finish(throwing: error) }
    return BatchStream(stream: stream, sink: sink)
  }
}

/// A stream that can be ended from outside its loop.
package struct BatchStream<Element: Sendable>: Sendable {
  package typealias Sink = AsyncThrowingStream<SampleBatch<Element>, any Error>.Continuation
  package let stream: AsyncThrowingStream<SampleBatch<Element>, any Error>
  fileprivate let sink: Sink

  package func end() { sink.finish() }
}

/// Puts items into batches. Used by the one thread that the hub calls.
private final class Batcher<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var elements: [Element] = []
    var start = Timestamp.zero
    var missed: UInt64 = 0
  }
  private let span: TimeSpan
  private let state = Mutex(State())

  init(every span: Duration) {
    let parts = span.components
    self.span = TimeSpan(seconds: Double(parts.seconds) + Double(parts.attoseconds) / 1e18)
  }

  /// Adds `element`. Returns the batch that it does not belong to any more.
  func add(_ element: Element, at time: Timestamp, missing: UInt32) -> SampleBatch<Element>? {
    state.withLock { state in
      var batch: SampleBatch<Element>?
      if state.elements.isEmpty {
        state.start = time
      } else if time - state.start >= span || state.start - time > span {
        batch = SampleBatch(state.elements, missed: state.missed)
        let count = state.elements.count
        state.elements = []
        // A little more than the last: then the samples of this one cost no memory anew.
        state.elements.reserveCapacity(count + 8)
        state.missed = 0
        // From the plan, not from the sample, or batches would grow; after a gap, or a jump back,
        // from the sample.
        let planned = state.start + span
        state.start = time >= planned && time - planned < span ? planned : time
      }
      state.missed += UInt64(missing)
      state.elements.append(element)
      return batch
    }
  }

  /// The time from which the first element ends the batch.
  var due: Timestamp {
    state.withLock { $0.elements.isEmpty ? .zero : $0.start + span }
  }

  func lose(_ count: UInt64) { state.withLock { $0.missed += count } }
}

private final class BatchReceiver<Element: Sendable>: MotionReceiver {
  private let hub: MotionHub
  private let channels: ChannelSet
  let demand: SampleDemand
  private let sink: BatchStream<Element>.Sink
  private let failed: (@Sendable (SensorFailure) -> Void)?
  /// The channels that are silent now.
  private let silent = Mutex<ChannelSet>([])
  private let end = Atomic<Bool>(false)
  private let sample: @Sendable (Sample) -> SampleBatch<Element>?
  private let motion: @Sendable (MotionSample) -> SampleBatch<Element>?
  private let lose: @Sendable (UInt64) -> Void
  private let nextEnd: @Sendable () -> Timestamp

  init(
    hub: MotionHub, watching channels: ChannelSet, demand: SampleDemand,
    sink: BatchStream<Element>.Sink, failed: (@Sendable (SensorFailure) -> Void)?,
    sample: @escaping @Sendable (Sample) -> SampleBatch<Element>?,
    motion: @escaping @Sendable (MotionSample) -> SampleBatch<Element>?,
    missed: @escaping @Sendable (UInt64) -> Void,
    nextEnd: @escaping @Sendable () -> Timestamp
  ) {
    self.hub = hub
    self.channels = channels
    self.demand = demand
    self.sink = sink
    self.failed = failed
    self.sample = sample
    self.motion = motion
    lose = missed
    self.nextEnd = nextEnd
  }

  func receive(_ sourced: SourcedSample) { offer(sample(sourced.sample)) }
  func receive(_ motion: MotionSample) { offer(self.motion(motion)) }

  /// Counts lost samples and motions together; which of them a ring lost is not known, and both
  /// would be rare.
  func missed(_ count: UInt64) { lose(count) }

  func chipsChanged(_ chips: [ChipState]) {
    guard let source = hub.source else { return }
    let failure = SensorFailure(chips, of: source)
    let present = failure?.channels.intersection(channels) ?? []
    let isNew = silent.withLock { silent in
      defer { silent = present }
      return !present.subtracting(silent).isEmpty
    }
    guard isNew, let failure else { return }
    if let failed { return failed(failure) }
    end.store(true, ordering: .releasing)
    sink.finish(throwing: failure)
  }

  var due: Timestamp { nextEnd() }

  var hasFailed: Bool { end.load(ordering: .acquiring) }
  func finish() { sink.finish() }

  private func offer(_ batch: SampleBatch<Element>?) {
    guard let batch else { return }
    if case .dropped(let oldest) = sink.yield(batch) {
      lose(UInt64(oldest.elements.count) + oldest.missed)
    }
  }
}
