// SPDX-License-Identifier: Apache-2.0

/// The straight line through a series: what it drifts by.
public struct Trend: Equatable, Sendable {
  /// U/s, U being the unit of the series.
  public let slope: Double
  /// The slope that white noise alone would make, one standard deviation, U/s.
  public let error: Double

  /// Of `values`, taken every `interval` seconds; 0 below three values.
  public init(of values: [Double], interval: Double) {
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
