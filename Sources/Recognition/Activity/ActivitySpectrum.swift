// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The power of a window's movement at 0.2 ... 6.05 Hz, along gravity and across it.
///
/// Higher frequencies are left out on purpose: a sensor of 12.5 Hz has none, and what had been
/// learned of them would be which sensor it is.
struct ActivitySpectrum {
  static var count: Int { 31 }

  /// g squared, of bins 1 ... 31: all bins together are the variance.
  private(set) var vertical = InlineArray<31, Scalar>(repeating: 0)
  /// The mean of the two horizontal axes.
  private(set) var horizontal = InlineArray<31, Scalar>(repeating: 0)
  /// cos(2 pi n / 128).
  let cosines: InlineArray<128, Scalar>

  /// Creates the spectrum of `movement`, the window without its mean, whose direction `down` is.
  init(_ movement: Span<Vector3>, down: Vector3) {
    var cosines = InlineArray<128, Scalar>(repeating: 0)
    for n in 0..<128 { cosines[n] = cos(2 * Scalar.pi * Scalar(n) / 128) }
    self.cosines = cosines
    // Even bins repeat after half the window and odd ones turn their sign, so that half the sums
    // will do.
    var even = InlineArray<64, Vector3>(repeating: .zero)
    var odd = even
    for n in 0..<64 {
      let early = movement[n] * (0.5 - 0.5 * cosines[n])
      let late = movement[n + 64] * (0.5 - 0.5 * cosines[n + 64])
      even[n] = early + late
      odd[n] = early - late
    }
    // One-sided; the squares of a Hann window of 128 add up to 48.
    let scale = 2.0 / (128 * 48)
    for k in 1...Self.count {
      let (cosine, sine) = (cosines[k], cosines[(k + 96) & 127])
      let (one, two) =
        k & 1 == 0 ? Self.recur(even.span, 2 * cosine) : Self.recur(odd.span, 2 * cosine)
      let real = one - cosine * two
      let imaginary = sine * two
      let along = real.dot(down) * real.dot(down) + imaginary.dot(down) * imaginary.dot(down)
      let whole = real.dot(real) + imaginary.dot(imaginary)
      vertical[k - 1] = scale * along
      horizontal[k - 1] = max(0, scale * (whole - along)) / 2
    }
  }

  /// Computes Goertzel's algorithm, three axes at once.
  @inline(__always)
  private static func recur(
    _ values: Span<Vector3>, _ factor: Scalar
  ) -> (Vector3, Vector3) {
    var (one, two) = (Vector3.zero, Vector3.zero)
    for n in 0..<64 { (one, two) = ((values[n] - two) + factor * one, one) }
    return (one, two)
  }
}

/// The peak of a spectrum between 0.8 and 4.7 Hz, and the share of it that lies there.
struct SpectralPeak {
  /// Of the natural logarithm, Hz.
  var logFrequency: Scalar
  /// Of the peak and its neighbours, in all from 0.6 Hz on.
  var share: Scalar
  /// The same at twice the frequency.
  var harmonicShare: Scalar

  init(_ powers: InlineArray<31, Scalar>, floor: Scalar) {
    let spectrum = powers.span
    var peak = 3
    for k in 3..<24 where spectrum[k] > spectrum[peak] { peak = k }
    var whole = floor
    for k in 2..<31 { whole += spectrum[k] }
    let twice = min(2 * peak + 1, 29)
    logFrequency = log(Scalar(peak + 1) * ActivityWindow.rate / Scalar(ActivityWindow.count))
    share = (spectrum[peak - 1] + spectrum[peak] + spectrum[peak + 1]) / whole
    harmonicShare = (spectrum[twice - 1] + spectrum[twice] + spectrum[twice + 1]) / whole
  }
}
