// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The samples of a short time span, oldest first.
public struct SampleBatch<Element: Sendable>: Sendable {
  public var elements: [Element]
  /// The number of samples missing before the first element or between elements. They were lost by
  /// the chip, overwritten before this program read them, or in batches that were dropped.
  public var missing: UInt64

  public init(_ elements: [Element], missing: UInt64 = 0) {
    self.elements = elements
    self.missing = missing
  }
}

extension MotionHub {
  /// Returns every element of `quantity` in batches that each cover the time `span`, so that a
  /// program at 1 kHz need not wake up a thousand times per second. A batch is delivered with the
  /// first sample after it.
  ///
  /// `buffering` is the number of batches that are buffered. The samples in dropped batches are
  /// counted in `SampleBatch.missing` of the next batch.
  public func batches<Element>(
    of quantity: StreamQuantity<Element>, every span: Duration = .milliseconds(20),
    buffering: StreamBuffering = .newest(256)
  ) -> SensorStream<SampleBatch<Element>> {
    SensorStream(buffering: buffering) { continuation, meter throws(SessionError) in
      let receiver = BatchReceiver(
        quantity, of: self, every: span, meter, continuation, failed: { _ in })
      let listening = try self.listen(receiver, to: quantity, meter)
      return {
        // Do not wait for the receiver; `SensorStream` explains why.
        listening.stopWithoutWaiting()
        receiver.finish()
      }
    }
  }

  /// Opens the stream of `batches` immediately. If a chip stops responding, `failed` is called;
  /// without `failed`, the stream ends.
  package func openBatches<Element>(
    of quantity: StreamQuantity<Element>, every span: Duration, buffering: StreamBuffering,
    failed: (@Sendable (SensorFailure) -> Void)? = nil
  ) -> BatchStream<Element> {
    let (stream, sink) = AsyncThrowingStream.makeStream(
      of: SampleBatch<Element>.self, throwing: (any Error).self,
      bufferingPolicy: buffering.policy(of: SampleBatch<Element>.self))
    let meter = StreamMeter()
    let receiver = BatchReceiver(quantity, of: self, every: span, meter, sink, failed: failed)
    do throws(SessionError) {
      let listening = try listen(receiver, to: quantity, meter)
      // This closure keeps the receiver and its registration alive as long as the stream, and stops
      // the sensors when the stream ends.
      sink.onTermination = { _ in
        // Do not wait for the receiver; `SensorStream` explains why.
        listening.stopWithoutWaiting()
        receiver.finish()
      }
      // If a chip did not respond at the start, the stream may have ended before `onTermination`
      // was set.
      if receiver.hasFailed { listening.stopWithoutWaiting() }
    } catch { sink.finish(throwing: error) }
    return BatchStream(stream: stream, sink: sink)
  }
}

/// A stream of batches that can be ended from outside its loop.
package struct BatchStream<Element: Sendable>: Sendable {
  package typealias Sink = AsyncThrowingStream<SampleBatch<Element>, any Error>.Continuation
  package let stream: AsyncThrowingStream<SampleBatch<Element>, any Error>
  fileprivate let sink: Sink

  package func end() { sink.finish() }
}

/// Groups items into batches. Only the hub's thread uses it.
private final class Batcher<Element: Sendable>: Sendable {
  /// The time of an item, and the number of items lost before it.
  typealias Mark = (time: Timestamp, missing: UInt32)
  private struct State: Sendable {
    var elements: [Element] = []
    var marks: [Mark] = []
    var start = Timestamp.zero
    var missing: UInt64 = 0
  }
  private let span: TimeSpan
  private let state = Mutex(State())

  init(every span: Duration) { self.span = TimeSpan(seconds: span.seconds) }

  /// Adds `element`. If it starts a new batch, calls `hand` with the marks of the previous batch's
  /// elements, and then returns that batch.
  func add(
    _ element: Element, at time: Timestamp, missing: UInt32, hand: ([Mark]) -> Void
  ) -> SampleBatch<Element>? {
    state.withLock { state in
      var batch: SampleBatch<Element>?
      if state.elements.isEmpty {
        state.start = time
      } else if time - state.start >= span || state.start - time > span {
        batch = SampleBatch(state.elements, missing: state.missing)
        hand(state.marks)
        state.marks.removeAll(keepingCapacity: true)
        let count = state.elements.count
        state.elements = []
        // Reserve slightly more memory than the last batch needed, so that adding elements does not
        // allocate.
        state.elements.reserveCapacity(count + 8)
        state.missing = 0
        // Step from the planned end of the batch and not from the sample, so that batches do not
        // grow. After a gap or a jump back, start at the sample.
        let planned = state.start + span
        state.start = time >= planned && time - planned < span ? planned : time
      }
      state.missing += UInt64(missing)
      state.elements.append(element)
      state.marks.append((time, missing))
      return batch
    }
  }

  /// The time at which a new element ends the current batch.
  var due: Timestamp {
    state.withLock { $0.elements.isEmpty ? .zero : $0.start + span }
  }

  func lose(_ count: UInt64) { state.withLock { $0.missing += count } }
}

private final class BatchReceiver<Element: Sendable>: MotionReceiver {
  private let hub: MotionHub
  private let quantity: StreamQuantity<Element>
  private let declination: Double
  private let batcher: Batcher<Element>
  private let meter: StreamMeter
  private let sink: BatchStream<Element>.Sink
  private let failed: (@Sendable (SensorFailure) -> Void)?
  /// The channels whose chips currently do not respond.
  private let silent = Mutex<ChannelSet>([])
  private let end = Atomic<Bool>(false)

  init(
    _ quantity: StreamQuantity<Element>, of hub: MotionHub, every span: Duration,
    _ meter: StreamMeter, _ sink: BatchStream<Element>.Sink,
    failed: (@Sendable (SensorFailure) -> Void)?
  ) {
    self.hub = hub
    self.quantity = quantity
    declination = hub.source?.declination ?? 0
    batcher = Batcher(every: span)
    self.meter = meter
    self.sink = sink
    self.failed = failed
  }

  func receive(_ sourced: SourcedSample) {
    let sample = sourced.sample
    guard case .samples(let channels, let make) = quantity.origin,
      !sample.channels.isDisjoint(with: channels)
    else { return }
    add(make(sample), at: sample.timestamp, missing: sample.missing)
  }

  func receive(_ motion: MotionSample) {
    guard case .motions(let make) = quantity.origin else { return }
    guard let element = make(motion, declination) else { return missed(UInt64(motion.missing)) }
    add(element, at: motion.timestamp, missing: motion.missing)
  }

  private func add(_ element: Element, at time: Timestamp, missing: UInt32) {
    let batch = batcher.add(element, at: time, missing: missing) { marks in
      let now = Timestamp.now
      for mark in marks { meter.count(mark.time, missing: mark.missing, at: now) }
    }
    guard let batch, case .dropped(let lost) = sink.yield(batch) else { return }
    meter.drop(UInt64(lost.elements.count))
    batcher.lose(UInt64(lost.elements.count) + lost.missing)
  }

  /// Counts lost samples and motions together, because it is unknown which of them were lost from a
  /// ring. Both losses are rare.
  func missed(_ count: UInt64) {
    meter.lose(count)
    batcher.lose(count)
  }

  func chipsChanged(_ chips: [ChipState]) {
    guard let source = hub.source else { return }
    let failure = SensorFailure(chips, of: source)
    let present = failure?.channels.intersection(quantity.needs) ?? []
    let isNew = silent.withLock { silent in
      defer { silent = present }
      return !present.subtracting(silent).isEmpty
    }
    guard isNew, let failure else { return }
    if let failed { return failed(failure) }
    end.store(true, ordering: .releasing)
    sink.finish(throwing: failure)
  }

  var demand: SampleDemand { quantity.demand(at: .infinity) }
  var due: Timestamp { batcher.due }

  var hasFailed: Bool { end.load(ordering: .acquiring) }
  func finish() { sink.finish() }
}
