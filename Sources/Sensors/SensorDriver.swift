// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The interface of every driver, which everything above uses.
///
/// A driver owns the connection to its chip and is a state machine: it never sleeps and never loops
/// on the chip. Its owner calls `step` at the moments that `step` asks for, and again at every
/// interrupt edge, always from one thread. Raw bytes leave in a `RawBatch`; `decode` turns them
/// into physical values and is pure.
public protocol SensorDriver: ~Copyable {
  /// The channels that the chip samples.
  var channels: ChannelSet { get }

  /// Returns the chip's full-scale ranges for `channel`, smallest first, in the channel's unit;
  /// `nil` past the last.
  func range(of channel: Channel, at index: Int) -> Scalar?

  /// Returns the chip's output data rates in Hz, fastest first; `nil` past the last.
  func rate(at index: Int) -> Scalar?

  /// Chooses the nearest settings that the chip has and returns them. Takes effect at the next
  /// `start`. Throws `unsupportedSetting` for a rate or range that is not positive and finite.
  mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings

  /// Asks for sampling to begin; the work is done by the following calls of `step`.
  mutating func start()

  /// Puts the chip to sleep, at once. May be called in any state, and after an error.
  mutating func stop() throws(ChipError)

  /// Does the next piece of work and returns the time of the next. Appends what was read to
  /// `batch`, which the caller has emptied. After an error the driver starts over with identity and
  /// reset at the next `step`.
  mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake

  /// Returns the physical values of one frame of a batch that this driver made, in the chip's axes.
  func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading

  /// Calls `body` with the physical values of every frame, oldest first: what they share is worked
  /// out once.
  func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void)

  var health: Health { get }

  /// The present time, on the clock of the chip's bus.
  var now: Timestamp { get }

  /// The identity that the chip gave when it was last asked; `nil` before.
  var identity: UInt8? { get }

  /// The events that the chip can detect by itself.
  var detections: DetectionSet { get }

  /// Asks for the maker's self-test instead of sampling; the work is done by the following calls of
  /// `step`, until one returns `never`: then `selfTest` has the outcome and the chip sleeps, its
  /// configuration gone. The chip must lie still. Throws `unsupportedSetting` where the chip has
  /// none.
  mutating func startSelfTest() throws(ChipError)

  /// The results of the last self-test; `nil` until it is over.
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

/// The reason why a driver is called now.
public struct Event: Sendable, BitwiseCopyable {
  /// The number of data-ready or watermark edges since the last call; the newest is at `edgeTime`.
  public var edges: Int
  public var edgeTime: Timestamp

  public init(edges: Int, edgeTime: Timestamp) {
    self.edges = edges
    self.edgeTime = edgeTime
  }

  /// The event of the time that the driver asked for.
  public static var due: Event { Event(edges: 0, edgeTime: .zero) }
}

/// The time at which a driver is to be called again.
public enum Wake: Equatable, Sendable {
  /// Not before this long from the end of the step.
  case after(TimeSpan)
  /// At this moment.
  case at(Timestamp)
  /// At the next edge of its interrupt line, or at this moment if none comes.
  case onInterrupt(until: Timestamp)
  /// Not until it is started.
  case never
}
