// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The way in which samples leave a chip.
public enum Acquisition: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// Each data-ready edge is answered by one read; a sample's time is its edge's.
  case dataReady
  /// The chip queues samples; the queue is read in bursts and times are reconstructed from
  /// positions.
  case fifo
  /// The status is asked when a sample should be there; its time lies between two questions.
  case polling
  /// No samples leave the chip: its line, or a look once a second, reports its own detections.
  case detections
}

/// The current that a chip may take.
public enum PowerMode: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// All sensors of the chip, with its best noise.
  case normal
  /// The least that still gives samples: of an accelerometer and gyroscope the accelerometer alone,
  /// in its low-power mode; a magnetometer or barometer with the fewest conversions a sample.
  case low
}

/// The way in which a chip drives the interrupt line that is wired.
public struct InterruptPin: Equatable, Sendable, BitwiseCopyable {
  /// The number of the wired interrupt pin of the chip, 1 or 2. Chips with one pin have pin 1.
  public var number: UInt8
  /// True where the line falls when there is news; else it rises.
  public var isActiveLow: Bool
  /// True where the chip only pulls it low, for lines with a pull-up that several chips share.
  public var isOpenDrain: Bool

  public init(number: UInt8 = 1, isActiveLow: Bool = false, isOpenDrain: Bool = false) {
    self.number = number
    self.isActiveLow = isActiveLow
    self.isOpenDrain = isOpenDrain
  }
}

/// A sensor's wanted settings, in physical units; a driver takes the nearest it can and returns
/// what it took.
public struct SensorSettings: Equatable, Sendable, BitwiseCopyable {
  /// Samples per second.
  public var rate: Scalar
  /// Full scale in g, on either side of zero.
  public var accelerationRange: Scalar
  /// Full scale in rad/s, on either side of zero.
  public var rotationRateRange: Scalar
  /// Full scale in microtesla, on either side of zero.
  public var magneticFieldRange: Scalar
  /// Full scale in lux, from dark.
  public var illuminanceRange: Scalar = 6500
  /// The highest frequency wanted in the samples, in Hz; `nil`: just under half the rate.
  public var bandwidth: Scalar?
  public var acquisition: Acquisition
  /// The time for which samples may wait in a queue before they are read.
  public var batchInterval: TimeSpan
  /// True where, with `.dataReady` and a chip with a queue, samples wait in it for a late reader,
  /// each with its own time, instead of being replaced by the next. Costs reading the queue's count
  /// for each sample.
  public var keepsLateSamples = false
  public var power = PowerMode.normal
  public var interruptPin = InterruptPin()
  /// The events that the chip is to detect by itself.
  public var detection = DetectionSettings()
  /// True where the chip connects its auxiliary bus to its host's: a chip behind it is then reached
  /// as if it were beside it.
  public var passesThrough = false
  /// True where a magnetometer inside the chip is sampled as well, which the chip's own auxiliary
  /// master reads for it.
  public var usesMagnetometer = false
  /// The identity to go by instead of the one that the chip gives: for a clone whose own is
  /// unknown; `nil` means the chip's own.
  public var assumedIdentity: UInt8?

  public init(
    rate: Scalar = 100, accelerationRange: Scalar = 4,
    rotationRateRange: Scalar = 8.726646259971648,
    magneticFieldRange: Scalar = 400, bandwidth: Scalar? = nil,
    acquisition: Acquisition = .polling, batchInterval: TimeSpan = .milliseconds(10)
  ) {
    self.rate = rate
    self.accelerationRange = accelerationRange
    self.rotationRateRange = rotationRateRange
    self.magneticFieldRange = magneticFieldRange
    self.bandwidth = bandwidth
    self.acquisition = acquisition
    self.batchInterval = batchInterval
  }
}

extension SensorSettings {
  /// Full scale of a channel, in its unit; `nil` where there is none to choose.
  public subscript(range channel: Channel) -> Scalar? {
    get {
      switch channel {
      case .acceleration: accelerationRange
      case .rotationRate: rotationRateRange
      case .magneticField: magneticFieldRange
      case .illuminance: illuminanceRange
      case .pressure, .temperature, .humidity, .proximity: nil
      }
    }
    set {
      guard let newValue else { return }
      switch channel {
      case .acceleration: accelerationRange = newValue
      case .rotationRate: rotationRateRange = newValue
      case .magneticField: magneticFieldRange = newValue
      case .illuminance: illuminanceRange = newValue
      case .pressure, .temperature, .humidity, .proximity: break
      }
    }
  }
}
