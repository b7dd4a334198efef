// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The description of a kind of chip for `RegisterDriver`: its abilities, its start sequence, its
/// register contents and how to read a sample. A value of this type holds the chip-specific part of
/// a driver's state.
///
/// Functions with a driver parameter use the driver's bus. The driver itself handles phases,
/// errors, counters and times.
public protocol RegisterChip {
  associatedtype Codes: ChipConfiguration
  associatedtype Decoder: FrameDecoder where Decoder.Codes == Codes
  /// The type of the configuration's rows: plain registers, or another type for chips with register
  /// banks or words.
  associatedtype Line: ConfigurationLine = RegisterValue
  /// The steps of the start sequence, from power-up to a configured chip.
  associatedtype StartStep: ChipStep
  /// The manufacturer's self-test, if there is one.
  associatedtype SelfTest: ChipSelfTest = NoSelfTest<Self> where SelfTest.Chip == Self

  /// Creates the state before the first start.
  init()

  /// The transfer format on each bus. The default sets no bits, because most chips increment
  /// addresses automatically.
  static var wireFormat: WireFormat { get }

  /// The channels that the chip samples.
  static var channels: ChannelSet { get }

  /// Returns the channels of a driver with `codes` over a connection with `abilities`.
  static func channels(of codes: Codes, with abilities: DriverAbilities) -> ChannelSet

  /// Returns the chip's full scales in the channel's unit, smallest first; see
  /// `SensorDriver.range(of:at:)`.
  static func range(of channel: Channel, at index: Int) -> Scalar?

  /// Returns the full scales for a driver with `codes`.
  static func range(of channel: Channel, at index: Int, of codes: Codes) -> Scalar?

  /// Returns the chip's rates in Hz in normal power mode, fastest first; see
  /// `SensorDriver.rate(at:)`.
  static func rate(at index: Int) -> Scalar?

  /// Returns the rates in Hz for a driver with `codes`.
  static func rate(at index: Int, of codes: Codes) -> Scalar?

  /// The events that the chip can detect; see `SensorDriver.detections`.
  static var detections: DetectionSet { get }

  /// Returns the events that a driver with `codes` can detect.
  static func detections(of codes: Codes) -> DetectionSet

  /// Returns the task of a step of the start sequence.
  static func start(_ driver: inout RegisterDriver<Self, some ChipBus>, at step: StartStep)
    throws(ChipError) -> ChipTask

  /// Returns row `index` of the configuration, which is written at start; `nil` after the last row.
  static func line(_ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Line?

  /// The index among the rows of `heldLine` of the row that enables sampling. A supply failure
  /// clears this register.
  static var runningLine: Int { get }

  /// Returns row `index` of the register values that are verified while running; `nil` after the
  /// last row. By default they are the configuration.
  static func heldLine(_ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>)
    -> Line?

  /// The interval at which rows are verified while running.
  static var verification: TimeSpan { get }

  /// True if all due rows are verified in one poll, with adjacent registers in one burst. If false,
  /// each poll verifies one row.
  static var catchesUp: Bool { get }

  /// Discards samples that were taken before the current configuration. By default it reads the
  /// output registers, which also clears a data-ready pin.
  static func flush(_ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch)
    throws(ChipError)

  /// Does the work of a running chip other than reading samples, by default verification. It comes
  /// before the samples are read, because an error must not lose samples that were already read.
  /// Returns true if it used the bus.
  static func attend(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) -> Bool

  /// Does the work of a running chip that is due: calls `attend`, then reads samples.
  static func run(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch)
    throws(ChipError)

  /// Reads samples from a running chip's FIFO. By default it reads as many as the batch and the bus
  /// allow at once.
  static func drainQueue(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch) throws(ChipError)

  /// Returns when a running chip needs its next step.
  static func rest(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> NextStep

  /// Returns true if the output registers hold a sample that was not read yet.
  static func hasSample(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)
    -> Bool

  /// Reads the output registers. After it `hasSample` is false until the next sample.
  static func readOutputs(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch)
    throws(ChipError)

  /// Reads a sample from the output registers if one is available. By default it checks
  /// `hasSample`, unless an edge has signalled the sample. Lost samples are then counted from the
  /// elapsed time.
  static func readSample(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus

  /// Returns the longest time between two steps of a chip. By default it is 100 ms, half of the 200
  /// ms within which a fault must be detected; in low power it is two periods.
  static func longestWait(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> TimeSpan

  /// The retry limit: the number of consecutive failed steps after which the driver starts again,
  /// with identification and a reset.
  static var patience: Int { get }

  /// The address of the register from which the FIFO is read.
  static var queuePort: UInt8 { get }

  /// The address of the first of two registers with the number of bytes in the FIFO, high byte
  /// first. The FIFO's data register follows them. 0 if the fill level is read in another way.
  static var queueCount: UInt8 { get }

  /// True if a FIFO with a byte count also has a watermark. It is then read at the watermark,
  /// unless the line signals each sample.
  static var hasWatermark: Bool { get }

  /// Returns the size in bytes of a FIFO with a byte count.
  static func queueSize(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Int

  /// Returns the size in bytes of a sample in the FIFO.
  static func queueFrameSize(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Int

  /// Reads the fill level of a FIFO with a watermark.
  static func lookAtQueue(_ driver: inout RegisterDriver<Self, some ChipBus>)
    throws(ChipError) -> QueueLook

  /// Returns the address from which the FIFO is read now: `queuePort`, or another one that the chip
  /// has.
  static func port(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> UInt8

  /// Writes what a decoder needs into the batch's format, for frames from the FIFO and from
  /// registers. If a FIFO frame is not a sample, it sets `frames` to the number of frames before
  /// that frame.
  static func describe(
    _ batch: inout RawBatch, of driver: borrowing RegisterDriver<Self, some ChipBus>)

  /// True if `describe` checks whether frames are samples.
  static var checksFrames: Bool { get }

  /// True if an interrupted read of the FIFO can end inside a sample, so that the FIFO must be
  /// emptied.
  static var losesPlace: Bool { get }

  /// Updates the chip's state when the driver starts again. A transfer or measurement in progress
  /// is lost.
  static func lose(_ driver: inout RegisterDriver<Self, some ChipBus>, _ error: ChipError)

  /// Puts the chip to sleep.
  static func sleep(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)
}

/// The outcome of a poll for a sample.
public struct SampleStatus: BitwiseCopyable {
  /// True if a sample was read.
  public var isReady: Bool
  /// True if the chip reports that earlier samples were overwritten.
  public var isOverrun: Bool
  /// The time at which the chip reported the sample, if the sample was read in a later transfer;
  /// `nil` if both were in one transfer.
  public var seen: Timestamp?

  public init(isReady: Bool, isOverrun: Bool = false, seen: Timestamp? = nil) {
    self.isReady = isReady
    self.isOverrun = isOverrun
    self.seen = seen
  }
}

/// A decoder for one batch. Values that the batch's frames share are computed once.
public protocol FrameDecoder {
  associatedtype Codes: ChipConfiguration

  /// Creates the decoder for any batch, from the batch's format.
  init(_ batch: borrowing RawBatch)

  /// Creates the decoder for a batch from a driver with `codes`, over a connection with
  /// `abilities`.
  init(_ batch: borrowing RawBatch, of codes: Codes, with abilities: DriverAbilities)

  /// Returns the physical values of one frame, in the chip's axes.
  func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading

  /// Calls `body` with the physical values of every frame, oldest first.
  func readings(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void)
}

extension FrameDecoder {
  @inlinable @inline(__always)
  public init(_ batch: borrowing RawBatch, of codes: Codes, with abilities: DriverAbilities) {
    self.init(batch)
  }

  // This function is inlined into the chip's module, so that the loop calls `reading` directly.
  @inlinable @inline(__always)
  public func readings(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    for frame in 0..<batch.frames { body(reading(batch, frame)) }
  }

  /// Returns the physical values of one frame in a batch, from the batch's format.
  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    Self(batch).reading(batch, frame)
  }
}

// Defaults that suit most chips, and defaults for features that a chip does not have.
extension RegisterChip {
  @inlinable @inline(__always)
  public static var wireFormat: WireFormat { WireFormat() }

  public static func channels(of codes: Codes, with abilities: DriverAbilities) -> ChannelSet {
    channels
  }

  public static func range(of channel: Channel, at index: Int) -> Scalar? { nil }

  public static func range(of channel: Channel, at index: Int, of codes: Codes) -> Scalar? {
    range(of: channel, at: index)
  }

  public static func rate(at index: Int) -> Scalar? { nil }

  public static func rate(at index: Int, of codes: Codes) -> Scalar? { rate(at: index) }

  public static var detections: DetectionSet { [] }

  public static func detections(of codes: Codes) -> DetectionSet { detections }

  @inlinable @inline(__always)
  public static func attend(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) -> Bool { try driver.verifyInTurn(at: now) }

  @inlinable @inline(__always)
  public static func run(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) { try driver.readSamples(event, into: &batch) }

  @inlinable @inline(__always)
  public static func drainQueue(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) { try driver.drainQueue(event, at: now, into: &batch) }

  @inlinable @inline(__always)
  public static func rest(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> NextStep {
    driver.nextWake()
  }

  public static func hasSample(
    _ driver: inout RegisterDriver<Self, some ChipBus>
  ) throws(ChipError) -> Bool { false }

  public static func readOutputs(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {}

  @inlinable
  public static func readSample(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    if !driver.isTold {
      guard try hasSample(&driver) else { return SampleStatus(isReady: false) }
    }
    // The sample was available at the edge, or else at the poll.
    let seen = driver.isTold ? driver.lastStep : driver.now
    try readOutputs(&driver, into: &batch)
    return SampleStatus(
      isReady: true, isOverrun: driver.clock.samplesElapsed(at: seen) > 1, seen: seen)
  }

  @inlinable @inline(__always)
  public static func longestWait(
    _ driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> TimeSpan { driver.isLowPower ? driver.clock.measuredPeriod * 2 : .milliseconds(100) }

  public static func flush(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) { _ = try readSample(&driver, into: &batch) }

  @inlinable @inline(__always)
  public static func heldLine(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> Line? { driver.line(index) }

  @inlinable @inline(__always)
  public static var runningLine: Int { 0 }

  @inlinable @inline(__always)
  public static var catchesUp: Bool { false }

  @inlinable @inline(__always)
  public static var patience: Int { 3 }

  @inlinable @inline(__always)
  public static var queuePort: UInt8 { 0 }

  @inlinable @inline(__always)
  public static var queueCount: UInt8 { 0 }

  @inlinable @inline(__always)
  public static var hasWatermark: Bool { false }

  @inlinable @inline(__always)
  public static func queueSize(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Int { 0 }

  @inlinable @inline(__always)
  public static func queueFrameSize(
    of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> Int { 1 }

  public static func lookAtQueue(
    _ driver: inout RegisterDriver<Self, some ChipBus>
  ) throws(ChipError) -> QueueLook { QueueLook(waiting: 0) }

  @inlinable @inline(__always)
  public static func port(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> UInt8 {
    queuePort
  }

  @inlinable @inline(__always)
  public static func describe(
    _ batch: inout RawBatch, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) {}

  @inlinable @inline(__always)
  public static var checksFrames: Bool { false }

  @inlinable @inline(__always)
  public static var losesPlace: Bool { false }

  @inlinable @inline(__always)
  public static func lose(_ driver: inout RegisterDriver<Self, some ChipBus>, _ error: ChipError) {}
}

extension RegisterChip where Codes: ListedCodes, Line == Codes.Line {
  @inlinable
  public static func line(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> Line? { driver.configuration.line(index) }
}
