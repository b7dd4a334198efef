// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// A consumer of the samples of a bus reader. The consumer's functions are called on the reader's
/// thread and must be quick, because the bus waits until they return.
public protocol SampleConsumer: AnyObject {
  /// The consumer receives a sample of chip `source`, in device axes.
  func receive(_ sample: Sample, from source: Int)
  /// Reports that chip `source` failed. The reader retries the chip automatically.
  func chip(_ source: Int, failed error: ChipError)
  /// Reports that chip `source` gives samples, for the first time or after a failure.
  func chipRecovered(_ source: Int)
  /// Receives an event that chip `source` detected.
  func receive(_ detection: Detection, from source: Int)
  /// Starts a sequence, until `endBatch`, of several samples of one chip that were read at once.
  /// Listeners need only one notification for the whole sequence.
  func beginBatch()
  func endBatch()
}

extension SampleConsumer {
  public func receive(_ detection: Detection, from source: Int) {}
  public func beginBatch() {}
  public func endBatch() {}
}

/// The values that the reader of a bus keeps for one chip of that bus.
public final class ReaderSlot {
  /// The index of the chip in the board.
  public let source: Int
  public let driver: any ChipDriver
  private let mounting: Mounting
  private let correction: ChipCorrection
  public let edges: (any EdgeSource)?
  // Exclusivity checks are off because accesses cannot overlap: only the reader's thread uses these
  // values, and functions that receive such a value cannot access this slot. A check for each frame
  // would cost as much as decoding the frame.
  @safe @exclusivity(unchecked) private var loop = DriverLoop()
  @safe @exclusivity(unchecked) private var batch = RawBatch()
  /// The counts of readings without a value and at the end of the chip's range. Exclusivity checks
  /// are off for the same reason as for `loop`.
  @safe @exclusivity(unchecked) package private(set) var quality: ReadingQuality
  private var failures = 0
  /// True if the driver's last step failed. The consumer has been notified of the failure.
  fileprivate var isFailing: Bool { failures > 0 }
  /// The time at which the chip's last samples were delivered.
  private var lastDelivery = Timestamp(nanoseconds: .min / 2)
  private var isDelivering = false
  /// True if the chip is configured and runs, according to its driver.
  private var isUp = false
  /// True if the driver's last step failed because the bus adapter is gone.
  fileprivate private(set) var hasLostAdapter = false
  /// The number of the chip's samples that were delivered later than the board allows.
  public private(set) var late: UInt64 = 0
  private var latenessLimit: TimeSpan
  /// The chip whose auxiliary bus connects this chip; `nil` if the chip is connected directly.
  fileprivate let host: ReaderSlot?
  /// The output data rate in Hz in the driver's configuration; 0 while the chip sleeps.
  public private(set) var rate: Double
  /// The number of times that the rate of the running chip changed, or that the chip was started
  /// again together with its host chip.
  public private(set) var rateChanges: UInt64 = 0
  /// True if the driver has performed a step since the start of the reader.
  private var hasStepped = false
  /// True if the chip was put to sleep, to pause or for a restart.
  fileprivate private(set) var isAsleep = false

  /// Creates the slot of a chip. `rate` is the rate in the driver's configuration, in Hz. A sample
  /// that is older than `latenessLimit` at its delivery counts as late.
  public init(
    source: Int, driver: any ChipDriver, mounting: Mounting,
    calibration: ChipCalibration = ChipCalibration(), edges: (any EdgeSource)? = nil,
    rate: Double = 0, latenessLimit: TimeSpan, behind host: ReaderSlot? = nil
  ) {
    quality = ReadingQuality()
    self.source = source
    self.driver = driver
    self.mounting = mounting
    correction = ChipCorrection(calibration)
    self.edges = edges
    self.rate = rate
    self.latenessLimit = latenessLimit
    self.host = host
  }

  /// Sets the sizes of the chip's counts, which are needed to count readings at the end of the
  /// chip's range.
  package func expect(_ sizes: CountSizes) { quality = ReadingQuality(sizes) }

  /// Does the work that is due at `now`. Returns the latest time for the next call of this
  /// function.
  fileprivate func turn(at now: Timestamp, to consumer: some SampleConsumer) -> Timestamp {
    let event = edges?.takeEdges() ?? .due
    if loop.isDue(at: now, event) { step(event, at: now, to: consumer) }
    return loop.next(edge: edges?.nextEdge)
  }

  /// Performs one step of the driver and delivers its data. Readers and the playback of a bus trace
  /// call this function.
  package func step(_ event: Event, at now: Timestamp, to consumer: some SampleConsumer) {
    batch.removeAll()
    if let host, !host.isUp {
      // A chip on an auxiliary bus cannot be reached until its host chip has connected the buses.
      loop.wait(until: now + .milliseconds(10))
      return
    }
    hasStepped = true
    do throws(ChipError) {
      let wake = try driver.step(event, into: &batch)
      // A driver waits for an interrupt only after it has configured its chip, for samples or for
      // detections.
      if case .onInterrupt = wake { isUp = true }
      if batch.frames > 0 { isUp = true }
      // A driver's relative wait starts at the end of the step, which took time.
      loop.take(wake, at: max(now, driver.now))
      deliver(at: now, to: consumer)
    } catch {
      failures += 1
      // The delay before a retry starts at 1 ms and grows fourfold, so that a short fault on the
      // bus loses few samples. The delay's limit is one second, because the retries for a missing
      // chip then cost almost nothing. For a chip that gave samples within the last second the
      // limit is 16 ms, because the chip may return soon.
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

  /// Puts the chip to sleep until `resume`, unless it has never run. The pause is not a failure:
  /// the consumer keeps the state that was last reported.
  fileprivate func pause() {
    guard hasStepped else { return }
    rateChanges += 1
    sleep()
  }

  private func sleep() {
    // If stopping the chip fails, the chip is stopped by the reset of the next start.
    try? driver.stop()
    isUp = false
    isAsleep = true
    loop.wait(until: .distantFuture)
  }

  /// Starts the driver again, with identification and a reset. The driver's counters continue.
  fileprivate func resume(at now: Timestamp) {
    failures = 0
    driver.start()
    // Stopping a BMI160 resets it, and it does not respond for at least 1 ms after the reset.
    loop.wait(until: isAsleep ? now + .milliseconds(5) : now)
    isAsleep = false
  }

  fileprivate func configure(
    _ settings: SensorSettings, latenessLimit: (SensorSettings) -> TimeSpan
  ) {
    guard let granted = try? driver.configure(settings) else { return }
    rate = granted.rate
    self.latenessLimit = latenessLimit(granted)
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
    // All state is in one captured variable, because captures are passed to the closure again for
    // each frame.
    var delivery = Delivery(
      timestamp: batch.timestamp(ofFrame: 0), period: batch.period, missing: batch.missing,
      punctual: now - latenessLimit)
    if batch.frames > 1 { consumer.beginBatch() }
    driver.decode(batch) { reading in
      quality.add(reading)
      // Neither the reading nor the sample is stored in a variable, because a variable would copy
      // it.
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
    // Other threads may read this counter, so each access is checked.
    if delivery.late > 0 { late += delivery.late }
  }

  /// The state of a batch's delivery that the next sample needs.
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

  /// Starts every driver. The following calls of `turn` do the work.
  public func start(at now: Timestamp) {
    for slot in slots { slot.resume(at: now) }
  }

  /// Starts the chip of `slot` again with other settings, which its driver must support. Chips on
  /// its auxiliary bus are stopped before and started again afterwards. Samples in between were
  /// never taken, so such samples do not count as missing. `latenessLimit` returns the lateness
  /// limit of samples for the settings that the driver chose.
  public func restart(
    _ slot: ReaderSlot, with settings: SensorSettings,
    latenessLimit: (SensorSettings) -> TimeSpan, at now: Timestamp
  ) {
    // Chips on the auxiliary bus that sleep already need not be paused while their host chip is
    // configured.
    let guests = slots.filter { $0.host === slot && !$0.isAsleep }
    for guest in guests { guest.pause() }
    slot.pause()
    slot.configure(settings, latenessLimit: latenessLimit)
    slot.resume(at: now)
    for guest in guests { guest.resume(at: now) }
  }

  /// Puts the chip of `slot` to sleep until `restart`. No chips may be on that chip's auxiliary
  /// bus.
  public func rest(_ slot: ReaderSlot) { slot.rest() }

  /// Does all work that is due at `now`. Returns the latest time for the next call of this
  /// function.
  public func turn(at now: Timestamp, to consumer: some SampleConsumer) -> Timestamp {
    var next = Timestamp.distantFuture
    for slot in slots { next = min(next, slot.turn(at: now, to: consumer)) }
    return next
  }

  /// True if the adapter is gone, which retries cannot fix. Close the bus, and open it again when
  /// the adapter's node exists again.
  public var hasLostAdapter: Bool { slots.contains { $0.hasLostAdapter } }

  /// Puts every chip to sleep, even after an error. Returns the first error of a chip that worked
  /// until now; the consumer already knows the failures of other chips.
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
