// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A kind of chip, as `RegisterDriver` has to know it: its abilities, its start, the contents of
/// its registers, the way to read a sample. A value of this type is a driver's memory of its chip
/// besides the state that drivers have in common.
///
/// Functions that are given the driver use its bus, and leave phases, errors, counters and times to
/// it.
public protocol RegisterChip {
  associatedtype Codes: ChipCodes
  associatedtype Decoder: FrameDecoder where Decoder.Codes == Codes
  /// The lines of its configuration: plain registers, but for chips with banks or words.
  associatedtype Line: ConfigurationLine = RegisterValue

  /// Creates the state of a chip that was never started.
  init()

  /// The bits of its addresses on each wire; by default none, as most advance an address by
  /// themselves.
  static var wireFormat: WireFormat { get }

  /// The channels that the chip samples.
  static var channels: ChannelSet { get }

  /// Returns those that a driver set to `codes` samples over a connection with `abilities`.
  static func channels(of codes: Codes, with abilities: DriverAbilities) -> ChannelSet

  /// Returns the chip's full scales, as `SensorDriver.range(of:at:)` does, the smallest first.
  static func range(of channel: Channel, at index: Int) -> Scalar?

  /// Returns the full scales of a driver set to `codes`.
  static func range(of channel: Channel, at index: Int, of codes: Codes) -> Scalar?

  /// Returns the chip's rates of normal power, as `SensorDriver.rate(at:)` does, the fastest first.
  static func rate(at index: Int) -> Scalar?

  /// Returns the rates of a driver set to `codes`.
  static func rate(at index: Int, of codes: Codes) -> Scalar?

  /// The events that the chip can detect, as in `SensorDriver.detections`.
  static var detections: DetectionSet { get }

  /// Returns the detections of a driver set to `codes`.
  static func detections(of codes: Codes) -> DetectionSet

  /// Returns task `index` of those that lead from power-up to a chip that is configured; the last
  /// is `done`.
  static func start(_ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int)
    throws(ChipError) -> ChipTask

  /// Returns line `index` of the configuration that is written at start and compared while running;
  /// `nil` past the last.
  static func line(_ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Line?

  /// The held line without which there are no samples: it is missing in a chip that lost its
  /// supply.
  static var runningLine: Int { get }

  /// Returns line `index` of the lines that hold while running and are compared then; `nil` past
  /// the last. By default the configuration.
  static func heldLine(_ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>)
    -> Line?

  /// The time from one comparison of a line while running to the next.
  static var verification: TimeSpan { get }

  /// True where all lines that are due are compared at once, neighbours in one burst, and not one
  /// at each look.
  static var catchesUp: Bool { get }

  /// Discards samples that the chip took before it was configured as it is, by default the one in
  /// the registers, which also lowers a data-ready pin.
  static func flush(_ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch)
    throws(ChipError)

  /// Does what is due of a running chip beside its samples, and before them: what was read must not
  /// be lost with an error. By default compares its configuration. Returns true where that took
  /// time.
  static func attend(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) -> Bool

  /// Does the work that is due of a running chip: attends to it and reads its samples.
  static func run(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch)
    throws(ChipError)

  /// Takes samples out of a running chip's queue: by default as many as batch and bus take at once.
  static func drainQueue(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch) throws(ChipError)

  /// Returns the time at which a running chip needs its next step.
  static func rest(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> Wake

  /// Tells whether the registers hold a sample that was not read yet.
  static func hasSample(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)
    -> Bool

  /// Reads the registers of a sample, which takes away what `hasSample` tells.
  static func readOutputs(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch)
    throws(ChipError)

  /// Reads a sample out of the registers, if there is one. By default asks whether there is where
  /// no edge has told it, and reads the outputs; time tells whether others were there before it.
  static func readSample(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus

  /// Returns the longest time that a chip is left alone. By default half of the 200 ms in which a
  /// fault is to be found, in low power two periods.
  static func longestWait(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> TimeSpan

  /// The number of steps in a row that may fail before the driver begins again with identity and
  /// reset.
  static var patience: Int { get }

  /// The register out of which the queue is read, where there is one.
  static var queuePort: UInt8 { get }

  /// The first of two registers that count the bytes in a queue, high byte first, and behind which
  /// stands its port; 0 where its fill is looked up otherwise.
  static var queueCount: UInt8 { get }

  /// True where a queue that counts bytes has a watermark too, and is read by that where its line
  /// does not announce each sample.
  static var hasWatermark: Bool { get }

  /// Returns the bytes that a queue which counts them holds.
  static func queueSize(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Int

  /// Returns the bytes of a sample in the queue.
  static func queueFrameSize(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Int

  /// Looks up how full a queue with a watermark is.
  static func lookAtQueue(_ driver: inout RegisterDriver<Self, some ChipBus>)
    throws(ChipError) -> QueueLook

  /// Returns `queuePort`, or another of the chip's ports that is read now.
  static func port(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> UInt8

  /// Writes into the batch's format what gives its frames meaning, whether from the queue or from
  /// registers. Where one out of the queue is no sample, `frames` becomes the number of those
  /// before.
  static func describe(
    _ batch: inout RawBatch, of driver: borrowing RegisterDriver<Self, some ChipBus>)

  /// True where `describe` looks for frames that are none.
  static var checksFrames: Bool { get }

  /// True where a read of the queue that broke off leaves it in the middle of a sample, so that it
  /// is to be emptied.
  static var losesPlace: Bool { get }

  /// Takes note of an error.
  static func note(_ error: ChipError, of driver: inout RegisterDriver<Self, some ChipBus>)

  /// Takes note that the driver begins anew, after an error with what was under way.
  static func lose(_ driver: inout RegisterDriver<Self, some ChipBus>, _ error: ChipError)

  /// Puts the chip to sleep.
  static func sleep(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)

  /// True where the maker has given it a self-test.
  static var hasSelfTest: Bool { get }

  /// Returns task `index` of the self-test, which begins where a start would `configure`, and whose
  /// last is `end`.
  static func trial(_ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int)
    throws(ChipError) -> ChipTask

  /// Reads a sample, if there is one, for the self-test's collecting task `index`, and adds it to
  /// the driver's `trial`.
  static func readTrial(
    _ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int, into batch: inout RawBatch)
    throws(ChipError)

  /// Returns the results of a self-test that has ended.
  static func report(of driver: borrowing RegisterDriver<Self, some ChipBus>) -> SelfTestReport
}

/// The outcome of a look for a sample.
public struct SampleStatus: BitwiseCopyable {
  /// True where there was a sample.
  public var isReady: Bool
  /// True where the chip says that others were there before it.
  public var isOverrun: Bool
  /// The moment at which the chip had announced the sample, where the sample itself is read
  /// afterwards; `nil` where both came at once.
  public var seen: Timestamp?

  public init(isReady: Bool, isOverrun: Bool = false, seen: Timestamp? = nil) {
    self.isReady = isReady
    self.isOverrun = isOverrun
    self.seen = seen
  }
}

/// A batch's decoder: the facts that its frames share, worked out once.
public protocol FrameDecoder {
  associatedtype Codes: ChipCodes

  /// Creates the decoder of any batch, by the batch's own format.
  init(_ batch: borrowing RawBatch)

  /// Creates the decoder of a batch that a driver set to `codes` made, over a connection with
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

  // Inlined where a chip's module says that it is one: a loop that knows what it calls.
  @inlinable @inline(__always)
  public func readings(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    for frame in 0..<batch.frames { body(reading(batch, frame)) }
  }

  /// Returns the physical values of one frame of a batch, by the batch's own format.
  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    Self(batch).reading(batch, frame)
  }
}

// What most chips do, and what is not there.
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
  public static func rest(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> Wake {
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
    // It was there when it was told, or asked for.
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
