// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// A consumer of the samples of a bus reader, on its thread. Must be quick: the bus waits.
public protocol SampleConsumer: AnyObject {
  /// A sample of chip `source`, in device axes.
  func receive(_ sample: Sample, from source: Int)
  /// Chip `source` failed; it is tried again by itself.
  func chip(_ source: Int, failed error: ChipError)
  /// Chip `source` gives samples, for the first time or again.
  func chipRecovered(_ source: Int)
  /// Chip `source` detected something by itself.
  func receive(_ detection: Detection, from source: Int)
  /// Several samples of one chip follow, read at once, until `endBatch`: they are news once.
  func beginBatch()
  func endBatch()
}

extension SampleConsumer {
  public func receive(_ detection: Detection, from source: Int) {}
  public func beginBatch() {}
  public func endBatch() {}
}

/// One chip of a bus and everything that its reader knows of it.
public final class ReaderSlot {
  /// The chip's place in the board.
  public let source: Int
  public let driver: any ChipDriver
  private let mounting: Mounting
  private let correction: ChipCorrection
  public let edges: (any EdgeSource)?
  // Both are used from the reader's thread, and code that is given one does not know this slot: two
  // accesses never overlap. To check that for every frame would cost as much as decoding it.
  @safe @exclusivity(unchecked) private var loop = DriverLoop()
  @safe @exclusivity(unchecked) private var batch = RawBatch()
  // As above.
  /// The readings of the chip that hold no value, or are at the end of its range.
  @safe @exclusivity(unchecked) package private(set) var quality = ReadingQuality()
  private var failures = 0
  /// True where its last step failed, of which the consumer was told.
  fileprivate var isFailing: Bool { failures > 0 }
  /// The time at which samples last came.
  private var lastDelivery = Timestamp(nanoseconds: .min / 2)
  private var isDelivering = false
  /// True where the chip is configured and runs, as far as its driver knows.
  private var isUp = false
  /// True where its last step found no adapter any more.
  fileprivate private(set) var hasLostAdapter = false
  /// Samples that came later than the board promises.
  public private(set) var late: UInt64 = 0
  private var patience: TimeSpan
  /// The chip that connects this one's bus to the main one.
  fileprivate let host: ReaderSlot?
  /// Samples per second that the driver was configured for; 0 while the chip rests.
  public private(set) var rate: Double
  /// The number of times that the chip was given another rate, or was restarted for the sake of one
  /// behind which it sits, while it ran.
  public private(set) var rateChanges: UInt64 = 0
  /// True where its driver has done anything since the start.
  private var hasStepped = false
  /// True where it was stopped to rest, or to be restarted.
  fileprivate private(set) var isAsleep = false

  /// `rate` is what the driver is configured for. `patience` is how old a sample may be when it is
  /// delivered before it counts as late.
  public init(
    source: Int, driver: any ChipDriver, mounting: Mounting,
    calibration: ChipCalibration = ChipCalibration(), edges: (any EdgeSource)? = nil,
    rate: Double = 0, patience: TimeSpan, behind host: ReaderSlot? = nil
  ) {
    self.source = source
    self.driver = driver
    self.mounting = mounting
    correction = ChipCorrection(calibration)
    self.edges = edges
    self.rate = rate
    self.patience = patience
    self.host = host
  }

  /// Does what is due at `now` and returns when the next turn is, at the latest.
  fileprivate func turn(at now: Timestamp, to consumer: some SampleConsumer) -> Timestamp {
    let event = edges?.takeEdges() ?? .due
    if loop.isDue(at: now, event) { step(event, at: now, to: consumer) }
    return loop.next(edge: edges?.nextEdge)
  }

  /// Lets the driver do what is due, and hands on what it read. For readers, and for a playback of
  /// what one has done.
  package func step(_ event: Event, at now: Timestamp, to consumer: some SampleConsumer) {
    batch.removeAll()
    if let host, !host.isUp {
      // No chip behind the other can be reached before that one has connected the buses.
      loop.wait(until: now + .milliseconds(10))
      return
    }
    hasStepped = true
    do throws(ChipError) {
      let wake = try driver.step(event, into: &batch)
      // A driver that waits for an interrupt has configured its chip, whether it will give samples
      // or only detections.
      if case .onInterrupt = wake { isUp = true }
      if batch.frames > 0 { isUp = true }
      // The step has taken its time: a span begins at the end of it.
      loop.take(wake, at: max(now, driver.now))
      deliver(at: now, to: consumer)
    } catch {
      failures += 1
      // From 1 ms, four times as long each time: a bus that hiccups once loses little. Up to a
      // second, so that a chip that is gone costs nothing; but one that gave samples a moment ago
      // is likelier to come back at once.
      let longest: TimeSpan =
        now - lastDelivery < .seconds(1) ? .milliseconds(16) : .seconds(1)
      loop.wait(
        until: now + min(.milliseconds(1) * Int64(1 << (2 * min(failures - 1, 5))), longest))
      isDelivering = false
      isUp = false
      if case .bus(.adapterGone, _) = error { hasLostAdapter = true }
      consumer.chip(source, failed: error)
    }
  }

  /// Puts the chip to sleep until `resume`, unless it has never run. That is no failure: what the
  /// consumer was told last holds.
  fileprivate func pause() {
    guard hasStepped else { return }
    rateChanges += 1
    sleep()
  }

  private func sleep() {
    // Where that fails the next start resets it.
    try? driver.stop()
    isUp = false
    isAsleep = true
    loop.wait(until: .distantFuture)
  }

  /// Lets the driver begin with identity and reset, as after a start; its counters go on.
  fileprivate func resume(at now: Timestamp) {
    failures = 0
    driver.start()
    // That of a BMI160 is a reset, in which the chip is deaf for 1 ms and more.
    loop.wait(until: isAsleep ? now + .milliseconds(5) : now)
    isAsleep = false
  }

  fileprivate func configure(
    _ settings: SensorSettings, patience: (SensorSettings) -> TimeSpan
  ) {
    guard let granted = try? driver.configure(settings) else { return }
    rate = granted.rate
    self.patience = patience(granted)
  }

  fileprivate func rest() {
    rate = 0
    if hasStepped { rateChanges += 1 }
    sleep()
  }

  private func deliver(at now: Timestamp, to consumer: some SampleConsumer) {
    for index in 0..<batch.detectionCount {
      consumer.receive(batch.detections[index], from: source)
    }
    guard batch.frames > 0 || batch.detectionCount > 0 else { return }
    failures = 0
    lastDelivery = now
    if !isDelivering {
      isDelivering = true
      consumer.chipRecovered(source)
    }
    // One thing for the closure to capture, which is handed what it captures anew for each frame.
    var delivery = Delivery(
      timestamp: batch.timestamp(ofFrame: 0), period: batch.period, missing: batch.missing,
      punctual: now - patience)
    if batch.frames > 1 { consumer.beginBatch() }
    driver.decode(batch) { reading in
      quality.add(reading)
      // Neither reading nor sample is kept in a variable, which would be a copy.
      if correction.isIdentity {
        consumer.receive(
          mounting.sample(reading, at: delivery.timestamp, after: delivery.missing), from: source)
      } else {
        consumer.receive(
          mounting.sample(
            correction.corrected(reading), at: delivery.timestamp, after: delivery.missing),
          from: source)
      }
      delivery.advance()
    }
    if batch.frames > 1 { consumer.endBatch() }
    // Who reads it is unknown, so each access is checked.
    if delivery.late > 0 { late += delivery.late }
  }

  /// The next sample of a batch that is handed on.
  private struct Delivery {
    var timestamp: Timestamp
    let period: TimeSpan
    var missing: UInt32
    let punctual: Timestamp
    var late: UInt64 = 0

    mutating func advance() {
      if timestamp < punctual { late += 1 }
      missing = 0
      timestamp = timestamp + period
    }
  }
}

/// Runs the drivers of one bus, on one thread, by the clock it is told: it neither sleeps nor knows
/// what time it is.
public final class BusReader {
  public let slots: [ReaderSlot]

  public init(_ slots: [ReaderSlot]) { self.slots = slots }

  /// Lets every driver begin; the work is done by the turns that follow.
  public func start(at now: Timestamp) {
    for slot in slots { slot.resume(at: now) }
  }

  /// Restarts the chip of `slot` with other settings, which its driver must have; those behind it
  /// are stopped before and restarted after it. Samples that would have been taken in between are
  /// not missing: they were never taken. `patience` says of what the driver granted how old a
  /// sample may be before it counts as late.
  public func restart(
    _ slot: ReaderSlot, with settings: SensorSettings,
    patience: (SensorSettings) -> TimeSpan, at now: Timestamp
  ) {
    // Who rests stays at rest.
    let guests = slots.filter { $0.host === slot && !$0.isAsleep }
    for guest in guests { guest.pause() }
    slot.pause()
    slot.configure(settings, patience: patience)
    slot.resume(at: now)
    for guest in guests { guest.resume(at: now) }
  }

  /// Puts the chip of `slot` to sleep until `restart`. No chip may sit behind it.
  public func rest(_ slot: ReaderSlot) { slot.rest() }

  /// Does everything that is due at `now` and returns when the next turn is due, at the latest.
  public func turn(at now: Timestamp, to consumer: some SampleConsumer) -> Timestamp {
    var next = Timestamp.distantFuture
    for slot in slots { next = min(next, slot.turn(at: now, to: consumer)) }
    return next
  }

  /// True where the adapter is gone, which no driver's patience brings back: the bus is to be
  /// closed, and opened again when its node is there again.
  public var hasLostAdapter: Bool { slots.contains { $0.hasLostAdapter } }

  /// Puts every chip to sleep. Returns the first error of a chip that worked until now: of one that
  /// did not the consumer knows. The others are put to sleep all the same.
  public func stop() -> ChipError? {
    var first: ChipError?
    for slot in slots {
      do throws(ChipError) { try slot.driver.stop() } catch {
        if !slot.isFailing { first = first ?? error }
      }
    }
    return first
  }
}
