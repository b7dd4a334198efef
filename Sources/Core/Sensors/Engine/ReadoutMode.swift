// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The settings that all chips have: acquisition mode, interrupt pin and power mode.
public struct ReadoutMode: Equatable, Sendable, BitwiseCopyable {
  public var acquisition: Acquisition
  /// The number of samples in the FIFO at which the FIFO's interrupt line becomes active.
  public var watermark: Int
  /// The longest time that samples wait in a FIFO that is read at intervals.
  public var batchInterval: TimeSpan
  /// True if the interrupt line signals each sample in the FIFO, which is then read immediately.
  public var announcesSamples = false
  public var interruptPin: InterruptPin
  public var power: PowerMode
  /// True if the chip connects its auxiliary bus to the host's bus.
  public var passesThrough = false
  /// The identity to use instead of the identity read from the chip; `nil` to use the chip's
  /// identity.
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

  /// Makes the readout mode that reads a sample at each data-ready edge.
  @inlinable @inline(__always)
  public static var dataReady: ReadoutMode { ReadoutMode(.dataReady) }

  /// Makes the readout mode that reads the FIFO in bursts.
  @inlinable @inline(__always)
  public static var fifo: ReadoutMode { ReadoutMode(.fifo) }

  /// Makes the readout mode that polls the status when a sample is due.
  @inlinable @inline(__always)
  public static var polling: ReadoutMode { ReadoutMode(.polling) }
}

extension ReadoutMode {
  /// Creates the readout mode for `settings`.
  package init(_ settings: borrowing SensorSettings) {
    self.init(
      settings.acquisition, batchInterval: settings.batchInterval,
      interruptPin: settings.interruptPin, power: settings.power,
      assumedIdentity: settings.assumedIdentity)
    passesThrough = settings.passesThrough
  }

  /// Selects the FIFO for data-ready samples if `settings` request that samples are kept until a
  /// delayed host reads them, and if `isPossible`. Updates `settings` accordingly. Returns true if
  /// samples are read from the FIFO.
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

  /// Uses the chip's interrupt pin, which is fixed to `pin`, if that suits the wired line;
  /// otherwise uses no interrupt. Updates `settings` accordingly.
  package mutating func takeLine(
    _ settings: inout SensorSettings, _ pin: InterruptPin, where isSupported: Bool
  ) {
    if !isSupported { acquisition = .polling }
    interruptPin = pin
    settings.acquisition = acquisition
    settings.interruptPin = pin
  }

  /// Sets the watermark to the number of samples in one `batchInterval`, at most `most`.
  package mutating func gather(at hertz: Scalar, most: Int) {
    let samples = (batchInterval.seconds * hertz).rounded(.down)
    watermark = announcesSamples ? 1 : Int(min(max(samples, 1), Scalar(most)))
  }

  /// The abilities that a driver needs for this readout.
  @inlinable @inline(__always)
  package var abilities: DriverAbilities {
    var abilities = DriverAbilities(acquisition)
    if announcesSamples { abilities.insert(.dataReady) }
    if power == .low { abilities.insert(.lowPower) }
    return abilities
  }

  /// Returns this readout mode, but with constants for fields that need an ability outside
  /// `abilities`.
  @inlinable @inline(__always)
  package func narrowed(to abilities: DriverAbilities) -> ReadoutMode {
    var narrowed = self
    narrowed.acquisition = abilities.narrowed(acquisition)
    if !abilities.contains(.lowPower) { narrowed.power = .normal }
    if !abilities.isSuperset(of: [.fifo, .dataReady]) { narrowed.announcesSamples = false }
    return narrowed
  }
}

extension SensorSettings {
  /// Creates the settings that correspond to this readout mode at a rate of `rate` Hz.
  package init(_ readout: ReadoutMode, rate: Scalar) {
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
