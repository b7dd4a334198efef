// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A pressure that is averaged over about a second.
public struct PressureReading: Equatable, Sendable, BitwiseCopyable {
  /// The mean of the times of the averaged samples.
  public var timestamp: Timestamp
  /// The mean pressure of the averaged samples in kPa.
  public var pressure: Scalar
  /// The standard deviation of the mean's noise in kPa, estimated from the samples.
  public var precision: Scalar
}

/// Averages the samples of a barometer, at any rate, to about one reading per second, and estimates
/// their noise.
///
/// Pressure and time are both averaged over all samples of a second, so that a climb appears
/// neither too early nor too late.
public struct PressureSmoother: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The time in seconds between two readings. A slower barometer gives one reading per sample.
    /// Default 1.
    public var interval = 1.0
    /// The standard deviation of a reading in kPa, assumed until it has been estimated. Default
    /// 0.012, which is the relative accuracy of a BMP280 (data sheet BST-BMP280-DS001, table 2) and
    /// corresponds to 1 m.
    public var assumedPrecision = 0.012
    /// The range of plausible pressures in kPa. Default 1 ... 200: from 30 km above sea level to 10
    /// m under water.
    public var plausible = 1.0...200.0
    /// The number of readings over which the noise is averaged. Default 16.
    public var memory = 16.0

    public init() {}
  }

  public let params: Params
  private var last: Timestamp?
  /// The seconds between two samples of the barometer.
  private var period = Scalar.infinity
  private var lastSpacing = Scalar.infinity
  private var begin = Timestamp.zero
  private var count = 0
  private var mean = 0.0
  /// The mean time of the samples in the current reading, in seconds since `begin`.
  private var meanTime = 0.0
  /// The previous reading, the reading before that, and the number of consecutive readings.
  private var before = 0.0
  private var earlier = 0.0
  private var readings = 0
  /// The variance of a pressure reading in kPa squared.
  private var variance = 0.0
  private var variances = 0.0

  public init(_ params: Params = Params()) { self.params = params }

  /// Adds a pressure in kPa. Returns a reading when it is complete. Ignores implausible pressures,
  /// and samples that are not later than the last sample. After a gap a new reading starts.
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
    // A reading is complete if the next sample would belong to the next reading.
    guard elapsed + period * 1.5 >= params.interval, period < .infinity else { return nil }
    return complete()
  }

  /// The longest interval between two samples, in seconds, that does not count as a gap.
  private var gap: Scalar { max(3 * params.interval, period < .infinity ? 3 * period : 0) }

  private mutating func follow(_ spacing: Scalar) {
    if abs(spacing) > gap {
      count = 0
      readings = 0
      mean = 0
      meanTime = 0
    }
    // A single long interval does not mean that the barometer is slow, but two consecutive long
    // intervals do.
    period = min(max(spacing, 0) > 0 ? spacing : lastSpacing, lastSpacing)
    lastSpacing = spacing > 0 ? spacing : .infinity
  }

  private mutating func complete() -> PressureReading {
    readings += 1
    if readings > 2 {
      // A steady climb does not affect the second difference of three readings, whose variance is
      // six times the variance of a reading.
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
