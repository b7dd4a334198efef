// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Reads a series of samples at arbitrary times as a smooth function: value and slope of the
/// parabola that best fits the samples around a time (Savitzky and Golay, Analytical Chemistry 36
/// (1964) 1627). If two series use the same width, both are attenuated alike, whatever their rates.
struct LocalParabola {
  /// Half the width of the window in seconds. Samples farther away are ignored.
  let halfWidth: Scalar
  /// The first sample that may be in the window. Requested times mostly increase.
  private var first = 0

  init(halfWidth: Scalar) { self.halfWidth = halfWidth }

  /// Returns value and slope (per second) of `samples` at `time`; `nil` in a gap and at either end.
  mutating func value(
    of samples: Span<TimedVector>, at time: Timestamp
  ) -> (value: Vector3, slope: Vector3)? {
    let begin = time - TimeSpan(seconds: halfWidth)
    while first > 0, samples[first - 1].time > begin { first -= 1 }
    while first < samples.count, samples[first].time <= begin { first += 1 }
    // Moments of the weights and of the weighted samples, relative to the time.
    var moments = InlineArray<5, Scalar>(repeating: 0)
    var sums = InlineArray<3, Vector3>(repeating: .zero)
    var (least, most): (Scalar, Scalar) = (1, -1)
    var index = first
    while index < samples.count {
      let u = (samples[index].time - time).seconds / halfWidth
      guard u < 1 else { break }
      least = min(least, u)
      most = max(most, u)
      // The weight falls smoothly to zero at the ends of the window, so that the value changes
      // smoothly with time.
      let edge = 1 - u * u
      var weight = edge * edge
      for power in 0..<5 {
        moments[power] += weight
        if power < 3 { sums[power] += samples[index].value * weight }
        weight *= u
      }
      index += 1
    }
    guard index - first >= 4, least < -0.25, most > 0.25 else { return nil }
    let matrix = Matrix3(
      rows: Vector3(moments[0], moments[1], moments[2]),
      Vector3(moments[1], moments[2], moments[3]), Vector3(moments[2], moments[3], moments[4]))
    guard let inverse = matrix.inverse else { return nil }
    let value = sums[0] * inverse.m11 + sums[1] * inverse.m12 + sums[2] * inverse.m13
    let slope = sums[0] * inverse.m21 + sums[1] * inverse.m22 + sums[2] * inverse.m23
    guard value.isFinite, slope.isFinite else { return nil }
    return (value, slope / halfWidth)
  }
}
