// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Sensors

/// The world that a chip feels, in its own axes.
public protocol Surroundings: AnyObject {
  func reading(at time: Timestamp) -> ChipReading
}

/// A chip seen from its registers: what a bus transaction does to it, and what the passing of time
/// does.
///
/// A model is used from one thread. It allocates nothing once it exists, so that allocation tests
/// of a reader measure the reader.
public protocol ChipModel: AnyObject {
  /// Lets time pass: takes every sample that was due until `time`.
  func advance(to time: Timestamp)

  /// Reads one register, with all that reading does to the chip.
  func read(_ register: UInt8) -> UInt8

  /// Writes one register.
  func write(_ value: UInt8, to register: UInt8)

  /// Reads one register of a chip whose addresses are of words (`ModelPort`).
  func readWord(_ register: UInt8) -> UInt16

  /// Writes one register of such a chip: a word that came whole.
  func writeWord(_ word: UInt16, to register: UInt8)

  /// The register after `register` in a burst.
  func successor(of register: UInt8) -> UInt8

  /// The edges of interrupt pin `pin` (1 or 2) from its inactive to its active level since the last
  /// call.
  func takeEdges(of pin: UInt8) -> EdgeQueue

  /// Returns the time at which that pin will become active next if nothing is written; `nil` where
  /// no such edge is to come.
  func nextEdge(of pin: UInt8) -> Timestamp?

  /// True where the pins are active at the low level, as the chip is configured.
  var isActiveLow: Bool { get }

  /// True where the chip listens to SPI. Most chips always do.
  var listensToSPI: Bool { get }

  /// Chip select rose at the end of an SPI frame.
  func deselect()

  /// The supply fails for a moment: every register, queue and counter is as after power-up.
  func powerCycle()

  /// Does to the queue what a reader that came too late would have done: it is full and its oldest
  /// frames are gone. Chips without a queue, or with one that does not run, do nothing.
  func overrunQueue()

  /// The number of samples taken since the model exists: of several sensors, those of the fastest
  /// that runs, read or not.
  var samplesTaken: UInt64 { get }

  /// True where the auxiliary bus is connected to the host's bus.
  var passesThrough: Bool { get }

  /// The bank of registers that it shows; 0 of a chip without banks.
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

  /// The edges of the first pin.
  public func takeEdges() -> EdgeQueue { takeEdges(of: 1) }

  /// The next edge of the first pin.
  public var nextEdge: Timestamp? { nextEdge(of: 1) }
}

/// Edges of a line that have not been read yet. It holds 16 like the kernel's queue behind libgpiod
/// 1.6, and counts all.
public struct EdgeQueue: Sendable {
  public private(set) var newest = Timestamp.zero
  public private(set) var count = 0

  public init() {}

  public mutating func append(_ time: Timestamp) {
    newest = time
    count = min(count + 1, 16)
  }

  public mutating func removeAll() { count = 0 }

  /// Returns what there is, and forgets it.
  mutating func take() -> EdgeQueue {
    defer { removeAll() }
    return self
  }
}

/// The times at which a chip takes its samples: an even train on its own oscillator.
public struct SampleTrain: Sendable {
  private var origin = Timestamp.zero
  private var taken: Int64 = 0
  private var period = 0.0
  public private(set) var isRunning = false
  /// The relative error of the oscillator: a positive error makes the chip fast.
  private let clockError: Double

  /// A train that is off by `clockError`, in parts (0.02 is 2 % fast).
  public init(clockError: Double) { self.clockError = clockError }

  /// Begins sampling at `rate` per second; the first sample comes one period after `time`.
  public mutating func start(at time: Timestamp, rate: Double) {
    origin = time
    taken = 0
    period = 1e9 / rate / (1 + clockError)
    isRunning = true
  }

  /// The same with the first sample at `time`.
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

  /// Returns when the next sample is taken, if it is until `time`, and goes on to the one after it.
  mutating func takeNext(until time: Timestamp) -> Timestamp? {
    guard let next, next <= time else { return nil }
    advance()
    return next
  }
}

/// Counts of a converter with `scale` counts per unit: rounded, and held at the ends as a real one
/// is.
func counts(_ value: Double, _ scale: Double) -> Int16 {
  let scaled = (value * scale).rounded()
  return scaled.isNaN ? 0 : Int16(min(max(scaled, -32768), 32767))
}
