// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Statistics of the edges on an interrupt line.
package struct EdgeStatistics: Equatable, Codable, Sendable {
  /// The number of edges in one bin of the histogram of deviations from the typical interval.
  package struct Bin: Equatable, Codable, Sendable {
    package var lowestUs: Double
    package var highestUs: Double
    package var count: Int
  }

  package var edges: Int
  /// The time from the first to the last edge, in seconds.
  package var spanS: Double
  /// The typical interval in seconds, which is unaffected by lost and doubled edges; `nil` if there
  /// are fewer than three edges.
  package var periodS: Double?
  /// The overall number of edges per second.
  package var rateHz: Double?
  /// The number of missing edges, and the number of edges in excess of one per period.
  package var lost = 0
  package var doubled = 0
  /// The deviation of the intervals from the typical interval, in microseconds: standard deviation,
  /// 99th percentile, maximum. Intervals of several periods are excluded.
  package var jitterDeviationUs = 0.0
  package var jitterP99Us = 0.0
  package var jitterWorstUs = 0.0
  package var histogram: [Bin] = []

  /// Evaluates edges at increasing `times`, on a line with a nominal rate of `nominalHz`.
  package init(_ times: [Timestamp], nominalHz: Double) {
    edges = times.count
    guard let first = times.first, let last = times.last, times.count > 2, nominalHz > 0 else {
      spanS = times.count > 1 ? (times[times.count - 1] - times[0]).seconds : 0
      return
    }
    spanS = (last - first).seconds
    let gaps = zip(times, times.dropFirst()).map { ($1 - $0).seconds }
    let nominal = 1 / nominalHz
    // Exclude intervals below a quarter of the period. They come from doubled edges, or from edges
    // with a late timestamp.
    let whole = gaps.filter { $0 > nominal / 4 }.sorted()
    guard !whole.isEmpty, spanS > 0 else { return }
    var period = whole[whole.count / 2]
    // If most edges are lost, the median interval is several periods long.
    let multiple = (period / nominal).rounded()
    if multiple >= 2, abs(period / multiple / nominal - 1) < 0.15,
      whole[0] < period / multiple * 1.5
    {
      period /= multiple
    }
    periodS = period
    rateHz = Double(edges - 1) / spanS
    let expected = Int(saturating: (spanS / period).rounded() + 1)
    let surplus = edges - expected
    doubled = max(0, surplus)
    lost = max(0, -surplus)
    // Lost and doubled edges cancel in the total number of edges, so count them from the intervals.
    let held = gaps.reduce(0) { $0 + max(0, Int(saturating: ($1 / period).rounded() - 1)) }
    if surplus > 0, held > 0 { (lost, doubled) = (held, surplus + held) }
    let deviations = gaps.filter { abs($0 / period - 1) < 0.5 }.map { ($0 - period) * 1e6 }
    spread(deviations)
  }

  private mutating func spread(_ deviations: [Double]) {
    guard !deviations.isEmpty else { return }
    let mean = deviations.reduce(0, +) / Double(deviations.count)
    let squares = deviations.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    jitterDeviationUs = (squares / Double(deviations.count)).squareRoot()
    let sizes = deviations.map { abs($0) }.sorted()
    jitterP99Us = sizes[min(sizes.count - 1, sizes.count * 99 / 100)]
    jitterWorstUs = sizes[sizes.count - 1]
    // Use eleven bins around zero whose width is 1, 2 or 5 times a power of ten.
    let widths = (0..<7).flatMap { power in
      [1.0, 2, 5].map { $0 * (0..<power).reduce(0.1) { sum, _ in sum * 10 } }
    }
    let width = widths.first { $0 * 5.5 >= jitterP99Us } ?? 500_000
    histogram = (-5...5).map { index in
      let low = (Double(index) - 0.5) * width
      let high = low + width
      return Bin(
        lowestUs: low, highestUs: high,
        count: deviations.count {
          ($0 >= low || index == -5) && ($0 < high || index == 5)
        })
    }
  }
}
