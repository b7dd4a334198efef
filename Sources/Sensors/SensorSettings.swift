// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// How samples leave a chip.
public enum Acquisition: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// Each data-ready edge is answered by one read; a sample's time is its edge's.
  case dataReady
  /// The chip queues samples; the queue is read in bursts and times are reconstructed from positions.
  case fifo
  /// The status is asked when a sample should be there; its time lies between two questions.
  case polling
}

/// What a sensor shall do, in physical units; a driver takes the nearest it can and says what it took.
public struct SensorSettings: Equatable, Sendable, BitwiseCopyable {
  /// Samples per second.
  public var rate: Double
  /// Full scale in g, on either side of zero.
  public var accelerationRange: Double
  /// Full scale in rad/s, on either side of zero.
  public var rotationRateRange: Double
  /// Full scale in microtesla, on either side of zero.
  public var magneticFieldRange: Double
  /// The highest frequency wanted in the samples, in Hz; `nil`: just under half the rate.
  public var bandwidth: Double?
  public var acquisition: Acquisition
  /// How long samples may wait in a queue before they are read.
  public var batchInterval: TimeSpan

  public init(
    rate: Double = 100, accelerationRange: Double = 4,
    rotationRateRange: Double = 8.726646259971648,
    magneticFieldRange: Double = 400, bandwidth: Double? = nil,
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
