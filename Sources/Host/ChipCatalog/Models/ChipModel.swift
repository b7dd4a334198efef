// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Sensors

/// The physical surroundings of a chip, in the chip's axes.
public protocol SensorInput: AnyObject {
  func reading(at time: Timestamp) -> ChipReading
}

/// A chip at its registers: the effects of bus transactions and of the passing of time.
///
/// A model is used from one thread. It allocates nothing after init, so that allocation tests of a
/// reader measure only the reader.
public protocol ChipModel: AnyObject {
  /// Advances the time: takes every sample that is due until `time`.
  func advance(to time: Timestamp)

  /// Reads one register, with the side effects of a read.
  func read(_ register: UInt8) -> UInt8

  /// Writes one register.
  func write(_ value: UInt8, to register: UInt8)

  /// Reads one register of a chip whose addresses refer to words (`ModelPort`).
  func readWord(_ register: UInt8) -> UInt16

  /// Writes a whole word to a register of a chip whose addresses refer to words.
  func writeWord(_ word: UInt16, to register: UInt8)

  /// Returns the register after `register` in a burst.
  func successor(of register: UInt8) -> UInt8

  /// Returns the edges of interrupt pin `pin` (1 or 2) from inactive to active since the last call.
  func takeEdges(of pin: UInt8) -> EdgeQueue

  /// Returns the next time at which the pin becomes active if nothing is written; `nil` if it
  /// will not.
  func nextEdge(of pin: UInt8) -> Timestamp?

  /// True if the pins are configured as active low.
  var isActiveLow: Bool { get }

  /// True if the chip responds to SPI, as most chips always do.
  var listensToSPI: Bool { get }

  /// Handles the rise of chip select at the end of an SPI frame.
  func deselect()

  /// Interrupts the supply: all registers, FIFO and counters return to their power-up state.
  func powerCycle()

  /// Simulates a late reader: fills the FIFO and drops its oldest frames. Does nothing for chips
  /// without a running FIFO.
  func overrunQueue()

  /// The number of samples since the model was created, read or not; with several sensors, those of
  /// the fastest active one.
  var samplesTaken: UInt64 { get }

  /// True if the auxiliary bus is connected to the host's bus.
  var passesThrough: Bool { get }

  /// The selected bank; 0 for a chip without banks.
  var bank: UInt8 { get }
}

extension ChipModel {
  // Most chips have no words.
  public func readWord(_ register: UInt8) -> UInt16 { UInt16(read(register)) }

  public func writeWord(_ word: UInt16, to register: UInt8) {
    write(UInt8(truncatingIfNeeded: word), to: register)
  }

  public var listensToSPI: Bool { true }
  public func deselect() {}
  public var isActiveLow: Bool { false }
  public func overrunQueue() {}
  public var passesThrough: Bool { false }
  public var bank: UInt8 { 0 }

  /// Returns the edges of the first pin.
  public func takeEdges() -> EdgeQueue { takeEdges(of: 1) }

  /// The next edge of the first pin.
  public var nextEdge: Timestamp? { nextEdge(of: 1) }
}

/// The unread edges of a line. It holds 16, like the kernel's queue behind libgpiod 1.6, and counts
/// all.
public struct EdgeQueue: Sendable {
  public private(set) var newest = Timestamp.zero
  public private(set) var count = 0

  public init() {}

  public mutating func append(_ time: Timestamp) {
    newest = time
    count = min(count + 1, 16)
  }

  public mutating func removeAll() { count = 0 }

  /// Returns the edges and empties the queue.
  mutating func take() -> EdgeQueue {
    defer { removeAll() }
    return self
  }
}

/// The times of a chip's samples: evenly spaced on its oscillator.
public struct SampleTrain: Sendable {
  private var origin = Timestamp.zero
  private var taken: Int64 = 0
  private var period = 0.0
  public private(set) var isRunning = false
  /// The relative error of the oscillator: a chip with a positive error is fast.
  private let clockError: Double

  /// Creates sample times with a relative oscillator error (0.02 is 2 % fast).
  public init(clockError: Double) { self.clockError = clockError }

  /// Starts sampling at `rate` per second; the first sample comes one period after `time`.
  public mutating func start(at time: Timestamp, rate: Double) {
    origin = time
    taken = 0
    period = 1e9 / rate / (1 + clockError)
    isRunning = true
  }

  /// Starts sampling with the first sample at `time`.
  mutating func start(first time: Timestamp, rate: Double) {
    start(at: time, rate: rate)
    origin = time - TimeSpan(nanoseconds: Int64(saturating: period))
  }

  public mutating func stop() { isRunning = false }

  /// The time of the next sample; `nil` while stopped.
  public var next: Timestamp? {
    guard isRunning else { return nil }
    return origin + TimeSpan(nanoseconds: Int64(saturating: Double(taken + 1) * period))
  }

  public mutating func advance() { taken += 1 }

  /// Returns the time of the next sample if it is due by `time`, and advances.
  mutating func takeNext(until time: Timestamp) -> Timestamp? {
    guard let next, next <= time else { return nil }
    advance()
    return next
  }
}

/// Returns the counts of a converter with `scale` counts per unit: rounded and limited to its
/// range.
func counts(_ value: Double, _ scale: Double) -> Int16 {
  let scaled = (value * scale).rounded()
  return scaled.isNaN ? 0 : Int16(min(max(scaled, -32768), 32767))
}
