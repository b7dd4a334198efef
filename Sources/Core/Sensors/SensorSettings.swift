// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The acquisition mode: the way in which samples are read from a chip.
public enum Acquisition: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// One read at each data-ready edge. A sample's time is the time of its edge.
  case dataReady
  /// Reads of the chip's FIFO in bursts. Sample times are computed from the positions in the FIFO.
  case fifo
  /// Polls of the status when a sample is due. The sample's time lies between two polls.
  case polling
  /// No samples are read. The chip's detections are reported by the interrupt line, or found by a
  /// poll once a second.
  case detections
}

/// The power mode of a chip.
public enum PowerMode: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// All sensors of the chip run with the lowest noise.
  case normal
  /// The lowest power that still gives samples: an inertial sensor runs only its accelerometer, in
  /// low-power mode; a magnetometer or barometer uses the fewest conversions per sample.
  case low
}

/// The chip's interrupt pin that is wired, and how the pin drives the interrupt line.
public struct InterruptPin: Equatable, Sendable, BitwiseCopyable {
  /// The number of the wired interrupt pin, 1 or 2. The number is 1 for chips with one pin.
  public var number: UInt8
  /// True if the interrupt line is active low; false if it is active high.
  public var isActiveLow: Bool
  /// True if the pin's output is open drain, for lines with a pull-up resistor that several chips
  /// share.
  public var isOpenDrain: Bool

  public init(number: UInt8 = 1, isActiveLow: Bool = false, isOpenDrain: Bool = false) {
    self.number = number
    self.isActiveLow = isActiveLow
    self.isOpenDrain = isOpenDrain
  }
}

/// The requested settings for a sensor, in physical units. A driver returns the nearest settings
/// that it supports.
public struct SensorSettings: Equatable, Sendable, BitwiseCopyable {
  /// The output data rate in Hz.
  public var rate: Scalar
  /// The full scale of the accelerometer in g, on either side of zero.
  public var accelerationRange: Scalar
  /// The full scale of the gyroscope in rad/s, on either side of zero.
  public var rotationRateRange: Scalar
  /// The full scale of the magnetometer in microtesla, on either side of zero.
  public var magneticFieldRange: Scalar
  /// The full scale of the light sensor in lux; the range starts at 0.
  public var illuminanceRange: Scalar = 6500
  /// The highest frequency in Hz that the filters should pass; `nil` for a little less than half
  /// the rate.
  public var bandwidth: Scalar?
  public var acquisition: Acquisition
  /// The longest time that samples wait in a FIFO before they are read.
  public var batchInterval: TimeSpan
  /// True if samples should wait in the FIFO, each with its own time, until a delayed host reads
  /// them, instead of being overwritten. This setting applies to `.dataReady` on a chip with a
  /// FIFO. It needs an additional read of the FIFO count for each sample.
  public var keepsLateSamples = false
  public var power = PowerMode.normal
  public var interruptPin = InterruptPin()
  /// The events that the chip should detect.
  public var detection = DetectionSettings()
  /// True if the chip should connect its auxiliary bus to the host's bus, so that the host reaches
  /// the chips on it directly.
  public var passesThrough = false
  /// True if the magnetometer inside the chip should be sampled too, through the chip's auxiliary
  /// master.
  public var usesMagnetometer = false
  /// The identity to use instead of the identity read from the chip, for a clone with an unknown
  /// identity; `nil` to use the chip's identity.
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
