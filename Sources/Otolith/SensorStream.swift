// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A sensor's samples, as an asynchronous sequence:
///
///     for try await sample in hub.accelerations() { ... }
///
/// Each loop has an iterator of its own, which starts the chips when it begins and lets them sleep
/// when its task is cancelled, when the loop is left, or when the iterator is released. Throws
/// `SessionError` where the source cannot be opened or has no such sensor. A sensor that falls
/// silent does not end the sequence: it goes on when the sensor is back.
public struct SensorStream<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = SessionError

  /// The origin of the elements.
  enum Origin: Sendable {
    /// Samples that hold any of these channels.
    case samples(ChannelSet, @Sendable (Sample) -> Element)
    case motions(@Sendable (MotionSample) -> Element?)
  }
  let hub: MotionHub
  /// The channels that the source must have.
  let needs: ChannelSet
  let origin: Origin
  let interval: Duration
  let buffering: StreamBuffering
  /// The reason why the stream cannot open although the channels are there.
  var refusal: @Sendable (any MotionSource) -> SessionError? = { _ in nil }
  private let meter = StreamMeter()

  init(
    _ hub: MotionHub, needs: ChannelSet, _ origin: Origin, every interval: Duration,
    buffering: StreamBuffering
  ) {
    self.hub = hub
    self.needs = needs
    self.origin = origin
    self.interval = interval
    self.buffering = buffering
  }

  /// The statistics of the newest loop over this sequence.
  public var statistics: StreamStatistics { meter.statistics }

  public func makeAsyncIterator() -> StreamIterator<Element> {
    let stream = AsyncThrowingStream(bufferingPolicy: buffering.policy(of: Element.self)) {
      continuation in
      do throws(SessionError) {
        let receiver = StreamReceiver(self, meter, continuation)
        let listening = try open(receiver)
        // Keeps both alive as long as the stream, and stops the sensors with it.
        continuation.onTermination = { _ in
          // A task that is cancelled is locked meanwhile, and an element that is being handed to it
          // wants that lock.
          listening.stopWithoutWaiting()
          receiver.end()
        }
      } catch { continuation.finish(throwing: error) }
    }
    return StreamIterator(stream)
  }

  private func open(_ receiver: StreamReceiver<Element>) throws(SessionError) -> Listening {
    if let source = hub.source {
      guard source.has(needs) else {
        throw .missing(needs.subtracting(source.channels), source: source.name)
      }
      if let refusal = refusal(source) { throw refusal }
      meter.begin(source)
    }
    return try hub.listen(receiver)
  }
}

/// Hands on the hub's items.
private final class StreamReceiver<Element: Sendable>: MotionReceiver {
  typealias Continuation = AsyncThrowingStream<Element, any Error>.Continuation
  /// A chip's items on their way to fewer, and the losses before those that were passed over.
  private struct Thinning {
    var decimation: Decimation
    var missing: UInt32 = 0
  }
  private let origin: SensorStream<Element>.Origin
  private let meter: StreamMeter
  private let continuation: Continuation
  /// One for each chip, by its place in the board; that of motion is the first. Chips are read one
  /// after the other, and a sample of one may be older than the last of another.
  private let thinnings: Mutex<[Thinning]>
  /// The chips that sample the stream's channels.
  private let chips: [Int]
  private let interval: Double

  init(_ stream: SensorStream<Element>, _ meter: StreamMeter, _ continuation: Continuation) {
    origin = stream.origin
    self.meter = meter
    self.continuation = continuation
    interval = stream.interval.seconds
    thinnings = Mutex([Thinning(decimation: Decimation(interval: interval))])
    switch stream.origin {
    case .motions: chips = [0]
    case .samples(let channels, _):
      let pipeline = stream.hub.source?.pipeline
      chips = (0..<(pipeline?.chipCount ?? 0)).filter {
        pipeline?.channelsUsed(ofChip: $0).isDisjoint(with: channels) == false
      }
    }
  }

  func receive(_ sourced: SourcedSample) {
    guard case .samples(let channels, let make) = origin,
      !sourced.sample.channels.isDisjoint(with: channels)
    else { return }
    var sample = sourced.sample
    guard wants(sample.timestamp, &sample.missing, of: Int(sourced.source)) else { return }
    yield(make(sample), sample.timestamp, missing: sample.missing)
  }

  func receive(_ motion: MotionSample) {
    guard case .motions(let make) = origin else { return }
    var motion = motion
    guard wants(motion.timestamp, &motion.missing, of: 0) else { return }
    guard let element = make(motion) else { return meter.lose(UInt64(motion.missing)) }
    yield(element, motion.timestamp, missing: motion.missing)
  }

  /// Returns true where the item of a chip at `time` is handed on; `missing`, the losses before it,
  /// then has those before the items that were passed over too.
  private func wants(_ time: Timestamp, _ missing: inout UInt32, of chip: Int) -> Bool {
    guard interval > 0 else { return true }
    let before = missing
    let all = thinnings.withLock { thinnings -> UInt32? in
      // With the first sample of a chip; then nothing is allocated any more.
      while thinnings.count <= chip {
        thinnings.append(Thinning(decimation: Decimation(interval: interval)))
      }
      thinnings[chip].missing = thinnings[chip].missing &+ before
      guard thinnings[chip].decimation.takes(time.seconds) else { return nil }
      defer { thinnings[chip].missing = 0 }
      return thinnings[chip].missing
    }
    if let all { missing = all }
    return all != nil
  }

  private func yield(_ element: Element, _ time: Timestamp, missing: UInt32) {
    meter.count(time, missing: missing, at: .now)
    if case .dropped = continuation.yield(element) { meter.drop() }
  }

  func missed(_ count: UInt64) { meter.lose(count) }

  func chipsChanged(_ chips: [ChipState]) {}

  var demand: SampleDemand {
    let rate = SampleDemand.rate(every: interval)
    return switch origin {
    case .samples(let channels, _): SampleDemand(channels, at: rate)
    case .motions: SampleDemand([], motion: rate)
    }
  }

  /// The soonest of its chips' next; each sample while some chip has not given its first.
  var due: Timestamp {
    guard interval > 0 else { return .zero }
    return thinnings.withLock { thinnings in
      var due = Double.infinity
      for chip in chips {
        guard thinnings.indices.contains(chip) else { return .zero }
        due = min(due, thinnings[chip].decimation.due)
      }
      return Timestamp(seconds: due)
    }
  }

  func end() { continuation.finish() }
}

extension Duration {
  /// Seconds.
  var seconds: Double {
    let parts = components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}
