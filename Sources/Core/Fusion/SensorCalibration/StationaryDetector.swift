// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Divides the samples of a chip into intervals of equal length, and determines for each interval
/// whether the chip lay still.
///
/// A slow steady turn about the vertical looks like rest to both sensors. The user must therefore
/// make sure that the chip lies still; the detector only finds disturbances.
public struct StationaryDetector: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The length of an interval, s. Default 1: longer than the tremble of a hand, and long enough
    /// to average the noise of common parts down to a tenth.
    public var length = 1.0
    /// The largest standard deviation of the rotation rate at rest, rad/s. Default 0.5 degrees/s:
    /// five times the noise of an MPU-6050 with its widest filter (product specification 6.1: 0.05
    /// degrees/s at 92 Hz).
    public var rotationRateSpread = 0.5 * .pi / 180
    /// The largest standard deviation of the specific force at rest, g. Default 0.02.
    public var specificForceSpread = 0.02
    /// The largest change of the mean specific force from the previous interval, g. Default 0.01,
    /// which corresponds to a tilt of half a degree.
    public var specificForceChange = 0.01
    /// The largest change of the mean rotation rate from the previous interval, rad/s. Default 0.2
    /// degrees/s.
    public var rotationRateChange = 0.2 * .pi / 180

    public init() {}
  }

  /// The samples and the result of one interval.
  public struct Stretch: Equatable, Sendable {
    /// The specific force in g; `nil` if there is no accelerometer.
    public var specificForce: StillSegment?
    /// The rotation rate in rad/s; `nil` if there is no gyroscope.
    public var rotationRate: StillSegment?
    /// True if the chip lay still during the interval, and was not moved after the previous
    /// interval.
    public var isStill: Bool
  }

  public let params: Params
  private var force = RunningMean()
  private var rate = RunningMean()
  private var temperature = RunningMean()
  private var begin: Timestamp?
  private var last: Timestamp?
  private var before: Stretch?

  public init(_ params: Params = Params()) { self.params = params }

  /// Restarts, and discards the position of the previous interval.
  public mutating func reset() { self = StationaryDetector(params) }

  /// Adds the values sampled at `time`: specific force in g, rotation rate in rad/s, and
  /// temperature in degrees Celsius, each `nil` if not sampled. Returns the interval once its
  /// length is reached. Values that are not finite, or older than the previous ones, are skipped.
  /// The interval restarts after a pause of a quarter of its length.
  public mutating func add(
    specificForce: Vector3?, rotationRate: Vector3?, temperature degrees: Scalar?,
    at time: Timestamp
  ) -> Stretch? {
    if let last, time < last { return nil }
    if let last, (time - last).seconds > params.length / 4 { clear() }
    last = time
    if let begin, (time - begin).seconds >= params.length {
      let stretch = close()
      clear()
      take(specificForce, rotationRate, degrees)
      self.begin = time
      return stretch
    }
    if begin == nil { begin = time }
    take(specificForce, rotationRate, degrees)
    return nil
  }

  private mutating func take(_ force: Vector3?, _ rate: Vector3?, _ degrees: Scalar?) {
    if let force, force.isFinite { self.force.add(force) }
    if let rate, rate.isFinite { self.rate.add(rate) }
    if let degrees, degrees.isFinite { temperature.add(Vector3(degrees, 0, 0)) }
  }

  private mutating func clear() {
    force = RunningMean()
    rate = RunningMean()
    temperature = RunningMean()
    begin = nil
  }

  private mutating func close() -> Stretch {
    let degrees = temperature.count > 0 ? temperature.mean.x : nil
    func segment(_ mean: RunningMean) -> StillSegment? {
      guard mean.count > 1 else { return nil }
      return StillSegment(
        mean: mean.mean, spread: mean.spread, count: mean.count, temperature: degrees)
    }
    var stretch = Stretch(
      specificForce: segment(force), rotationRate: segment(rate), isStill: true)
    if stretch.specificForce == nil, stretch.rotationRate == nil { stretch.isStill = false }
    if let force = stretch.specificForce {
      if force.spread > params.specificForceSpread { stretch.isStill = false }
      if let earlier = before?.specificForce,
        (force.mean - earlier.mean).norm > params.specificForceChange
      {
        stretch.isStill = false
      }
    }
    if let rate = stretch.rotationRate {
      if rate.spread > params.rotationRateSpread { stretch.isStill = false }
      if let earlier = before?.rotationRate,
        (rate.mean - earlier.mean).norm > params.rotationRateChange
      {
        stretch.isStill = false
      }
    }
    before = stretch
    return stretch
  }
}
