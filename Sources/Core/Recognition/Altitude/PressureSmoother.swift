// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A pressure averaged over about a second.
public struct PressureReading: Equatable, Sendable, BitwiseCopyable {
  /// The mean of the samples' times.
  public var timestamp: Timestamp
  /// The mean of the samples, kPa.
  public var pressure: Scalar
  /// The standard deviation of the mean's noise, kPa, estimated from the samples.
  public var precision: Scalar
}

/// Averages a barometer's samples, at any rate, to about one reading per second, and estimates
/// their noise.
///
/// Pressure and time are both averaged over all samples of a second, so that a climb is neither
/// early nor late.
public struct PressureSmoother: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// Seconds between two readings. A slower barometer gives one reading per sample. Default 1.
    public var interval = 1.0
    /// The assumed precision until it was estimated, kPa. Default 0.012: the relative accuracy of a
    /// BMP280 (data sheet BST-BMP280-DS001, table 2), 1 m.
    public var assumedPrecision = 0.012
    /// The plausible pressures, kPa. Default 1 ... 200: from 30 km above sea level to 10 m under
    /// water.
    public var plausible = 1.0...200.0
    /// The number of readings over which noise is averaged. Default 16.
    public var memory = 16.0

    public init() {}
  }

  public let params: Params
  private var last: Timestamp?
  /// Seconds between samples.
  private var period = Scalar.infinity
  private var lastSpacing = Scalar.infinity
  private var begin = Timestamp.zero
  private var count = 0
  private var mean = 0.0
  /// The mean of the times, seconds since `begin`.
  private var meanTime = 0.0
  /// The previous reading, the one before it, and the number of consecutive readings.
  private var before = 0.0
  private var earlier = 0.0
  private var readings = 0
  /// The variance of a reading, kPa squared.
  private var variance = 0.0
  private var variances = 0.0

  public init(_ params: Params = Params()) { self.params = params }

  /// Adds a pressure in kPa. Returns a reading when one is complete. Implausible pressures, and
  /// samples not later than the last, are ignored; after a gap the reading restarts.
  public mutating func update(_ pressure: Scalar, at time: Timestamp) -> PressureReading? {
    guard params.plausible.contains(pressure) else { return nil }
    if let last {
      let spacing = (time - last).seconds
      if spacing <= 0, spacing > -gap { return nil }
      follow(spacing)
    }
    last = time
    if count == 0 { begin = time }
    count += 1
    mean += (pressure - mean) / Scalar(count)
    let elapsed = (time - begin).seconds
    meanTime += (elapsed - meanTime) / Scalar(count)
    // Complete if the next sample would belong to the next reading.
    guard elapsed + period * 1.5 >= params.interval, period < .infinity else { return nil }
    return complete()
  }

  /// The longest interval between two samples that is not a gap, seconds.
  private var gap: Scalar { max(3 * params.interval, period < .infinity ? 3 * period : 0) }

  private mutating func follow(_ spacing: Scalar) {
    if abs(spacing) > gap {
      count = 0
      readings = 0
      mean = 0
      meanTime = 0
    }
    // A single gap does not mean a slow barometer; two in sequence do.
    period = min(max(spacing, 0) > 0 ? spacing : lastSpacing, lastSpacing)
    lastSpacing = spacing > 0 ? spacing : .infinity
  }

  private mutating func complete() -> PressureReading {
    readings += 1
    if readings > 2 {
      // The second difference of three readings is not affected by a steady climb, and has six
      // times a reading's variance.
      let bend = mean - 2 * before + earlier
      variances = min(variances + 1, params.memory)
      variance += (bend * bend / 6 - variance) / variances
    }
    earlier = before
    before = mean
    let reading = PressureReading(
      timestamp: begin + TimeSpan(seconds: meanTime), pressure: mean,
      precision: variances >= 4 ? variance.squareRoot() : params.assumedPrecision)
    count = 0
    mean = 0
    meanTime = 0
    return reading
  }
}
