// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Sensors

/// The physical quantities around a chip, in the chip's axes.
public protocol SensorInput: AnyObject {
  func reading(at time: Timestamp) -> ChipReading
}

/// The behaviour of a chip at its registers: the effects of bus transactions and of the passing of
/// time.
///
/// Only one thread uses a model. A model allocates nothing after init, so that allocation tests of
/// a reader measure only the reader.
public protocol ChipModel: AnyObject {
  /// Advances the model's time and takes every sample that is due until `time`.
  func advance(to time: Timestamp)

  /// Returns the contents of one register, and applies the side effects of a read.
  func read(_ register: UInt8) -> UInt8

  /// Writes one register.
  func write(_ value: UInt8, to register: UInt8)

  /// Returns one register of a chip whose addresses refer to words (`ModelPort`).
  func readWord(_ register: UInt8) -> UInt16

  /// Writes a word to a register of a chip whose addresses refer to words.
  func writeWord(_ word: UInt16, to register: UInt8)

  /// Returns the address that follows `register` in a burst.
  func successor(of register: UInt8) -> UInt8

  /// Returns the times at which interrupt pin `pin` (1 or 2) became active since the last call.
  func takeEdges(of pin: UInt8) -> EdgeQueue

  /// Returns the next time at which the pin becomes active if no register is written; `nil` if the
  /// pin keeps its level.
  func nextEdge(of pin: UInt8) -> Timestamp?

  /// True if the interrupt pins are configured as active low.
  var isActiveLow: Bool { get }

  /// True if the chip responds on SPI. Most chips always do.
  var listensToSPI: Bool { get }

  /// True if the register address advances in an I2C transfer only if the sub-address has the
  /// increment bit (`WireFormat.i2cIncrement`). Some chips with such a bit advance without that bit
  /// too.
  var needsIncrementBit: Bool { get }

  /// True if the chip acknowledges an I2C read only after a repeated start, and not after a stop.
  var needsRepeatedStart: Bool { get }

  /// Handles the rise of chip select at the end of an SPI frame.
  func deselect()

  /// Interrupts the supply. All registers, the FIFO and counters return to their power-up state.
  func powerCycle()

  /// Simulates a host that reads too late: fills the FIFO and drops its oldest frames. Does nothing
  /// if the chip has no running FIFO.
  func overrunQueue()

  /// The number of samples since the model was created, read or not. With several sensors the
  /// samples of the fastest active sensor are counted.
  var samplesTaken: UInt64 { get }

  /// True if the auxiliary bus is connected to the host's bus.
  var passesThrough: Bool { get }

  /// Returns the chip inside this one that has `address` on its auxiliary bus; `nil` if there is no
  /// such chip. If `input` is given, it becomes the sensor input of that chip.
  func builtIn(at address: UInt8, sensing input: (any SensorInput)?) -> (any ChipModel)?

  /// The selected bank; 0 for a chip without banks.
  var bank: UInt8 { get }
}

extension ChipModel {
  // The default implementation is for the majority of chips, whose addresses refer to bytes.
  public func readWord(_ register: UInt8) -> UInt16 { UInt16(read(register)) }

  public func writeWord(_ word: UInt16, to register: UInt8) {
    write(UInt8(truncatingIfNeeded: word), to: register)
  }

  public var listensToSPI: Bool { true }
  public var needsIncrementBit: Bool { false }
  public var needsRepeatedStart: Bool { false }
  public func deselect() {}
  public var isActiveLow: Bool { false }
  public func overrunQueue() {}
  public var passesThrough: Bool { false }
  public func builtIn(at address: UInt8, sensing input: (any SensorInput)?) -> (any ChipModel)? {
    nil
  }

  public var bank: UInt8 { 0 }

  /// Returns the edges of interrupt pin 1 since the last call of this function.
  public func takeEdges() -> EdgeQueue { takeEdges(of: 1) }

  /// The time of the next edge of interrupt pin 1.
  public var nextEdge: Timestamp? { nextEdge(of: 1) }
}

/// The edges of a line that were not read yet: their number, at most 16 like in the kernel's queue
/// behind libgpiod 1.6, and the time of the newest edge.
public struct EdgeQueue: Sendable {
  public private(set) var newest = Timestamp.zero
  public private(set) var count = 0

  public init() {}

  public mutating func append(_ time: Timestamp) {
    newest = time
    count = min(count + 1, 16)
  }

  public mutating func removeAll() { count = 0 }

  /// Returns the edges in the queue and empties it.
  mutating func take() -> EdgeQueue {
    defer { removeAll() }
    return self
  }
}

/// The times of a chip's samples, which are evenly spaced on the chip's oscillator.
public struct SampleTrain: Sendable {
  private var origin = Timestamp.zero
  private var taken: Int64 = 0
  private var period = 0.0
  public private(set) var isRunning = false
  /// The relative error of the chip's oscillator; 0.02 is 2 percent fast.
  private let clockError: Double

  /// Creates sample times on an oscillator with the relative error `clockError`; 0.02 is 2 percent
  /// fast.
  public init(clockError: Double) { self.clockError = clockError }

  /// Starts sampling at `rate` Hz. The first sample comes one period after `time`.
  public mutating func start(at time: Timestamp, rate: Double) {
    origin = time
    taken = 0
    period = 1e9 / rate / (1 + clockError)
    isRunning = true
  }

  /// Starts the chip's sampling at `rate` Hz, with the first sample at `time`.
  mutating func start(first time: Timestamp, rate: Double) {
    start(at: time, rate: rate)
    origin = time - TimeSpan(nanoseconds: Int64(saturating: period))
  }

  public mutating func stop() { isRunning = false }

  /// The time of the next sample; `nil` while sampling is stopped.
  public var next: Timestamp? {
    guard isRunning else { return nil }
    return origin + TimeSpan(nanoseconds: Int64(saturating: Double(taken + 1) * period))
  }

  public mutating func advance() { taken += 1 }

  /// Returns the time of the next sample and advances to the sample after that; `nil` if no sample
  /// is due by `time`.
  mutating func takeNext(until time: Timestamp) -> Timestamp? {
    guard let next, next <= time else { return nil }
    advance()
    return next
  }
}

/// Returns the output of a converter with `scale` counts per unit, rounded and clamped to its
/// range.
func counts(_ value: Double, _ scale: Double) -> Int16 {
  let scaled = (value * scale).rounded()
  return scaled.isNaN ? 0 : Int16(min(max(scaled, -32768), 32767))
}
