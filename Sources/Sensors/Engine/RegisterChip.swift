// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A kind of chip, as `RegisterDriver` has to know it: what it can, how it starts, what its registers shall
/// hold, how a sample is read. A value of this type is what a driver remembers of its chip beside what it
/// remembers of any.
///
/// Functions that are given the driver use its bus, and leave phases, errors, counters and times to it.
public protocol RegisterChip {
  associatedtype Codes: ChipCodes
  associatedtype Decoder: FrameDecoder where Decoder.Codes == Codes
  /// The lines of its configuration: plain registers, but for chips with banks or words.
  associatedtype Line: ConfigurationLine = RegisterValue

  /// Makes what is known of a chip that was never started.
  init()

  /// Returns what a driver set to `codes` samples over a connection with `abilities`.
  static func channels(of codes: Codes, with abilities: DriverAbilities) -> ChannelSet

  /// As `SensorDriver.range(of:at:)`: full scales, the smallest first.
  static func range(of channel: Channel, at index: Int) -> Scalar?

  /// The same of a driver set to `codes`.
  static func range(of channel: Channel, at index: Int, of codes: Codes) -> Scalar?

  /// As `SensorDriver.rate(at:)`, the fastest first: of normal power.
  static func rate(at index: Int) -> Scalar?

  /// The same of a driver set to `codes`.
  static func rate(at index: Int, of codes: Codes) -> Scalar?

  /// As `SensorDriver.detections`.
  static var detections: DetectionSet { get }

  /// The same of a driver set to `codes`.
  static func detections(of codes: Codes) -> DetectionSet

  /// Task `index` of those that lead from power-up to a chip that is configured; the last is `done`.
  static func start<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, at index: Int
  ) throws(ChipError) -> ChipTask

  /// Line `index` of the configuration that is written at start and compared while running; `nil` past the
  /// last.
  static func line<Bus: RegisterBus & ~Copyable>(
    _ index: Int, of driver: borrowing RegisterDriver<Self, Bus>
  ) -> Line?

  /// The line without which there is not one sample: what a chip that lost its supply lacks.
  static var runningLine: Int { get }

  /// Line `index` of what holds while running and is compared then; `nil` past the last. The configuration,
  /// where no more is to be said.
  static func heldLine<Bus: RegisterBus & ~Copyable>(
    _ index: Int, of driver: borrowing RegisterDriver<Self, Bus>
  ) -> Line?

  /// From one line to the next to be compared while running.
  static var verification: TimeSpan { get }

  /// All lines that are due are compared at once, neighbours in one burst, and not one at each look.
  static var catchesUp: Bool { get }

  /// Forgets what the chip took before it was configured as it is.
  static func flush<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, into batch: inout RawBatch
  ) throws(ChipError)

  /// Does what is due of a running chip: compares its configuration and reads its samples.
  static func run<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError)

  /// Says when a running chip is to be seen to again.
  static func rest<Bus: RegisterBus & ~Copyable>(_ driver: borrowing RegisterDriver<Self, Bus>)
    -> Wake

  /// Reads a sample out of the registers, if there is one.
  static func readSample<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus

  /// The longest that a chip is left alone.
  static func longestWait<Bus: RegisterBus & ~Copyable>(
    _ driver: borrowing RegisterDriver<Self, Bus>
  ) -> TimeSpan

  /// So many steps in a row may fail before the driver begins again with identity and reset.
  static var patience: Int { get }

  /// The register out of which the queue is read, where there is one.
  static var queuePort: UInt8 { get }

  /// A read of the queue that broke off leaves it in the middle of a sample, so that it is to be emptied.
  static var losesPlace: Bool { get }

  /// A flush that was refused is done again, and the chip not reset for it.
  static var retriesFlush: Bool { get }

  /// Takes note of an error.
  static func note<Bus: RegisterBus & ~Copyable>(
    _ error: ChipError, of driver: inout RegisterDriver<Self, Bus>)

  /// Takes note that the driver begins anew, after an error with what was under way.
  static func lose<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, _ error: ChipError)

  /// Puts the chip to sleep.
  static func sleep<Bus: RegisterBus & ~Copyable>(_ driver: inout RegisterDriver<Self, Bus>)
    throws(ChipError)

  /// The maker has given it a self-test.
  static var hasSelfTest: Bool { get }

  /// Task `index` of the self-test, which begins where a start would `configure`, and whose last is `end`.
  static func trial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, at index: Int
  ) throws(ChipError) -> ChipTask

  /// Reads a sample for the self-test's task `index`, which collects, if there is one, and adds it to the
  /// driver's `trial`.
  static func readTrial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError)

  /// Returns what a self-test found that has ended.
  static func report<Bus: RegisterBus & ~Copyable>(of driver: borrowing RegisterDriver<Self, Bus>)
    -> SelfTestReport
}

/// The outcome of a look for a sample.
public struct SampleStatus: BitwiseCopyable {
  /// There was one.
  public var isReady: Bool
  /// The chip says that others were there before it.
  public var isOverrun: Bool
  /// The moment at which the chip had said so, where the sample itself is asked for afterwards;
  /// `nil`: both came at once.
  public var seen: Timestamp?

  public init(isReady: Bool, isOverrun: Bool = false, seen: Timestamp? = nil) {
    self.isReady = isReady
    self.isOverrun = isOverrun
    self.seen = seen
  }
}

/// The meaning of a batch's frames: what they share, worked out once.
public protocol FrameDecoder {
  associatedtype Codes: ChipCodes

  /// Of any batch, by what it says itself.
  init(_ batch: borrowing RawBatch)

  /// Of a batch that a driver set to `codes` made, over a connection with `abilities`.
  init(_ batch: borrowing RawBatch, of codes: Codes, with abilities: DriverAbilities)

  /// The physical values of one frame, in the chip's axes.
  func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading

  /// The same of every frame, oldest first.
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

  /// The physical values of one frame of a batch, by what the batch says itself.
  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    Self(batch).reading(batch, frame)
  }
}

// What most chips do, and what is not there.
extension RegisterChip {
  public static func range(of channel: Channel, at index: Int) -> Scalar? { nil }

  public static func range(of channel: Channel, at index: Int, of codes: Codes) -> Scalar? {
    range(of: channel, at: index)
  }

  public static func rate(at index: Int) -> Scalar? { nil }

  public static func rate(at index: Int, of codes: Codes) -> Scalar? { rate(at: index) }

  public static var detections: DetectionSet { [] }

  public static func detections(of codes: Codes) -> DetectionSet { detections }

  @inlinable @inline(__always)
  public static func run<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    // Before the read: what was read must not be lost with the error.
    try driver.verifyInTurn(at: driver.now)
    try driver.readRegisters(event, into: &batch)
  }

  @inlinable @inline(__always)
  public static func rest<Bus: RegisterBus & ~Copyable>(
    _ driver: borrowing RegisterDriver<Self, Bus>
  ) -> Wake { driver.restingWake }

  public static func readSample<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus { SampleStatus(isReady: false) }

  @inlinable @inline(__always)
  public static func longestWait<Bus: RegisterBus & ~Copyable>(
    _ driver: borrowing RegisterDriver<Self, Bus>
  ) -> TimeSpan { .seconds(1) }

  @inlinable @inline(__always)
  public static func heldLine<Bus: RegisterBus & ~Copyable>(
    _ index: Int, of driver: borrowing RegisterDriver<Self, Bus>
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
  public static var losesPlace: Bool { false }

  @inlinable @inline(__always)
  public static var retriesFlush: Bool { losesPlace }

  @inlinable @inline(__always)
  public static func note<Bus: RegisterBus & ~Copyable>(
    _ error: ChipError, of driver: inout RegisterDriver<Self, Bus>
  ) {}

  @inlinable @inline(__always)
  public static func lose<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, _ error: ChipError
  ) {}

  @inlinable @inline(__always)
  public static var hasSelfTest: Bool { false }

  public static func trial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, at index: Int
  ) throws(ChipError) -> ChipTask { .end }

  public static func readTrial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {}

  public static func report<Bus: RegisterBus & ~Copyable>(
    of driver: borrowing RegisterDriver<Self, Bus>
  ) -> SelfTestReport { SelfTestReport() }
}
