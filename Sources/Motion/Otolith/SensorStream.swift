// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import Synchronization

/// A sensor's samples, as an asynchronous sequence:
///
///     for try await sample in hub.accelerations() { ... }
///
/// Each loop has a separate iterator, which starts the chips when the loop begins. The chips may
/// sleep when the task of the loop is cancelled, when the loop is left, or when the iterator is
/// released. Throws `SessionError` if the source cannot be opened or has no such sensor. A sensor
/// that stops responding does not end the sequence; the sequence continues when the sensor responds
/// again.
public struct SensorStream<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = SessionError
  typealias Continuation = StreamIterator<Element>.Continuation

  private let buffering: StreamBuffering
  /// Starts to yield elements. The returned function stops them.
  private let open:
    @Sendable (Continuation, StreamMeter) throws(SessionError) -> @Sendable () -> Void

  /// Creates a stream of single items with at least `interval` between two items of a chip.
  init(
    _ hub: MotionHub, _ quantity: StreamQuantity<Element>, every interval: Duration,
    buffering: StreamBuffering
  ) {
    self.init(buffering: buffering) { continuation, meter throws(SessionError) in
      let receiver = StreamReceiver(
        quantity, of: hub.source, every: interval.seconds, meter, continuation)
      let listening = try hub.listen(receiver, to: quantity, meter)
      return {
        // Do not wait for the receiver. During cancellation the task is locked, and the receiver
        // needs the same lock to deliver an element to the task.
        listening.stopWithoutWaiting()
        receiver.end()
      }
    }
  }

  /// Creates a stream of the elements that `open` yields for each loop. The function that `open`
  /// returns stops them.
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

  /// A loop over a stream, with separate statistics.
  public struct Iterator: AsyncIteratorProtocol {
    private var elements: StreamIterator<Element>
    private let meter: StreamMeter

    init(_ elements: StreamIterator<Element>, _ meter: StreamMeter) {
      self.elements = elements
      self.meter = meter
    }

    /// The statistics of this loop so far.
    public var statistics: StreamStatistics { meter.statistics }

    /// Returns the next element; `nil` after the task has been cancelled. Throws if the source
    /// cannot be opened or has no such sensor.
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

/// Receives items from the hub, and yields them to a stream.
private final class StreamReceiver<Element: Sendable>: ChipReceiver {
  /// Selects the items of a chip by time, and counts the losses before skipped items.
  private struct Thinning {
    var decimation: Decimation
    var missing: UInt32 = 0
  }
  private let quantity: StreamQuantity<Element>
  private let declination: Double
  private let meter: StreamMeter
  private let continuation: StreamIterator<Element>.Continuation
  /// One selection for each chip, by its index in the board; motion uses the first. Chips are read
  /// one after another, so a sample of one chip may be older than the last sample of another.
  private let thinnings: Mutex<[Thinning]>
  /// The chips whose samples count for the channels of the stream.
  private let chips: [Int]
  private let pipeline: MotionPipeline?
  private let interval: Double

  init(
    _ quantity: StreamQuantity<Element>, of source: (any MotionSource)?, every interval: Double,
    _ meter: StreamMeter, _ continuation: StreamIterator<Element>.Continuation
  ) {
    self.quantity = quantity
    declination = source?.declination ?? 0
    pipeline = source?.pipeline
    self.meter = meter
    self.continuation = continuation
    self.interval = interval
    thinnings = Mutex([Thinning(decimation: Decimation(interval: interval))])
    switch quantity.origin {
    case .motions: chips = [0]
    case .chip(let name, _): chips = [source?.index(ofChip: name)].compactMap(\.self)
    case .samples(let channels, _):
      let pipeline = pipeline
      let sampling = (0..<(pipeline?.chipCount ?? 0)).filter {
        pipeline?.channelsUsed(ofChip: $0).isDisjoint(with: channels) == false
      }
      chips = Array(Set(sampling.map { pipeline?.stream(ofChip: $0) ?? $0 }))
    }
  }

  var needsChipSamples: Bool { if case .chip = quantity.origin { true } else { false } }

  func receive(ofChip sourced: SourcedSample) {
    guard case .chip(_, let make) = quantity.origin, chips.first == Int(sourced.source) else {
      return
    }
    yield(make(sourced.sample), sourced.sample.timestamp, missing: sourced.sample.missing)
  }

  func receive(_ sourced: SourcedSample) {
    if case .chip = quantity.origin, chips.first == Int(sourced.source) {
      var sample = sourced
      // Remove the combined values of this sample, because they are not the chip's own values.
      sample.sample.channels.subtract(
        pipeline?.combinedChannels(ofChip: Int(sourced.source)) ?? [])
      if !sample.sample.channels.isEmpty { receive(ofChip: sample) }
      return
    }
    guard case .samples(let channels, let make) = quantity.origin,
      !sourced.sample.channels.isDisjoint(with: channels)
    else { return }
    var sample = sourced.sample
    let chip = pipeline?.stream(ofChip: Int(sourced.source)) ?? Int(sourced.source)
    guard wants(sample.timestamp, &sample.missing, of: chip) else { return }
    yield(make(sample), sample.timestamp, missing: sample.missing)
  }

  func receive(_ motion: MotionSample) {
    guard case .motions(let make) = quantity.origin else { return }
    var motion = motion
    guard wants(motion.timestamp, &motion.missing, of: 0) else { return }
    guard let element = make(motion, declination) else { return meter.lose(UInt64(motion.missing)) }
    yield(element, motion.timestamp, missing: motion.missing)
  }

  /// Returns true if the chip's item at `time` must be delivered. `missing` is the number of losses
  /// before the item. If the item must be delivered, losses before skipped items are added.
  private func wants(_ time: Timestamp, _ missing: inout UInt32, of chip: Int) -> Bool {
    guard interval > 0 else { return true }
    let before = missing
    let all = thinnings.withLock { thinnings -> UInt32? in
      // Adding an element to the array allocates memory only at the first sample of a chip.
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

  /// The earliest due time of all chips; zero until every chip has had its first sample.
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
  /// The duration in seconds.
  var seconds: Double {
    let parts = components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}
