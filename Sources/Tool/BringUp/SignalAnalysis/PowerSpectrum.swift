// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// The one-sided power spectral density of a series. Its integral from 0 to half the sample rate is
/// the variance. The method is by P. D. Welch, IEEE Transactions on Audio and Electroacoustics 15
/// (1967): the mean over half-overlapping segments, each with its mean removed and a Hann window.
package struct PowerSpectrum: Equatable, Sendable {
  /// The frequency step in Hz. The first value, at 0 Hz, has no meaning, because the mean is
  /// removed.
  package let resolution: Double
  /// The density in U^2 / Hz, where U is the unit of the series. Its square root is the noise
  /// density of data sheets.
  package let density: [Double]
  /// The number of averaged segments.
  package let segments: Int

  /// Computes the spectrum of `values`, which were taken every `interval` seconds without a gap.
  /// `segment` is rounded down to a power of two; `nil` selects an eighth of the series, but at
  /// most 8192 values. The result is empty for fewer than 32 values.
  package init(of values: [Double], interval: Double, segment: Int? = nil) {
    let wanted = min(segment ?? min(max(values.count / 8, 64), 8192), values.count)
    guard wanted >= 32, interval > 0 else {
      resolution = 0
      density = []
      segments = 0
      return
    }
    let count = 1 << (Int.bitWidth - 1 - wanted.leadingZeroBitCount)
    let window = (0..<count).map { 0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(count)) }
    let transform = FourierTransform(count: count)
    var sums = [Double](repeating: 0, count: count / 2 + 1)
    var real = [Double](repeating: 0, count: count)
    var imaginary = real
    let starts = Array(stride(from: 0, through: values.count - count, by: count / 2))
    // Each transform handles two segments, of which one is the imaginary part. The result is the
    // sum of both powers.
    for pair in stride(from: 0, to: starts.count, by: 2) {
      Self.load(&real, values, starts[pair], window)
      if pair + 1 < starts.count {
        Self.load(&imaginary, values, starts[pair + 1], window)
      } else {
        for index in imaginary.indices { imaginary[index] = 0 }
      }
      transform.transform(&real, &imaginary)
      for index in sums.indices {
        let mirror = (count - index) % count
        sums[index] +=
          (real[index] * real[index] + imaginary[index] * imaginary[index]
            + real[mirror] * real[mirror] + imaginary[mirror] * imaginary[mirror]) / 2
      }
    }
    let power = window.reduce(0) { $0 + $1 * $1 }
    let scale = 2 * interval / (power * Double(starts.count))
    density = sums.indices.map { index in
      // Add the power at negative frequencies. At 0 and at half the sample rate there is no such
      // power.
      sums[index] * scale * (index == 0 || index == count / 2 ? 0.5 : 1)
    }
    resolution = 1 / (interval * Double(count))
    segments = starts.count
  }

  private static func load(
    _ part: inout [Double], _ values: [Double], _ start: Int, _ window: [Double]
  ) {
    var mean = 0.0
    for index in part.indices { mean += values[start + index] }
    mean /= Double(part.count)
    for index in part.indices { part[index] = (values[start + index] - mean) * window[index] }
  }

  /// Returns the frequency of the value at `index`, in Hz.
  package func frequency(_ index: Int) -> Double { Double(index) * resolution }

  /// The degrees of freedom of each value. Neighbouring segments share a sixth of their power,
  /// because they overlap by half and have Hann windows (Welch, equation 12).
  package var degreesOfFreedom: Double {
    let count = Double(segments)
    return segments > 1 ? 36 * count * count / (19 * count - 1) : 2
  }

  /// Returns the median density between two frequencies in U / sqrt(Hz); `nil` if there is no value
  /// between them. Spectral lines do not affect the median.
  package func noiseDensity(from low: Double, to high: Double) -> Double? {
    // In a short record the lowest frequency may be above the limit derived from the sample rate.
    guard low <= high else { return nil }
    let band = density.indices.filter { $0 > 0 && (low...high).contains(frequency($0)) }
      .map { density[$0] }.sorted()
    guard !band.isEmpty else { return nil }
    let median = ChiSquared.quantile(0, degreesOfFreedom: degreesOfFreedom)
    return (band[band.count / 2] / median).squareRoot()
  }
}
