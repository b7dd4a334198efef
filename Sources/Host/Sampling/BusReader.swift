// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// A consumer of a bus reader's samples, called on the reader's thread. Must be quick, because the
/// bus waits.
public protocol SampleConsumer: AnyObject {
  /// Receives a sample of chip `source`, in device axes.
  func receive(_ sample: Sample, from source: Int)
  /// Reports that chip `source` failed; the reader retries it automatically.
  func chip(_ source: Int, failed error: ChipError)
  /// Reports that chip `source` gives samples, for the first time or again.
  func chipRecovered(_ source: Int)
  /// Receives an event that chip `source` detected.
  func receive(_ detection: Detection, from source: Int)
  /// Announces several samples of one chip, read at once, until `endBatch`: listeners need one
  /// notification.
  func beginBatch()
  func endBatch()
}

extension SampleConsumer {
  public func receive(_ detection: Detection, from source: Int) {}
  public func beginBatch() {}
  public func endBatch() {}
}

/// One chip of a bus with its reader's state.
public final class ReaderSlot {
  /// The chip's index in the board.
  public let source: Int
  public let driver: any ChipDriver
  private let mounting: Mounting
  private let correction: ChipCorrection
  public let edges: (any EdgeSource)?
  // Both are used from the reader's thread, and functions that receive one have no access to this
  // slot, so accesses never overlap. A check for every frame would cost as much as decoding it.
  @safe @exclusivity(unchecked) private var loop = DriverLoop()
  @safe @exclusivity(unchecked) private var batch = RawBatch()
  // // As above.
  // /// The counts of readings without a value, or at the end of the chip's range.
  @safe @exclusivity(unchecked) package private(set) var quality = ReadingQuality()
  private var failures = 0
  /// True if the last step failed, which was reported to the consumer.
  fileprivate var isFailing: Bool { failures > 0 }
  /// The time at which samples last arrived.
  private var lastDelivery = Timestamp(nanoseconds: .min / 2)
  private var isDelivering = false
  /// True if the chip is configured and runs, according to its driver.
  private var isUp = false
  /// True if the last step failed because the adapter is gone.
  fileprivate private(set) var hasLostAdapter = false
  /// Samples delivered later than the board allows.
  public private(set) var late: UInt64 = 0
  private var patience: TimeSpan
  /// The chip whose auxiliary bus this chip is on.
  fileprivate let host: ReaderSlot?
  /// Samples per second in the driver's configuration; 0 while the chip rests.
  public private(set) var rate: Double
  /// The number of times that the chip got another rate, or was restarted with its host, while
  /// running.
  public private(set) var rateChanges: UInt64 = 0
  /// True if the driver has done a step since the start.
  private var hasStepped = false
  /// True if the chip was stopped to rest, or for a restart.
  fileprivate private(set) var isAsleep = false

  /// Creates the slot. `rate` is that of the driver's configuration. `patience` is the lateness
  /// limit: an older sample counts as late when delivered.
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

  /// Does what is due at `now` and returns the latest time of the next turn.
  fileprivate func turn(at now: Timestamp, to consumer: some SampleConsumer) -> Timestamp {
    let event = edges?.takeEdges() ?? .due
    if loop.isDue(at: now, event) { step(event, at: now, to: consumer) }
    return loop.next(edge: edges?.nextEdge)
  }

  /// Runs one step of the driver and delivers the data. For readers, and for the playback of a
  /// trace.
  package func step(_ event: Event, at now: Timestamp, to consumer: some SampleConsumer) {
    batch.removeAll()
    if let host, !host.isUp {
      // A chip on an auxiliary bus is unreachable until its host has connected the buses.
      loop.wait(until: now + .milliseconds(10))
      return
    }
    hasStepped = true
    do throws(ChipError) {
      let wake = try driver.step(event, into: &batch)
      // A driver that waits for an interrupt has configured its chip, for samples or only for
      // detections.
      if case .onInterrupt = wake { isUp = true }
      if batch.frames > 0 { isUp = true }
      // A relative wait starts at the end of the step, which took time.
      loop.take(wake, at: max(now, driver.now))
      deliver(at: now, to: consumer)
    } catch {
      failures += 1
      // The retry delay grows fourfold from 1 ms: a short fault on the bus loses little. It ends at
      // one second, so that a missing chip costs nothing, or at 16 ms for a chip that gave samples
      // recently and is likely to return soon.
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

  /// Puts the chip to sleep until `resume`, unless it has never run. That is not a failure: the
  /// state last reported to the consumer stays.
  fileprivate func pause() {
    guard hasStepped else { return }
    rateChanges += 1
    sleep()
  }

  private func sleep() {
    // If this fails, the reset of the next start stops the chip.
    try? driver.stop()
    isUp = false
    isAsleep = true
    loop.wait(until: .distantFuture)
  }

  /// Restarts the driver with identity and reset; its counters continue.
  fileprivate func resume(at now: Timestamp) {
    failures = 0
    driver.start()
    // Stopping a BMI160 resets it, and it does not respond for 1 ms or more after that.
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
    // One captured variable, because captures are passed to the closure again for each frame.
    var delivery = Delivery(
      timestamp: batch.timestamp(ofFrame: 0), period: batch.period, missing: batch.missing,
      punctual: now - patience)
    if batch.frames > 1 { consumer.beginBatch() }
    driver.decode(batch) { reading in
      quality.add(reading)
      // Neither reading nor sample is stored in a variable, which would be copied.
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
    // Other threads may read it, so each access is checked.
    if delivery.late > 0 { late += delivery.late }
  }

  /// The state of delivering a batch: the next sample.
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

/// Runs the drivers of one bus on one thread. The caller passes the time: the reader neither sleeps
/// nor reads a clock.
public final class BusReader {
  public let slots: [ReaderSlot]

  public init(_ slots: [ReaderSlot]) { self.slots = slots }

  /// Starts every driver; the following turns do the work.
  public func start(at now: Timestamp) {
    for slot in slots { slot.resume(at: now) }
  }

  /// Restarts the chip of `slot` with other settings, which its driver must support; chips on its
  /// auxiliary bus are stopped before and restarted afterwards. Samples in between were never
  /// taken, so they do not count as missing. `patience` returns the lateness limit for the settings
  /// that the driver granted.
  public func restart(
    _ slot: ReaderSlot, with settings: SensorSettings,
    patience: (SensorSettings) -> TimeSpan, at now: Timestamp
  ) {
    // Guests that are asleep need no pause while their host is configured.
    let guests = slots.filter { $0.host === slot && !$0.isAsleep }
    for guest in guests { guest.pause() }
    slot.pause()
    slot.configure(settings, patience: patience)
    slot.resume(at: now)
    for guest in guests { guest.resume(at: now) }
  }

  /// Puts the chip of `slot` to sleep until `restart`. It must not have chips on its auxiliary bus.
  public func rest(_ slot: ReaderSlot) { slot.rest() }

  /// Does everything that is due at `now` and returns the latest time of the next turn.
  public func turn(at now: Timestamp, to consumer: some SampleConsumer) -> Timestamp {
    var next = Timestamp.distantFuture
    for slot in slots { next = min(next, slot.turn(at: now, to: consumer)) }
    return next
  }

  /// True if the adapter is gone, which retries cannot fix: close the bus, and open it again
  /// when its node is back.
  public var hasLostAdapter: Bool { slots.contains { $0.hasLostAdapter } }

  /// Puts every chip to sleep. Returns the first error of a chip that worked until now: failures of
  /// others are known to the consumer. An error does not keep the other chips from sleeping.
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
