// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A chip that samples on its own, whose samples the engine reads at interrupt edges, when samples
/// are due, or from its `Queue`.
public protocol SampledChip: RegisterChip {
  /// Reads a sample from the output registers if one is available.
  static func readSample(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus

  /// Does the work of a running chip other than reading samples, by default verification. This work
  /// comes before the samples are read, because an error must not lose samples that were already
  /// read. Returns true if the work used the bus.
  static func doPeriodicWork(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) -> Bool
}

/// A sampled chip whose data-ready flag and outputs are read in two transfers. The flag is not read
/// if an edge has signalled the sample. Lost samples are counted from the elapsed time.
public protocol ReadyFlagChip: SampledChip {
  /// Returns true if the output registers hold a sample that was not read yet.
  static func hasSample(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)
    -> Bool

  /// Reads the output registers. After this read `hasSample` is false until the next sample.
  static func readOutputs(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch)
    throws(ChipError)
}

/// The result of a poll for a sample.
public struct SampleStatus: BitwiseCopyable {
  /// True if the poll read a sample.
  public var isReady: Bool
  /// True if the chip reports that earlier samples were overwritten.
  public var isOverrun: Bool
  /// The time at which the chip reported the sample, if the sample was read in a later transfer;
  /// `nil` if one transfer contained both the report and the sample.
  public var seen: Timestamp?

  public init(isReady: Bool, isOverrun: Bool = false, seen: Timestamp? = nil) {
    self.isReady = isReady
    self.isOverrun = isOverrun
    self.seen = seen
  }
}

extension SampledChip {
  /// Reads the output registers, which also clears a data-ready pin.
  public static func discardOldSamples(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) { _ = try readSample(&driver, into: &batch) }

  /// Calls `doPeriodicWork`, then reads the chip's samples.
  @inlinable @inline(__always)
  public static func run(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) { try driver.readSamples(event, into: &batch) }

  @inlinable @inline(__always)
  public static func nextStep(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> NextStep {
    driver.nextStep()
  }

  @inlinable @inline(__always)
  public static func doPeriodicWork(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) -> Bool { try driver.verifyInTurn(at: now) }
}

extension ReadyFlagChip {
  @inlinable
  public static func readSample(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    if !driver.hasEdge {
      guard try hasSample(&driver) else { return SampleStatus(isReady: false) }
    }
    // The sample was available at the interrupt edge, or else at the poll.
    let seen = driver.hasEdge ? driver.lastStep : driver.now
    try readOutputs(&driver, into: &batch)
    return SampleStatus(
      isReady: true, isOverrun: driver.clock.samplesElapsed(at: seen) > 1, seen: seen)
  }
}
