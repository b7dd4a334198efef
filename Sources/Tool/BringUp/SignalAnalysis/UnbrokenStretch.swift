// SPDX-License-Identifier: Apache-2.0

/// The longest part of a series without missing samples. Spectra and Allan deviations need such a
/// part, because interpolated values would change the noise.
package struct UnbrokenStretch: Equatable, Sendable {
  /// The range of indices of this part in the series.
  package let range: Range<Int>
  /// The mean interval between the samples of this part, in seconds.
  package let interval: Double
  /// The number of gaps in the whole series.
  package let gaps: Int

  /// Finds the longest unbroken part of a series sampled at `times`, in seconds. A gap is an
  /// interval of more than 1.5 times the typical interval, or a time that goes back. Returns `nil`
  /// for fewer than two samples.
  package init?(times: [Double]) {
    guard times.count > 1 else { return nil }
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
    let usual = intervals.sorted()[intervals.count / 2]
    var start = 0
    var longest = 0..<1
    var gaps = 0
    for index in 1...times.count {
      let isGap =
        index == times.count || !(intervals[index - 1] <= 1.5 * usual)
        || intervals[index - 1] < 0
      guard isGap else { continue }
      if index < times.count { gaps += 1 }
      if index - start > longest.count { longest = start..<index }
      start = index
    }
    guard longest.count > 1 else { return nil }
    range = longest
    interval =
      (times[longest.upperBound - 1] - times[longest.lowerBound]) / Double(longest.count - 1)
    self.gaps = gaps
  }
}
