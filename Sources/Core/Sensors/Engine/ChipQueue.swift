// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The FIFO of a chip. A chip's type declares its FIFO as a nested type with the name `Queue`. Most
/// FIFOs conform to `WatermarkQueue` or `CountedQueue`, for which the engine reads the samples.
public protocol ChipQueue {
  associatedtype Chip: RegisterChip

  /// True for every type of FIFO except `NoQueue`.
  static var exists: Bool { get }

  /// Returns the address of the register from which the FIFO is currently read.
  static func port(of driver: borrowing RegisterDriver<Chip, some ChipBus>) -> UInt8

  /// Returns the size in bytes of one sample in the FIFO.
  static func frameSize(of driver: borrowing RegisterDriver<Chip, some ChipBus>) -> Int

  /// True if an interrupted read of the FIFO can end inside a sample, so that the FIFO must be
  /// emptied.
  static var losesAlignment: Bool { get }

  /// True if the chip's `describe` checks whether frames are samples.
  static var checksFrames: Bool { get }

  /// The first of the steps that empty the FIFO, which are the last steps of the start; `nil` if
  /// the chip's `flush` empties the FIFO at once.
  static var emptyingStep: Chip.StartStep? { get }

  /// Reads as many samples as the batch and the bus allow at once, if samples are due.
  static func drain(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch) throws(ChipError)

  /// Returns when the driver needs its next step.
  static func nextStep(_ driver: borrowing RegisterDriver<Chip, some ChipBus>) -> NextStep
}

/// A FIFO with a watermark, whose fill level is read before the samples.
public protocol WatermarkQueue: ChipQueue where Chip.Queue == Self {
  /// Reads the fill level.
  static func readFillLevel(_ driver: inout RegisterDriver<Chip, some ChipBus>) throws(ChipError)
    -> FillLevel
}

/// A FIFO that counts its bytes and is read at intervals, or at each sample that its interrupt line
/// signals.
public protocol CountedQueue: ChipQueue where Chip.Queue == Self {
  /// The address of the first of two registers with the number of bytes in the FIFO, high byte
  /// first. The FIFO's data register follows them.
  static var count: UInt8 { get }

  /// Returns the size of the FIFO in bytes.
  static func size(of driver: borrowing RegisterDriver<Chip, some ChipBus>) -> Int
}

extension ChipQueue {
  @inlinable @inline(__always)
  public static var exists: Bool { true }

  @inlinable @inline(__always)
  public static var losesAlignment: Bool { false }

  @inlinable @inline(__always)
  public static var checksFrames: Bool { false }

  @inlinable @inline(__always)
  public static var emptyingStep: Chip.StartStep? { nil }
}

extension WatermarkQueue {
  @inlinable @inline(__always)
  public static func drain(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) { try driver.drainWatermarked(event, at: now, into: &batch) }

  @inlinable @inline(__always)
  public static func nextStep(_ driver: borrowing RegisterDriver<Chip, some ChipBus>) -> NextStep {
    driver.nextWatermarkPoll
  }
}

extension CountedQueue {
  @inlinable @inline(__always)
  public static func drain(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) { try driver.drainCounted(event, at: now, into: &batch) }

  @inlinable @inline(__always)
  public static func nextStep(_ driver: borrowing RegisterDriver<Chip, some ChipBus>) -> NextStep {
    driver.nextCountPoll
  }
}

/// The type for chips that have no FIFO.
public enum NoQueue<Chip: RegisterChip>: ChipQueue {
  @inlinable @inline(__always)
  public static var exists: Bool { false }

  @inlinable @inline(__always)
  public static func port(of driver: borrowing RegisterDriver<Chip, some ChipBus>) -> UInt8 { 0 }

  @inlinable @inline(__always)
  public static func frameSize(of driver: borrowing RegisterDriver<Chip, some ChipBus>) -> Int { 1 }

  @inlinable @inline(__always)
  public static func drain(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) {}

  @inlinable @inline(__always)
  public static func nextStep(_ driver: borrowing RegisterDriver<Chip, some ChipBus>) -> NextStep {
    .never
  }
}

/// The fill level of a FIFO at the time of a poll.
public struct FillLevel: BitwiseCopyable {
  /// The number of samples in the FIFO.
  public var waiting: Int
  /// True if the FIFO overflowed. Also true if the FIFO is so full that a sample which arrives
  /// before the read could drop the oldest sample undetected.
  public var isOverrun: Bool
  /// The time at which the chip reported the fill level, if further transfers followed; otherwise
  /// `nil`.
  public var seen: Timestamp?

  public init(waiting: Int, isOverrun: Bool = false, seen: Timestamp? = nil) {
    self.waiting = waiting
    self.isOverrun = isOverrun
    self.seen = seen
  }
}
