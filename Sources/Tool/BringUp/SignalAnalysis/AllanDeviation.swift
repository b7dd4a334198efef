// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The overlapping Allan deviation of a series at rest: the difference between the means of two
/// adjacent intervals, as a function of the intervals' length. White noise decreases with the
/// square root of the length and drift increases with it, so the curve separates the two.
///
/// Sources: IEEE Std 952-1997, annex C, for gyroscopes; W. J. Riley, Handbook of Frequency
/// Stability Analysis, NIST Special Publication 1065, 5.2.4 for the overlapping estimator, 5.4.1
/// for its degrees of freedom.
package struct AllanDeviation: Equatable, Sendable {
  package struct Point: Equatable, Sendable {
    /// The number of samples in each mean.
    package var factor: Int
    /// The length of each averaged interval, in seconds.
    package var averagingTime: Double
    /// The deviation in the unit of the series.
    package var deviation: Double
    /// The 68 percent confidence interval of the true deviation.
    package var lower: Double
    package var upper: Double
    /// The degrees of freedom of the estimated variance. The relative error of `deviation` is about
    /// 1 / sqrt(2 degreesOfFreedom).
    package var degreesOfFreedom: Double
    /// d log(deviation) / d log(averagingTime) around this point: -1/2 for white noise, 0 for
    /// flicker, +1/2 for a random walk.
    package var slope: Double

    /// The standard deviation of the estimate, relative to its value.
    package var relativeError: Double { 1 / (2 * degreesOfFreedom).squareRoot() }
  }

  /// The points ordered by averaging time, from one sample to a third of the record.
  package let points: [Point]

  /// Computes the deviation of `values`, which were taken every `interval` seconds without a gap.
  /// The result is empty for fewer than eight values.
  package init(of values: [Double], interval: Double, pointsPerDecade: Int = 10) {
    guard values.count >= 8, interval > 0, pointsPerDecade > 0 else {
      points = []
      return
    }
    let phase = Self.phase(of: values)
    let factors = Self.factors(upTo: values.count / 3, pointsPerDecade: pointsPerDecade)
    let deviations = factors.map { Self.deviation(phase, factor: $0) }
    let slopes = Self.slopes(factors, deviations, window: max(pointsPerDecade / 3, 1))
    // At the end of a record the slope is random, because there are few means. For these averaging
    // times the kind of noise is therefore derived from shorter averaging times.
    let certain = factors.lastIndex { phase.count / $0 >= 50 } ?? 0
    points = factors.indices.map { index in
      let freedom = Self.degreesOfFreedom(
        phase.count, factor: factors[index], slope: slopes[min(index, certain)])
      let deviation = deviations[index]
      func bound(_ deviations: Double) -> Double {
        deviation / ChiSquared.quantile(deviations, degreesOfFreedom: freedom).squareRoot()
      }
      return Point(
        factor: factors[index], averagingTime: Double(factors[index]) * interval,
        deviation: deviation, lower: bound(1), upper: bound(-1), degreesOfFreedom: freedom,
        slope: slopes[index])
    }
  }

  /// Returns the cumulative sums of the values minus their mean, starting with 0.
  private static func phase(of values: [Double]) -> [Double] {
    let mean = values.reduce(0, +) / Double(values.count)
    var phase = [0.0]
    phase.reserveCapacity(values.count + 1)
    var sum = 0.0
    for value in values {
      // Subtract the mean, because over an hour a remaining mean would make the sum so large that
      // it lost precision.
      sum += value - mean
      phase.append(sum)
    }
    return phase
  }

  /// Returns averaging factors, evenly spaced on a logarithmic scale.
  private static func factors(upTo largest: Int, pointsPerDecade: Int) -> [Int] {
    var factors: [Int] = []
    var step = 0
    while true {
      let factor = Int(saturating: pow(10, Double(step) / Double(pointsPerDecade)))
      guard factor <= largest else { return factors }
      if factor != factors.last { factors.append(factor) }
      step += 1
    }
  }

  /// Computes the overlapping Allan deviation (SP 1065, equation 10).
  private static func deviation(_ phase: [Double], factor m: Int) -> Double {
    let terms = phase.count - 2 * m
    var sum = 0.0
    for index in 0..<terms {
      let difference = phase[index + 2 * m] - 2 * phase[index + m] + phase[index]
      sum += difference * difference
    }
    return (sum / (2 * Double(m) * Double(m) * Double(terms))).squareRoot()
  }

  /// Returns the slope at each point, from a straight line through the logarithms of `window`
  /// neighbours on either side. The neighbours are weighted by how often their intervals fit into
  /// the record.
  private static func slopes(_ factors: [Int], _ deviations: [Double], window: Int) -> [Double] {
    factors.indices.map { index in
      var weights = 0.0
      var meanX = 0.0
      var meanY = 0.0
      let near = max(index - window, 0)...min(index + window, factors.count - 1)
      let line = near.filter { deviations[$0] > 0 }.map { place in
        (x: log(Double(factors[place])), y: log(deviations[place]), w: 1 / Double(factors[place]))
      }
      for point in line {
        weights += point.w
        meanX += point.w * (point.x - meanX) / weights
        meanY += point.w * (point.y - meanY) / weights
      }
      var products = 0.0
      var squares = 0.0
      for point in line {
        products += point.w * (point.x - meanX) * (point.y - meanY)
        squares += point.w * (point.x - meanX) * (point.x - meanX)
      }
      return squares > 0 ? products / squares : 0
    }
  }

  /// Returns the degrees of freedom for `count` sums and for the kind of noise that `slope`
  /// indicates (SP 1065, table 5).
  private static func degreesOfFreedom(_ count: Int, factor: Int, slope: Double) -> Double {
    let n = Double(count)
    let m = Double(factor)
    let white = (3 * (n - 1) / (2 * m) - 2 * (n - 2) / n) * 4 * m * m / (4 * m * m + 5)
    let freedom =
      switch slope {
      case ..<(-0.75): (n + 1) * (n - 2 * m) / (2 * (n - m))
      case ..<(-0.25): white
      case ..<0.25:
        factor == 1
          ? 2 * (n - 2) * (n - 2) / (2.3 * n - 4.9) : 5 * n * n / (4 * m * (n + 3 * m))
      default:
        (n - 2) / m * ((n - 1) * (n - 1) - 3 * m * (n - 1) + 4 * m * m) / ((n - 3) * (n - 3))
      }
    return max(freedom, 1)
  }
}
