// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// An Allan deviation as three numbers, after IEEE Std 952-1997, annex C. U is the unit of the
/// series.
package struct NoiseCoefficients: Equatable, Sendable {
  package struct Estimate: Equatable, Sendable {
    package var value: Double
    /// One standard deviation, relative to `value`.
    package var relativeError: Double
    /// The averaging times used, s.
    package var averagingTimes: ClosedRange<Double>
  }

  /// The minimum of the curve.
  package struct Instability: Equatable, Sendable {
    /// The minimum, U.
    package var value: Double
    package var relativeError: Double
    /// The averaging time at the minimum, s.
    package var averagingTime: Double
    /// True if the curve was still decreasing: a longer record would find a lower minimum, and
    /// `value` is only an upper limit.
    package var isBound: Bool
  }

  /// The random walk N of the series' integral, U sqrt(s): for a gyroscope's rate the angle random
  /// walk. sigma(tau) = N / sqrt(tau) where the slope is -1/2, and N is its value at 1 s. `nil`
  /// where the curve has no such part.
  package let randomWalk: Estimate?
  /// The bias instability B: the lowest sigma divided by 0.664, which is sqrt(2 ln 2 / pi). `nil`
  /// where the curve is not known well enough.
  package let instability: Instability?
  /// The random walk K of the series itself, U / sqrt(s): sigma(tau) = K sqrt(tau / 3) where the
  /// slope is +1/2; `nil` for most records, which are too short to show it.
  package let rateRandomWalk: Estimate?

  /// The Allan deviation of flicker noise with bias instability 1, at any averaging time.
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

  /// Returns the minimum of the part of the curve that is known within 7 %, each point averaged
  /// with those up to twice and half its averaging time: the lowest single point would be biased,
  /// on average a tenth below the truth after an hour at 100 Hz.
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

  /// Returns the geometric mean, each point weighted by its degrees of freedom.
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

  /// Returns the mean of `coefficient` over the longest part of the curve with this slope.
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
    // At least a third of a decade: a curve that only passes through the slope does not count.
    guard let first = longest.first, let last = longest.last, length(longest) >= 2 else {
      return nil
    }
    // Adjacent points share their samples: together they are hardly better than the best one.
    let error = longest.map(\.relativeError).min() ?? 1
    return Estimate(
      value: mean(longest, of: coefficient), relativeError: error,
      averagingTimes: first.averagingTime...last.averagingTime)
  }
}
