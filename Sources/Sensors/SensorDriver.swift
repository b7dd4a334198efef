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

/// A chip's measurement at one moment, in its own axes and signs: one decoded frame.
public struct ChipReading: ScalarReadings, Equatable, Sendable, BitwiseCopyable {
  public var channels: ChannelSet
  /// The specific force in g: +1 on the axis that points up when at rest.
  public var specificForce: Vector3
  /// The rotation rate in rad/s, right-handed.
  public var rotationRate: Vector3
  /// The magnetic field in microtesla.
  public var magneticField: Vector3
  public var scalars: ScalarValues

  @inlinable @inline(__always)
  public init(channels: ChannelSet = []) {
    self.channels = channels
    specificForce = .zero
    rotationRate = .zero
    magneticField = .zero
    scalars = ScalarValues()
  }

  /// The value of a channel; that of a single number is in x.
  public subscript(_ channel: Channel) -> Vector3 {
    get {
      switch channel {
      case .acceleration: specificForce
      case .rotationRate: rotationRate
      case .magneticField: magneticField
      default: Vector3(scalars[channel], 0, 0)
      }
    }
    set {
      switch channel {
      case .acceleration: specificForce = newValue
      case .rotationRate: rotationRate = newValue
      case .magneticField: magneticField = newValue
      default: scalars[channel] = newValue.x
      }
    }
  }
}

/// Counters of all deviations from normal work. They only grow.
public struct Health: Equatable, Sendable, BitwiseCopyable {
  /// The number of frames read from the chip.
  public var received: UInt64 = 0
  /// The number of samples that the chip took and that were not read.
  public var missing: UInt64 = 0
  /// The number of transactions that failed.
  public var busErrors: UInt64 = 0
  /// The number of times the chip's queue overflowed.
  public var overflows: UInt64 = 0
  /// The number of waits for an edge that ended without one although a sample was due.
  public var missedInterrupts: UInt64 = 0
  /// The number of times the chip was found in another state than it was put in.
  public var misconfigurations: UInt64 = 0
  /// The number of times the driver began again with a reset after an error.
  public var restarts: UInt64 = 0

  public init() {}
}
