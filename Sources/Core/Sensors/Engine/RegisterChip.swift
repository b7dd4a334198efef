// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A kind of chip for `RegisterDriver`: its abilities, start sequence, register contents and how to
/// read a sample. A value of this type holds the chip's state in the driver, in addition to the
/// state that all drivers share.
///
/// Functions with a driver parameter use its bus, and leave phases, errors, counters and times to
/// the driver.
public protocol RegisterChip {
  associatedtype Codes: ChipConfiguration
  associatedtype Decoder: FrameDecoder where Decoder.Codes == Codes
  /// The type of the configuration's rows: plain registers, except for chips with banks or words.
  associatedtype Line: ConfigurationLine = RegisterValue

  /// Creates the state before the first start.
  init()

  /// The address encoding on each bus. The default sets no bits: most chips increment addresses
  /// automatically.
  static var wireFormat: WireFormat { get }

  /// The channels that the chip samples.
  static var channels: ChannelSet { get }

  /// Returns the channels of a driver with `codes` over a connection with `abilities`.
  static func channels(of codes: Codes, with abilities: DriverAbilities) -> ChannelSet

  /// Returns the chip's full scales, smallest first; see `SensorDriver.range(of:at:)`.
  static func range(of channel: Channel, at index: Int) -> Scalar?

  /// Returns the full scales for a driver with `codes`.
  static func range(of channel: Channel, at index: Int, of codes: Codes) -> Scalar?

  /// Returns the chip's rates in normal power mode, fastest first; see `SensorDriver.rate(at:)`.
  static func rate(at index: Int) -> Scalar?

  /// Returns the rates for a driver with `codes`.
  static func rate(at index: Int, of codes: Codes) -> Scalar?

  /// The events that the chip can detect; see `SensorDriver.detections`.
  static var detections: DetectionSet { get }

  /// Returns the detections of a driver with `codes`.
  static func detections(of codes: Codes) -> DetectionSet

  /// Returns step `index` of the start sequence from power-up to a configured chip; the last step
  /// is `done`.
  static func start(_ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int)
    throws(ChipError) -> ChipTask

  /// Returns row `index` of the configuration, which is written at start and verified while
  /// running; `nil` past the last.
  static func line(_ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Line?

  /// The index of the held row that enables sampling: a supply failure clears it.
  static var runningLine: Int { get }

  /// Returns row `index` of the register values that hold while running and are verified then;
  /// `nil` past the last. By default the configuration.
  static func heldLine(_ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>)
    -> Line?

  /// The interval at which rows are verified while running.
  static var verification: TimeSpan { get }

  /// True if all due rows are verified at once, with adjacent registers in one burst, instead of
  /// one row per poll.
  static var catchesUp: Bool { get }

  /// Discards samples from before the current configuration: by default the sample in the output
  /// registers, whose read also clears a data-ready pin.
  static func flush(_ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch)
    throws(ChipError)

  /// Does the work of a running chip other than reading samples, by default verification. It comes
  /// before the samples, because an error must not lose samples that were already read. Returns
  /// true if that took time.
  static func attend(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) -> Bool

  /// Does the due work of a running chip: calls `attend` and reads samples.
  static func run(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch)
    throws(ChipError)

  /// Reads samples from a running chip's FIFO: by default as many as batch and bus allow at once.
  static func drainQueue(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch) throws(ChipError)

  /// Returns when a running chip needs its next step.
  static func rest(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> NextStep

  /// Returns true if the output registers hold an unread sample.
  static func hasSample(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)
    -> Bool

  /// Reads the output registers, which clears the condition of `hasSample`.
  static func readOutputs(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch)
    throws(ChipError)

  /// Reads a sample from the output registers, if one is available. By default it checks
  /// `hasSample` where no edge has signalled the sample, and reads the outputs; lost samples are
  /// then found from the time.
  static func readSample(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus

  /// Returns the longest time between two steps of a chip. By default 100 ms, half of the 200 ms
  /// within which a fault must be detected; in low power two periods.
  static func longestWait(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> TimeSpan

  /// The number of consecutive failed steps after which the driver restarts with identity and
  /// reset.
  static var patience: Int { get }

  /// The register from which the FIFO is read.
  static var queuePort: UInt8 { get }

  /// The first of two registers that count the bytes in a FIFO, high byte first, followed by the
  /// FIFO's port; 0 if the fill level is read otherwise.
  static var queueCount: UInt8 { get }

  /// True if a FIFO that counts bytes also has a watermark, and is read at its watermark unless
  /// the line signals each sample.
  static var hasWatermark: Bool { get }

  /// Returns the size in bytes of a FIFO that counts bytes.
  static func queueSize(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Int

  /// Returns the size in bytes of a sample in the FIFO.
  static func queueFrameSize(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Int

  /// Reads the fill level of a FIFO with a watermark.
  static func lookAtQueue(_ driver: inout RegisterDriver<Self, some ChipBus>)
    throws(ChipError) -> QueueLook

  /// Returns the port to read now: `queuePort`, or another port of the chip.
  static func port(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> UInt8

  /// Writes into the batch's format what a decoder needs, for frames from the FIFO and from
  /// registers. At a FIFO frame that is not a sample, `frames` becomes the number of frames before
  /// it.
  static func describe(
    _ batch: inout RawBatch, of driver: borrowing RegisterDriver<Self, some ChipBus>)

  /// True if `describe` checks for frames that are not samples.
  static var checksFrames: Bool { get }

  /// True if an interrupted FIFO read ends inside a sample, so that the FIFO must be emptied.
  static var losesPlace: Bool { get }

  /// Handles an error.
  static func note(_ error: ChipError, of driver: inout RegisterDriver<Self, some ChipBus>)

  /// Handles a restart of the driver; a transfer or measurement in progress is lost.
  static func lose(_ driver: inout RegisterDriver<Self, some ChipBus>, _ error: ChipError)

  /// Puts the chip to sleep.
  static func sleep(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)

  /// True if the manufacturer provides a self-test.
  static var hasSelfTest: Bool { get }

  /// Returns step `index` of the self-test. It replaces the `configure` step of a start, and its
  /// last step is `end`.
  static func trial(_ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int)
    throws(ChipError) -> ChipTask

  /// Reads a sample, if one is available, for collecting step `index` of the self-test, and adds it
  /// to the driver's `trial`.
  static func readTrial(
    _ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int, into batch: inout RawBatch)
    throws(ChipError)

  /// Returns the results of a finished self-test.
  static func report(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> SelfTestReport
}

/// The outcome of a poll for a sample.
public struct SampleStatus: BitwiseCopyable {
  /// True if a sample was read.
  public var isReady: Bool
  /// True if the chip reports that earlier samples were overwritten.
  public var isOverrun: Bool
  /// The time at which the chip reported the sample, where the sample is read in a later transfer;
  /// `nil` if both came in one transfer.
  public var seen: Timestamp?

  public init(isReady: Bool, isOverrun: Bool = false, seen: Timestamp? = nil) {
    self.isReady = isReady
    self.isOverrun = isOverrun
    self.seen = seen
  }
}

/// A decoder for one batch: the facts that its frames share are computed once.
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

  // Inlined into the chip's module, so that the loop calls `reading` directly.
  @inlinable @inline(__always)
  public func readings(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    for frame in 0..<batch.frames { body(reading(batch, frame)) }
  }

  /// Returns the physical values of one frame in a batch, from the batch's format.
  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    Self(batch).reading(batch, frame)
  }
}

// The defaults that most chips share, and those for features that a chip does not have.
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
    // The sample was available at the edge or at the poll.
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
  public static func note(_ error: ChipError, of driver: inout RegisterDriver<Self, some ChipBus>) {
  }

  @inlinable @inline(__always)
  public static func lose(_ driver: inout RegisterDriver<Self, some ChipBus>, _ error: ChipError) {}

  @inlinable @inline(__always)
  public static var hasSelfTest: Bool { false }

  public static func trial(
    _ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask { .end }

  public static func readTrial(
    _ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {}

  public static func report(
    of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> SelfTestReport { SelfTestReport() }
}

extension RegisterChip where Codes: ListedCodes, Line == Codes.Line {
  @inlinable
  public static func line(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> Line? { driver.configuration.line(index) }
}
