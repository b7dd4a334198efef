// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The interface of every driver for the layers above it.
///
/// A driver owns the connection to its chip and is a state machine: it never sleeps and never waits
/// in a loop for the chip. Its owner calls `step` at the times that `step` returns and at every
/// interrupt edge, always from the same thread. A step returns raw bytes in a `RawBatch`; `decode`
/// converts these bytes to physical values and has no side effects.
public protocol SensorDriver: ~Copyable {
  /// The channels that the chip samples.
  var channels: ChannelSet { get }

  /// Returns the chip's full-scale ranges for `channel`, smallest first, in the channel's unit;
  /// `nil` after the last range.
  func range(of channel: Channel, at index: Int) -> Scalar?

  /// Returns the chip's output data rates in Hz, fastest first; `nil` after the last rate.
  func rate(at index: Int) -> Scalar?

  /// Chooses the nearest settings that the chip supports and returns them. The settings take effect
  /// at the next `start`. Throws `unsupportedSetting` for a rate or range that is not positive and
  /// finite.
  mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings

  /// Requests sampling. The following calls of `step` start the chip.
  mutating func start()

  /// Puts the chip to sleep immediately. May be called in any state, and after an error.
  mutating func stop() throws(ChipError)

  /// Performs the next step and returns when to call `step` again. Appends data to `batch`, which
  /// the caller has emptied. After an error the next `step` starts the chip again, with
  /// identification and a reset.
  mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> NextStep

  /// Returns the physical values of one frame in a batch from this driver, in the chip's axes.
  func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading

  /// Calls `body` with the physical values of every frame, oldest first. Values that frames share
  /// are computed once.
  func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void)

  var health: Health { get }

  /// The current time, on the clock of the chip's bus.
  var now: Timestamp { get }

  /// The identity that was last read from the chip; `nil` before the first read.
  var identity: UInt8? { get }

  /// The events that the chip can detect.
  var detections: DetectionSet { get }

  /// Requests the manufacturer's self-test instead of sampling. The following calls of `step`
  /// perform the self-test, until a call returns `never`. Then `selfTest` contains the results, and
  /// the chip sleeps without its configuration. The chip must lie still during the test. Throws
  /// `unsupportedSetting` if the chip has no self-test.
  mutating func startSelfTest() throws(ChipError)

  /// The results of the last self-test; `nil` until it is finished.
  var selfTest: SelfTestReport? { get }
}

extension SensorDriver where Self: ~Copyable {
  public func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    for frame in 0..<batch.frames { body(decode(batch, frame: frame)) }
  }

  public var detections: DetectionSet { [] }
  public mutating func startSelfTest() throws(ChipError) { throw .unsupportedSetting }
  public var selfTest: SelfTestReport? { nil }
}

/// The reason for a call of a driver's `step`.
public struct Event: Sendable, BitwiseCopyable {
  /// The number of data-ready or watermark edges since the last call of `step`. `edgeTime` is the
  /// time of the newest edge.
  public var edges: Int
  public var edgeTime: Timestamp

  public init(edges: Int, edgeTime: Timestamp) {
    self.edges = edges
    self.edgeTime = edgeTime
  }

  /// The event for a step at its scheduled time, without an interrupt edge.
  public static var due: Event { Event(edges: 0, edgeTime: .zero) }
}

/// The condition for the next call of a driver's `step`.
public enum NextStep: Equatable, Sendable {
  /// The driver's next step is due when this time span has passed since the end of the current
  /// step.
  case after(TimeSpan)
  /// The driver's next step is due at this time.
  case at(Timestamp)
  /// The driver's next step is due at the next edge of the interrupt line, or at this time if no
  /// edge comes.
  case onInterrupt(until: Timestamp)
  /// No step of the driver is due until the next `start`.
  case never
}
