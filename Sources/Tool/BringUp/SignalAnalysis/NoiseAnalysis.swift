// SPDX-License-Identifier: Apache-2.0

/// The noise analysis of one axis at rest. U is the unit of the values.
package struct NoiseAnalysis: Equatable, Sendable {
  /// The number of samples, and the interval between them in seconds.
  package let count: Int
  package let interval: Double
  /// The mean in U.
  package let mean: Double
  /// The standard deviation in U.
  package let standardDeviation: Double
  /// The smallest difference between two values in U, which is the step of the converter; 0 if all
  /// values are equal.
  package let step: Double
  package let trend: Trend
  package let allan: AllanDeviation
  package let coefficients: NoiseCoefficients
  package let spectrum: PowerSpectrum
  package let peaks: [SpectrumPeak]

  /// Analyses `values`, which were taken every `interval` seconds without a gap; see
  /// `UnbrokenStretch`.
  package init(of values: [Double], interval: Double) {
    var moments = Moments()
    for value in values { moments.add(value) }
    count = values.count
    self.interval = interval
    mean = moments.mean
    standardDeviation = moments.standardDeviation
    step = Self.step(of: values)
    trend = Trend(of: values, interval: interval)
    allan = AllanDeviation(of: values, interval: interval)
    coefficients = NoiseCoefficients(allan)
    spectrum = PowerSpectrum(of: values, interval: interval)
    // Ignore lines below this size, because they result from the rounding of sums: a constant has
    // no lines.
    let grain = 1e-9 * abs(mean)
    peaks = spectrum.peaks().filter { $0.deviation > grain }
  }

  /// The length of the record in seconds.
  package var duration: Double { Double(count) * interval }

  /// True if the noise is below the converter's step, so that all figures result from rounding.
  package var isBelowStep: Bool { standardDeviation < 0.5 * step || step == 0 }

  /// The one-sided density of the white noise, as in data sheets, in U / sqrt(Hz). It is sqrt(2)
  /// times the random walk. If the Allan deviation shows no random walk, it is the median of the
  /// spectrum above 1 Hz or a tenth of the sample rate, whichever is lower. `nil` if neither
  /// exists.
  package var noiseDensity: Double? {
    if let walk = coefficients.randomWalk { return walk.value * 2.0.squareRoot() }
    let rate = 1 / interval
    return spectrum.noiseDensity(from: min(1, rate / 10), to: rate * 0.4)
  }

  /// Returns the converter's step. The first values are enough, because noise crosses all steps
  /// repeatedly.
  private static func step(of values: [Double]) -> Double {
    let sorted = values.prefix(8192).sorted()
    // Ignore differences in the last digits, which result from decimal text and rotated axes.
    let grain = 1e-9 * max(abs(sorted.first ?? 0), abs(sorted.last ?? 0))
    return zip(sorted.dropFirst(), sorted).map { $0 - $1 }.filter { $0 > grain }.min() ?? 0
  }
}
