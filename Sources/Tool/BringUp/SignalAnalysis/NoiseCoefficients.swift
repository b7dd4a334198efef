// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// The three coefficients that describe an Allan deviation (IEEE Std 952-1997, annex C). U is the
/// unit of the series.
package struct NoiseCoefficients: Equatable, Sendable {
  package struct Estimate: Equatable, Sendable {
    package var value: Double
    /// The standard deviation of the estimate, relative to `value`.
    package var relativeError: Double
    /// The averaging times of the points used, in seconds.
    package var averagingTimes: ClosedRange<Double>
  }

  /// The minimum of the Allan deviation.
  package struct Instability: Equatable, Sendable {
    /// The value at the minimum in U.
    package var value: Double
    package var relativeError: Double
    /// The averaging time at the minimum of the Allan deviation, in seconds.
    package var averagingTime: Double
    /// True if the curve still decreases at its end. A longer record would then show a lower
    /// minimum, so `value` is an upper limit.
    package var isBound: Bool
  }

  /// The random walk N of the series' integral in U sqrt(s); for a gyroscope, the angle random
  /// walk. On the part of the curve with slope -1/2, sigma(tau) = N / sqrt(tau), so N is the value
  /// at 1 s. `nil` if the curve has no such part.
  package let randomWalk: Estimate?
  /// The bias instability B: the lowest sigma divided by 0.664 = sqrt(2 ln 2 / pi). `nil` if no
  /// part of the curve is known well enough.
  package let instability: Instability?
  /// The random walk K of the series itself in U / sqrt(s). On the part of the curve with slope
  /// +1/2, sigma(tau) = K sqrt(tau / 3). `nil` if the record is too short to show this part, as
  /// most records are.
  package let rateRandomWalk: Estimate?

  /// The Allan deviation, at any averaging time, of flicker noise with bias instability 1.
  package static let flickerLevel = (2 * log(2) / Double.pi).squareRoot()

  package init(_ allan: AllanDeviation) {
    randomWalk = Self.estimate(allan, slope: -0.5, within: 0.1) {
      $0.deviation * $0.averagingTime.squareRoot()
    }
    let floor = Self.floor(allan)
    instability = floor
    let start = floor?.averagingTime ?? 0
    rateRandomWalk = Self.estimate(allan, slope: 0.5, within: 0.2, after: start) {
      $0.deviation * (3 / $0.averagingTime).squareRoot()
    }
  }

  /// Returns the minimum of the part of the curve whose error is at most 7 percent. Each point is
  /// averaged with the points from half to twice its averaging time. Without averaging, the lowest
  /// point would be about 10 percent too low after an hour at 100 Hz.
  private static func floor(_ allan: AllanDeviation) -> Instability? {
    let certain = allan.points.filter { $0.degreesOfFreedom >= 100 && $0.deviation > 0 }
    let smooth = certain.map { middle in
      let ratios = 0.45...2.2
      return mean(
        certain.filter { ratios.contains($0.averagingTime / middle.averagingTime) }[...],
        of: \.deviation)
    }
    guard let lowest = smooth.indices.min(by: { smooth[$0] < smooth[$1] }) else { return nil }
    return Instability(
      value: smooth[lowest] / flickerLevel, relativeError: certain[lowest].relativeError,
      averagingTime: certain[lowest].averagingTime, isBound: certain[lowest].slope < -0.2)
  }

  /// Returns the geometric mean of `value` over `points`, in which each point is weighted by its
  /// degrees of freedom.
  private static func mean(
    _ points: ArraySlice<AllanDeviation.Point>, of value: (AllanDeviation.Point) -> Double
  ) -> Double {
    var weights = 0.0
    var mean = 0.0
    for point in points {
      weights += point.degreesOfFreedom
      mean += point.degreesOfFreedom * (log(value(point)) - mean) / weights
    }
    return exp(mean)
  }

  /// Returns the mean of `coefficient` over the longest part of the curve whose slope is within
  /// `tolerance` of `slope`.
  private static func estimate(
    _ allan: AllanDeviation, slope: Double, within tolerance: Double, after start: Double = 0,
    _ coefficient: (AllanDeviation.Point) -> Double
  ) -> Estimate? {
    var longest: ArraySlice<AllanDeviation.Point> = []
    func length(_ part: ArraySlice<AllanDeviation.Point>) -> Double {
      guard let first = part.first, let last = part.last else { return 0 }
      return last.averagingTime / first.averagingTime
    }
    for part in allan.points.split(whereSeparator: {
      abs($0.slope - slope) > tolerance || $0.averagingTime < start || $0.degreesOfFreedom < 4
        || $0.deviation <= 0
    }) where length(part) > length(longest) { longest = part }
    // Require a part that spans a factor of two, because a curve that only passes through the slope
    // does not count.
    guard let first = longest.first, let last = longest.last, length(longest) >= 2 else {
      return nil
    }
    // Adjacent points use the same samples, so their mean is no more accurate than the best point.
    let error = longest.map(\.relativeError).min() ?? 1
    return Estimate(
      value: mean(longest, of: coefficient), relativeError: error,
      averagingTimes: first.averagingTime...last.averagingTime)
  }
}
