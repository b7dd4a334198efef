// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A chip that measures on command. The driver starts each measurement at a regular interval, and
/// reads the outputs when the measurement has finished.
public protocol SingleShotChip: RegisterChip {
  var shot: SingleShot { get set }

  /// Returns the typical and the maximum duration of a measurement.
  static func duration(of codes: Codes) -> (typical: TimeSpan, longest: TimeSpan)

  /// Starts a measurement.
  static func measure(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)

  /// Reads the chip's output registers after a measurement.
  static func readOutputs(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch)
    throws(ChipError)
}

/// The schedule of a single-shot chip's measurements.
public struct SingleShot: Sendable {
  /// The time to start the next measurement; `nil` before the first.
  @usableFromInline var due: Timestamp?
  /// The start of the running measurement; `nil` if none is running.
  @usableFromInline var begun: Timestamp?
  /// The number of measurements that were missed since the last measurement that was read.
  @usableFromInline var missing: UInt32 = 0

  public init() {}
}

extension SingleShotChip {
  public static func longestWait(
    _ driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> TimeSpan { .milliseconds(100) }

  public static func discardOldSamples(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {}

  public static func run(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    let now = driver.now
    guard let begun = driver.chip.shot.begun else { return try driver.beginShot(at: now) }
    let hasEdge = event.edges > 0 && event.edgeTime > begun
    let duration = duration(of: driver.codes)
    guard hasEdge || now >= begun + duration.longest else { return }
    try readOutputs(&driver, into: &batch)
    if hasEdge { driver.silence = 0 } else if driver.acquires(.dataReady) { driver.noteSilence() }
    driver.endShot(&batch, takenAt: hasEdge ? event.edgeTime : begun + duration.typical)
  }

  public static func nextStep(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> NextStep {
    guard let begun = driver.chip.shot.begun else {
      let now = driver.now
      return .at(min(driver.chip.shot.due ?? now, now + longestWait(driver)))
    }
    let poll = begun + duration(of: driver.codes).longest
    return driver.acquires(.dataReady) && !driver.isSilent ? .onInterrupt(until: poll) : .at(poll)
  }

  /// Counts a measurement that was lost because the chip was started again.
  public static func noteRestart(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ error: ChipError
  ) {
    if driver.chip.shot.begun != nil { driver.chip.shot.missing &+= 1 }
    driver.chip.shot.begun = nil
  }
}

extension RegisterDriver where Chip: SingleShotChip, Bus: ~Copyable {
  /// Verifies the configuration, then starts a measurement if one is due. Missed measurements are
  /// counted, and the next measurement keeps to the schedule.
  mutating func beginShot(at now: Timestamp) throws(ChipError) {
    try verifyInTurn(at: now)
    let before = self.now
    let due = chip.shot.due ?? before
    guard before >= due else { return }
    try Chip.measure(&self)
    let period = clock.measuredPeriod
    let late = before.elapsed(since: due).nanoseconds / period.nanoseconds
    chip.shot.missing &+= UInt32(clamping: late)
    chip.shot.due = due + period * (late + 1)
    chip.shot.begun = before
  }

  mutating func endShot(_ batch: inout RawBatch, takenAt time: Timestamp) {
    batch.frames = 1
    batch.newest = time
    batch.period = clock.measuredPeriod
    batch.missing = chip.shot.missing
    counters.received &+= 1
    counters.missing &+= UInt64(chip.shot.missing)
    chip.shot.missing = 0
    chip.shot.begun = nil
  }
}
