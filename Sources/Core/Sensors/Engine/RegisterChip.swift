// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The description of a kind of chip for `RegisterDriver`: its abilities, its start sequence, its
/// register contents and how to read a sample. A value of this type holds the chip-specific part of
/// a driver's state.
///
/// A chip's type conforms to the refinement of this protocol for the way in which the chip is read:
/// `SampledChip`, `ReadyFlagChip`, `TabledChip` or `SingleShotChip`. Features that only some chips
/// have are nested types: `Queue` and `SelfTest`.
///
/// Functions with a driver parameter use the driver's bus. The driver itself handles phases,
/// errors, counters and times.
public protocol RegisterChip {
  associatedtype Codes: ChipConfiguration
  associatedtype Decoder: FrameDecoder where Decoder.Codes == Codes
  /// The type of the configuration's register writes: plain registers, or another type for chips
  /// with register banks or words.
  associatedtype Row: ConfigurationRow = RegisterValue
  /// The steps of the chip's start sequence, from power-up to a configured chip.
  associatedtype StartStep: ChipStep
  /// The chip's FIFO; `NoQueue` if the chip has none.
  associatedtype Queue: ChipQueue = NoQueue<Self> where Queue.Chip == Self
  /// The manufacturer's self-test for the chip; `NoSelfTest` if the chip has no self-test.
  associatedtype SelfTest: ChipSelfTest = NoSelfTest<Self> where SelfTest.Chip == Self

  /// Creates the driver's state before the first start.
  init()

  /// The transfer format on each bus. The default sets no bits, because most chips increment
  /// addresses automatically.
  static var wireFormat: WireFormat { get }

  /// The channels that the chip samples.
  static var channels: ChannelSet { get }

  /// Returns the channels of a driver with the register codes `codes` over a connection with
  /// `abilities`; by default all channels.
  static func channels(of codes: Codes, with abilities: DriverAbilities) -> ChannelSet

  /// Returns the full scales in the channel's unit, smallest first, for a driver with the register
  /// codes `codes`; by default `nil`. See `SensorDriver.range(of:at:)`.
  static func range(of channel: Channel, at index: Int, of codes: Codes) -> Scalar?

  /// Returns the rates in Hz, fastest first, for a driver with the register codes `codes`; see
  /// `SensorDriver.rate(at:)`.
  static func rate(at index: Int, of codes: Codes) -> Scalar?

  /// Returns the events that a driver with the register codes `codes` can detect; by default none.
  /// See `SensorDriver.detections`.
  static func detections(of codes: Codes) -> DetectionSet

  /// Returns what the engine does in a step of the start sequence.
  static func start(_ driver: inout RegisterDriver<Self, some ChipBus>, at step: StartStep)
    throws(ChipError) -> StepAction

  /// Returns the register write at `index` of the configuration sequence, which is written at
  /// start; `nil` after the last write.
  static func row(_ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>) -> Row?

  /// Returns the register contents at `index` that are verified while the chip runs; `nil` after
  /// the last register. By default these are the contents that the configuration writes.
  static func verifiedRow(_ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>)
    -> Row?

  /// The way in which the registers of `verifiedRow` are verified while the chip runs.
  static var verification: Verification { get }

  /// Discards samples that were taken before the current configuration.
  static func discardOldSamples(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch)
    throws(ChipError)

  /// Does the work that is due on a running chip, and reads samples.
  static func run(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch)
    throws(ChipError)

  /// Returns when a running chip needs its next step.
  static func nextStep(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> NextStep

  /// Returns the longest time between two steps of a chip. By default this time is 100 ms, half of
  /// the 200 ms within which a fault must be detected; in low power the time is two sample periods.
  static func longestWait(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> TimeSpan

  /// The retry limit: the number of consecutive failed steps after which the driver starts again,
  /// with identification and a reset. By default 3.
  static var retryLimit: Int { get }

  /// Writes what a decoder needs into the batch's format, for frames from the FIFO and from
  /// registers. If a FIFO frame is not a sample, the function sets `frames` to the number of frames
  /// before that frame. By default this function does nothing.
  static func describe(
    _ batch: inout RawBatch, of driver: borrowing RegisterDriver<Self, some ChipBus>)

  /// Updates the chip's state when the driver starts again. A transfer or measurement in progress
  /// is lost. By default this function does nothing.
  static func noteRestart(_ driver: inout RegisterDriver<Self, some ChipBus>, _ error: ChipError)

  /// Puts the chip to sleep.
  static func sleep(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)
}

/// The way in which the driver verifies the registers of `verifiedRow` while the chip runs.
public struct Verification: Sendable, BitwiseCopyable {
  /// The interval at which one configuration register is verified.
  public var interval: TimeSpan
  /// The index in `verifiedRow` of the register that enables sampling. A supply failure clears this
  /// register.
  public var runningRow: Int
  /// True if all due configuration registers are verified in one poll, adjacent registers in one
  /// burst. If false, each poll verifies one register.
  public var catchesUp: Bool

  @inlinable @inline(__always)
  public init(every interval: TimeSpan, runningRow: Int = 0, catchesUp: Bool = false) {
    self.interval = interval
    self.runningRow = runningRow
    self.catchesUp = catchesUp
  }
}

// Default implementations for requirements that most chips share.
extension RegisterChip {
  @inlinable @inline(__always)
  public static var wireFormat: WireFormat { WireFormat() }

  public static func channels(of codes: Codes, with abilities: DriverAbilities) -> ChannelSet {
    channels
  }

  public static func range(of channel: Channel, at index: Int, of codes: Codes) -> Scalar? { nil }

  public static func detections(of codes: Codes) -> DetectionSet { [] }

  /// Returns the chip's full scale with number `index`, for the default register codes.
  public static func range(of channel: Channel, at index: Int) -> Scalar? {
    range(of: channel, at: index, of: Codes())
  }

  /// Returns the chip's output rate with number `index` in normal power mode.
  public static func rate(at index: Int) -> Scalar? { rate(at: index, of: Codes()) }

  /// The events that the chip can detect.
  public static var detections: DetectionSet { detections(of: Codes()) }

  @inlinable @inline(__always)
  public static func verifiedRow(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> Row? { driver.row(index) }

  @inlinable @inline(__always)
  public static func longestWait(
    _ driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> TimeSpan { driver.isLowPower ? driver.clock.measuredPeriod * 2 : .milliseconds(100) }

  @inlinable @inline(__always)
  public static var retryLimit: Int { 3 }

  @inlinable @inline(__always)
  public static func describe(
    _ batch: inout RawBatch, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) {}

  @inlinable @inline(__always)
  public static func noteRestart(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ error: ChipError
  ) {}
}

extension RegisterChip where Codes: ListedCodes, Row == Codes.Row {
  @inlinable
  public static func row(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> Row? { driver.configuration.row(index) }
}
