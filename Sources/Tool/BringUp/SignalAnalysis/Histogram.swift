// SPDX-License-Identifier: Apache-2.0

/// The counts of values in bins of equal width.
package struct Histogram: Equatable, Sendable {
  /// The lower edge of the first bin and the width of each bin, in the unit of the series.
  package let start: Double
  package let width: Double
  package let counts: [Int]

  /// Creates a histogram of `values` with about `bins` bins. With a converter's `step` each bin
  /// spans the same number of steps, because otherwise rounding would make the counts uneven.
  package init(of values: [Double], bins: Int = 60, step: Double = 0) {
    let least = values.min() ?? 0
    let greatest = values.max() ?? 0
    let span = greatest - least
    guard span > 0, span.isFinite, bins > 0 else {
      start = least
      width = 0
      counts = values.isEmpty ? [] : [values.count]
      return
    }
    var width = span / Double(bins)
    if step > 0 { width = max((width / step).rounded(.up), 1) * step }
    let start = step > 0 ? least - step / 2 : least
    var counts = [Int](repeating: 0, count: Int((greatest - start) / width) + 1)
    for value in values { counts[min(Int((value - start) / width), counts.count - 1)] += 1 }
    self.start = start
    self.width = width
    self.counts = counts
  }
}
