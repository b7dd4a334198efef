// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The acquisition mode: how samples leave a chip.
public enum Acquisition: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// One read at each data-ready edge; a sample's time is the time of its edge.
  case dataReady
  /// The chip's FIFO is read in bursts, and sample times are reconstructed from the positions.
  case fifo
  /// The status is polled when a sample is due; the sample's time lies between two polls.
  case polling
  /// No samples are read: the interrupt line, or a poll once a second, reports the chip's
  /// detections.
  case detections
}

/// The power mode of a chip.
public enum PowerMode: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// All sensors of the chip, with the lowest noise.
  case normal
  /// The lowest power that still gives samples: the accelerometer of an inertial sensor alone, in
  /// low-power mode; a magnetometer or barometer with the fewest conversions per sample.
  case low
}

/// The drive of a chip's wired interrupt line.
public struct InterruptPin: Equatable, Sendable, BitwiseCopyable {
  /// The number of the wired interrupt pin of the chip, 1 or 2. Chips with one pin have pin 1.
  public var number: UInt8
  /// True if the line is active low, else active high.
  public var isActiveLow: Bool
  /// True if the output is open drain, for lines with a pull-up that several chips share.
  public var isOpenDrain: Bool

  public init(number: UInt8 = 1, isActiveLow: Bool = false, isOpenDrain: Bool = false) {
    self.number = number
    self.isActiveLow = isActiveLow
    self.isOpenDrain = isOpenDrain
  }
}

/// The requested settings for a sensor, in physical units; a driver returns the nearest that it
/// supports.
public struct SensorSettings: Equatable, Sendable, BitwiseCopyable {
  /// Samples per second.
  public var rate: Scalar
  /// Full scale in g, on either side of zero.
  public var accelerationRange: Scalar
  /// Full scale in rad/s, on either side of zero.
  public var rotationRateRange: Scalar
  /// Full scale in microtesla, on either side of zero.
  public var magneticFieldRange: Scalar
  /// Full scale in lux, starting at 0.
  public var illuminanceRange: Scalar = 6500
  /// The highest frequency to keep in the samples, in Hz; `nil` for just under half the rate.
  public var bandwidth: Scalar?
  public var acquisition: Acquisition
  /// The longest time that samples wait in a FIFO before they are read.
  public var batchInterval: TimeSpan
  /// True if, with `.dataReady` and a chip with a FIFO, samples wait in the FIFO for a late
  /// reader, each with its own time, instead of being overwritten. Costs a read of the FIFO count
  /// for each sample.
  public var keepsLateSamples = false
  public var power = PowerMode.normal
  public var interruptPin = InterruptPin()
  /// The events for the chip to detect.
  public var detection = DetectionSettings()
  /// True if the chip connects its auxiliary bus to the host's bus, so that the host reaches the
  /// chips on it directly.
  public var passesThrough = false
  /// True if a magnetometer inside the chip is sampled too, read by the chip's auxiliary master.
  public var usesMagnetometer = false
  /// The identity to use instead of the one read from the chip, for a clone with an unknown
  /// identity; `nil` uses the chip's.
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
  /// The full scale of a channel, in its unit; `nil` for channels without a selectable range.
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
