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
  typealias Continuation = StreamIterator<Element>.Continuation

  private let buffering: StreamBuffering
  /// Begins to yield elements, and returns what ends that.
  private let open:
    @Sendable (Continuation, StreamMeter) throws(SessionError) -> @Sendable () -> Void

  /// Creates a stream of single items, no two of a chip closer than `interval`.
  init(
    _ hub: MotionHub, _ quantity: StreamQuantity<Element>, every interval: Duration,
    buffering: StreamBuffering
  ) {
    self.init(buffering: buffering) { continuation, meter throws(SessionError) in
      let receiver = StreamReceiver(
        quantity, of: hub.source, every: interval.seconds, meter, continuation)
      let listening = try hub.listen(receiver, to: quantity, meter)
      return {
        // A task that is cancelled is locked meanwhile, and an element that is being handed to it
        // wants that lock.
        listening.stopWithoutWaiting()
        receiver.end()
      }
    }
  }

  /// Creates a stream of what `open` begins to yield for each loop; it returns what ends that.
  init(
    buffering: StreamBuffering,
    open:
      @escaping @Sendable (Continuation, StreamMeter) throws(SessionError) ->
      @Sendable () ->
      Void
  ) {
    self.buffering = buffering
    self.open = open
  }

  /// A loop over a stream, with statistics of its own.
  public struct Iterator: AsyncIteratorProtocol {
    private var elements: StreamIterator<Element>
    private let meter: StreamMeter

    init(_ elements: StreamIterator<Element>, _ meter: StreamMeter) {
      self.elements = elements
      self.meter = meter
    }

    /// The statistics of this loop until now.
    public var statistics: StreamStatistics { meter.statistics }

    /// Returns the next element; `nil` when the task was cancelled. Throws where the source cannot
    /// be opened or has no such sensor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SessionError) -> Element? {
      try await elements.next(isolation: actor)
    }
  }

  public func makeAsyncIterator() -> Iterator {
    let meter = StreamMeter()
    let elements = StreamIterator<Element>(buffering) { continuation throws(SessionError) in
      try open(continuation, meter)
    }
    return Iterator(elements, meter)
  }
}

/// Hands on the hub's items.
private final class StreamReceiver<Element: Sendable>: MotionReceiver {
  /// A chip's items on their way to fewer, and the losses before those that were passed over.
  private struct Thinning {
    var decimation: Decimation
    var missing: UInt32 = 0
  }
  private let quantity: StreamQuantity<Element>
  private let declination: Double
  private let meter: StreamMeter
  private let continuation: StreamIterator<Element>.Continuation
  /// One for each chip, by its place in the board; that of motion is the first. Chips are read one
  /// after the other, and a sample of one may be older than the last of another.
  private let thinnings: Mutex<[Thinning]>
  /// The chips that sample the stream's channels.
  private let chips: [Int]
  private let interval: Double

  init(
    _ quantity: StreamQuantity<Element>, of source: (any MotionSource)?, every interval: Double,
    _ meter: StreamMeter, _ continuation: StreamIterator<Element>.Continuation
  ) {
    self.quantity = quantity
    declination = source?.declination ?? 0
    self.meter = meter
    self.continuation = continuation
    self.interval = interval
    thinnings = Mutex([Thinning(decimation: Decimation(interval: interval))])
    switch quantity.origin {
    case .motions: chips = [0]
    case .samples(let channels, _):
      let pipeline = source?.pipeline
      chips = (0..<(pipeline?.chipCount ?? 0)).filter {
        pipeline?.channelsUsed(ofChip: $0).isDisjoint(with: channels) == false
      }
    }
  }

  func receive(_ sourced: SourcedSample) {
    guard case .samples(let channels, let make) = quantity.origin,
      !sourced.sample.channels.isDisjoint(with: channels)
    else { return }
    var sample = sourced.sample
    guard wants(sample.timestamp, &sample.missing, of: Int(sourced.source)) else { return }
    yield(make(sample), sample.timestamp, missing: sample.missing)
  }

  func receive(_ motion: MotionSample) {
    guard case .motions(let make) = quantity.origin else { return }
    var motion = motion
    guard wants(motion.timestamp, &motion.missing, of: 0) else { return }
    guard let element = make(motion, declination) else { return meter.lose(UInt64(motion.missing)) }
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

  var demand: SampleDemand { quantity.demand(at: SampleDemand.rate(every: interval)) }

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
