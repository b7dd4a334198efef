// SPDX-License-Identifier: Apache-2.0

/// The straight line fitted to a series, which shows its drift.
package struct Trend: Equatable, Sendable {
  /// The slope in U/s, where U is the unit of the series.
  package let slope: Double
  /// The standard deviation of the slope if the noise is white, in U/s.
  package let error: Double

  /// Fits a line to `values`, which were taken every `interval` seconds. The slope is 0 for fewer
  /// than three values.
  package init(of values: [Double], interval: Double) {
    guard values.count > 2, interval > 0 else {
      slope = 0
      error = 0
      return
    }
    let middle = Double(values.count - 1) / 2
    var moments = Moments()
    for value in values { moments.add(value) }
    var products = 0.0
    for (index, value) in values.enumerated() {
      products += (Double(index) - middle) * (value - moments.mean)
    }
    let count = Double(values.count)
    let squares = count * (count * count - 1) / 12
    slope = products / squares / interval
    error = moments.standardDeviation / squares.squareRoot() / interval
  }
}
