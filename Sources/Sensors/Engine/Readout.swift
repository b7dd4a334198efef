// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The part of a chip's settings that is alike for all chips: how samples leave it, how its line is
/// wired, what current it may take.
public struct Readout: Equatable, Sendable, BitwiseCopyable {
  public var acquisition: Acquisition
  /// The samples that a queue with a watermark gathers before its line rises.
  public var watermark: Int
  /// The longest that samples may wait in a queue that is read by time.
  public var batchInterval: TimeSpan
  /// True where the line announces each sample of the queue, which is then read at once.
  public var announcesSamples = false
  public var interruptPin: InterruptPin
  public var power: PowerMode
  /// True where the chip connects its auxiliary bus to its host's.
  public var passesThrough = false
  /// The identity to go by instead of the one that the chip gives; `nil`: its own.
  public var assumedIdentity: UInt8?

  @inlinable @inline(__always)
  public init(
    _ acquisition: Acquisition, watermark: Int = 1, batchInterval: TimeSpan = .milliseconds(10),
    interruptPin: InterruptPin = InterruptPin(), power: PowerMode = .normal,
    assumedIdentity: UInt8? = nil
  ) {
    self.acquisition = acquisition
    self.watermark = watermark
    self.batchInterval = batchInterval
    self.interruptPin = interruptPin
    self.power = power
    self.assumedIdentity = assumedIdentity
  }

  /// Each data-ready edge answered by one read.
  @inlinable @inline(__always)
  public static var dataReady: Readout { Readout(.dataReady) }

  /// The queue, read in bursts.
  @inlinable @inline(__always)
  public static var fifo: Readout { Readout(.fifo) }

  /// The status asked when a sample should be there.
  @inlinable @inline(__always)
  public static var polling: Readout { Readout(.polling) }
}

extension Readout {
  /// Creates the readout that settings ask for.
  package init(_ settings: borrowing SensorSettings) {
    self.init(
      settings.acquisition, batchInterval: settings.batchInterval,
      interruptPin: settings.interruptPin, power: settings.power,
      assumedIdentity: settings.assumedIdentity)
    passesThrough = settings.passesThrough
  }

  /// Reads the samples of a data-ready line out of the queue, if `settings` ask for that and
  /// `isPossible`; the settings become what is done. Returns true where they do.
  package mutating func keepLateSamples(
    _ settings: inout SensorSettings, where isPossible: Bool = true
  ) -> Bool {
    announcesSamples = settings.keepsLateSamples && acquisition == .dataReady && isPossible
    settings.keepsLateSamples = announcesSamples
    if announcesSamples {
      acquisition = .fifo
      batchInterval = .zero
    }
    return announcesSamples
  }

  /// Takes a line that can only be driven as `pin` says, if the one that is wired hears it, and
  /// else does without; the settings become what is done.
  package mutating func takeLine(
    _ settings: inout SensorSettings, _ pin: InterruptPin, where isHeard: Bool
  ) {
    if !isHeard { acquisition = .polling }
    interruptPin = pin
    settings.acquisition = acquisition
    settings.interruptPin = pin
  }

  /// Lets a queue gather as many samples as come in its `batchInterval`, `most` at most.
  package mutating func gather(at hertz: Scalar, most: Int) {
    let samples = (batchInterval.seconds * hertz).rounded(.down)
    watermark = announcesSamples ? 1 : Int(min(max(samples, 1), Scalar(most)))
  }

  /// The abilities that a driver must have for it.
  @inlinable @inline(__always)
  package var abilities: DriverAbilities {
    var abilities = DriverAbilities(acquisition)
    if announcesSamples { abilities.insert(.dataReady) }
    if power == .low { abilities.insert(.lowPower) }
    return abilities
  }

  /// Returns the same readout, with what takes none of `abilities` as constants.
  @inlinable @inline(__always)
  package func narrowed(to abilities: DriverAbilities) -> Readout {
    var narrowed = self
    narrowed.acquisition = abilities.narrowed(acquisition)
    if !abilities.contains(.lowPower) { narrowed.power = .normal }
    if !abilities.isSuperset(of: [.fifo, .dataReady]) { narrowed.announcesSamples = false }
    return narrowed
  }
}

extension SensorSettings {
  /// Creates settings of samples that are read out like this.
  package init(_ readout: Readout, rate: Scalar) {
    self.init(rate: rate)
    acquisition = readout.announcesSamples ? .dataReady : readout.acquisition
    batchInterval = readout.batchInterval
    keepsLateSamples = readout.announcesSamples
    power = readout.power
    interruptPin = readout.interruptPin
    passesThrough = readout.passesThrough
    assumedIdentity = readout.assumedIdentity
  }
}
