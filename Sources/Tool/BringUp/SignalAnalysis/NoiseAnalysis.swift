// SPDX-License-Identifier: Apache-2.0

/// The noise analysis of one axis at rest. U is the unit of its values.
package struct NoiseAnalysis: Equatable, Sendable {
  /// The number of samples, and their interval in s.
  package let count: Int
  package let interval: Double
  /// The mean, U.
  package let mean: Double
  /// The standard deviation, U.
  package let standardDeviation: Double
  /// The smallest difference between two values, U: the step of the converter; 0 if all are
  /// equal.
  package let step: Double
  package let trend: Trend
  package let histogram: Histogram
  package let allan: AllanDeviation
  package let coefficients: NoiseCoefficients
  package let spectrum: PowerSpectrum
  package let peaks: [SpectrumPeak]

  /// Analyses `values`, taken every `interval` seconds without a gap (see `UnbrokenStretch`).
  package init(of values: [Double], interval: Double) {
    var moments = Moments()
    for value in values { moments.add(value) }
    count = values.count
    self.interval = interval
    mean = moments.mean
    standardDeviation = moments.standardDeviation
    step = Self.step(of: values)
    trend = Trend(of: values, interval: interval)
    histogram = Histogram(of: values, step: step)
    allan = AllanDeviation(of: values, interval: interval)
    coefficients = NoiseCoefficients(allan)
    spectrum = PowerSpectrum(of: values, interval: interval)
    peaks = spectrum.peaks()
  }

  /// The length of the record, s.
  package var duration: Double { Double(count) * interval }

  /// True if the noise is less than the converter's step: then all figures are due to rounding.
  package var isBelowStep: Bool { standardDeviation < 0.5 * step || step == 0 }

  /// The one-sided density of the white noise, as in data sheets, U / sqrt(Hz): sqrt(2) times the
  /// random walk, or, where the Allan deviation does not show it, the median of the spectrum from 1
  /// Hz (or a tenth of the sample rate) on. `nil` without either.
  package var noiseDensity: Double? {
    if let walk = coefficients.randomWalk { return walk.value * 2.0.squareRoot() }
    let rate = 1 / interval
    return spectrum.noiseDensity(from: min(1, rate / 10), to: rate * 0.4)
  }

  /// Returns the step, from the first values only: the noise crosses all steps repeatedly.
  private static func step(of values: [Double]) -> Double {
    let sorted = values.prefix(8192).sorted()
    // Decimal text and rotated axes leave differences in the last digits.
    let grain = 1e-9 * max(abs(sorted.first ?? 0), abs(sorted.last ?? 0))
    return zip(sorted.dropFirst(), sorted).map { $0 - $1 }.filter { $0 > grain }.min() ?? 0
  }
}
