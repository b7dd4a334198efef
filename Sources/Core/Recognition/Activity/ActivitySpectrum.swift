// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The power spectrum of the movement in a window at 0.2 ... 6.05 Hz, along gravity and across
/// gravity.
///
/// Higher frequencies are left out on purpose. A 12.5 Hz sensor does not measure them, so a model
/// could use them to guess the sensor of a recording.
struct ActivitySpectrum {
  static var count: Int { 31 }

  /// The power along gravity in g squared, in bins 1 ... 31. The sum over all bins is the variance.
  private(set) var vertical = InlineArray<31, Scalar>(repeating: 0)
  /// The mean power of the two axes across gravity in g squared, in bins 1 ... 31.
  private(set) var horizontal = InlineArray<31, Scalar>(repeating: 0)

  /// Creates the spectrum of `movement`, the window without its mean. `down` is the direction of
  /// gravity. The computation overwrites `movement`.
  init(takingApart movement: inout MutableSpan<Vector3>, down: Vector3) {
    for n in 0..<64 {
      let cosine = ActivityWave.cosine(n)
      movement[n] = movement[n] * (0.5 - 0.5 * cosine)
      movement[n + 64] = movement[n + 64] * (0.5 + 0.5 * cosine)
    }
    // In the second half of the window, the waves of even bins repeat, and the waves of odd bins
    // change their sign, so half of the sums are enough. The same applies to the even bins of that
    // half, and so on.
    var half = 64
    while half >= 4 {
      for n in 0..<half {
        let (early, late) = (movement[n], movement[n + half])
        movement[n] = early + late
        movement[n + half] = early - late
      }
      half /= 2
    }
    // The spectrum is one-sided. The squares of a 128-point Hann window sum to 48.
    let scale = 2.0 / (128 * 48)
    for k in 1...Self.count {
      let (cosine, sine) = (ActivityWave.cosine(k), ActivityWave.cosine(k - 32))
      let length = 64 >> k.trailingZeroBitCount
      // Goertzel's algorithm for three axes at once.
      let factor = 2 * cosine
      var (one, two) = (Vector3.zero, Vector3.zero)
      for n in length..<2 * length { (one, two) = ((movement[n] - two) + factor * one, one) }
      let real = one - cosine * two
      let imaginary = sine * two
      let along = real.dot(down) * real.dot(down) + imaginary.dot(down) * imaginary.dot(down)
      let whole = real.dot(real) + imaginary.dot(imaginary)
      vertical[k - 1] = scale * along
      horizontal[k - 1] = max(0, scale * (whole - along)) / 2
    }
  }
}

/// A table of the cosine with one period per window.
enum ActivityWave {
  /// The first quarter of the period of the cosine.
  private static let quarter: InlineArray<33, Scalar> = [
    1.0, 0.9987954562051724, 0.9951847266721969, 0.989176509964781, 0.9807852804032304,
    0.970031253194544, 0.9569403357322088, 0.9415440651830208, 0.9238795325112867,
    0.9039892931234433, 0.881921264348355, 0.8577286100002721, 0.8314696123025452,
    0.8032075314806449, 0.773010453362737, 0.7409511253549591, 0.7071067811865476,
    0.6715589548470183, 0.6343932841636455, 0.5956993044924335, 0.5555702330196023,
    0.5141027441932217, 0.4713967368259978, 0.4275550934302822, 0.38268343236508984,
    0.33688985339222005, 0.29028467725446233, 0.24298017990326398, 0.19509032201612833,
    0.14673047445536175, 0.09801714032956077, 0.049067674327418126, 0.0,
  ]

  /// Returns cos(2 pi n / 128).
  static func cosine(_ n: Int) -> Scalar {
    // The cosine is symmetric about the centre of its period.
    let turn = n & 127
    let place = turn > 64 ? 128 - turn : turn
    return place > 32 ? -quarter[64 - place] : quarter[place]
  }
}

/// The peak of a spectrum between 0.8 and 4.7 Hz, and its share of the power.
struct SpectralPeak {
  /// The natural logarithm of the frequency of the peak in Hz.
  var logFrequency: Scalar
  /// The power of the peak and its two neighbours, as a share of the power from 0.6 Hz.
  var share: Scalar
  /// The power at twice the frequency of the peak, as a share of the same power.
  var harmonicShare: Scalar

  init(_ spectrum: Span<Scalar>, floor: Scalar) {
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
