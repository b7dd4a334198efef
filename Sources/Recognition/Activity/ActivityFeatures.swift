// SPDX-License-Identifier: Apache-2.0
internal import CMath
package import Quantities

/// The features that tell activities apart in five seconds of acceleration, in whichever way the
/// device is turned or mounted: numbers that no rotation and no change of sign alters.
/// `Training/activity/features.py` computes the same.
package struct ActivityFeatures {
  package static var count: Int { 36 }
  /// Weaker than this is the sensor and not who carries it: (5 mg) squared, the noise of a cheap
  /// sensor.
  static var floor: Scalar { 2.5e-5 }

  /// Less than this does gravity not turn but by noise: one less the cosine of 0.8 degrees.
  static var leastTurn: Scalar { 1e-4 }

  package private(set) var values = InlineArray<36, Scalar>(repeating: 0)
  private var used = 0

  package init(_ window: InlineArray<128, Vector3>) {
    let samples = window.span
    var mean = Vector3.zero
    for n in 0..<128 { mean += samples[n] }
    mean = mean / 128
    let down = mean / max(mean.norm, 1e-3)
    var moved = InlineArray<128, Vector3>(repeating: .zero)
    for n in 0..<128 { moved[n] = samples[n] - mean }
    let movement = moved.span
    let spectrum = ActivitySpectrum(movement, down: down)
    addBands(spectrum)
    addRhythm(spectrum)
    addParts(movement)
    addShape(movement, down: down)
    addInclination(movement, mean: mean, down: down)
    addStrides(spectrum)
  }

  private mutating func add(_ value: Scalar) {
    values[used] = value
    used += 1
  }

  /// Adds the strength of the movement by frequency: 18 values.
  private mutating func addBands(_ spectrum: ActivitySpectrum) {
    let (along, across) = (spectrum.vertical, spectrum.horizontal)
    let (vertical, horizontal) = (along.span, across.span)
    let first: InlineArray<9, Int> = [0, 2, 4, 6, 9, 12, 16, 22, 31]
    for band in 0..<8 {
      add(log(Self.sum(vertical, first[band]..<first[band + 1]) + Self.floor))
    }
    for band in 0..<8 {
      add(log(Self.sum(horizontal, first[band]..<first[band + 1]) + Self.floor))
    }
    add(log(Self.sum(vertical, 2..<31) + Self.floor))
    add(log(Self.sum(horizontal, 2..<31) + Self.floor))
  }

  /// Adds its regularity: 7 values.
  private mutating func addRhythm(_ spectrum: ActivitySpectrum) {
    let vertical = SpectralPeak(spectrum.vertical, floor: Self.floor)
    let horizontal = SpectralPeak(spectrum.horizontal, floor: Self.floor)
    add(vertical.logFrequency)
    add(vertical.share)
    add(vertical.harmonicShare)
    // The autocorrelation, of the spectrum. Short lags are high for whatever is smooth, so the rise
    // from the lowest before counts. Lags of 0.2 ... 1.28 s: the step of a runner to the stride of
    // a walker.
    var power = spectrum.vertical
    let (across, table) = (spectrum.horizontal, spectrum.cosines)
    let cosines = table.span
    for k in 0..<31 { power[k] += 2 * across[k] }
    let whole = Self.sum(power.span, 2..<31) + Self.floor
    var (lowest, best, bestLag) = (Scalar.infinity, -1.0, 5)
    for lag in 5..<33 {
      let correlation = Self.correlation(power.span, lag, cosines) / whole
      lowest = min(lowest, correlation)
      if correlation - lowest > best { (best, bestLag) = (correlation - lowest, lag) }
    }
    add(best)
    add(Scalar(bestLag) / ActivityWindow.rate)
    add(horizontal.share)
    add(horizontal.logFrequency)
  }

  /// Adds its steadiness: the strongest and the weakest of its eight parts.
  private mutating func addParts(_ movement: Span<Vector3>) {
    var (strongest, weakest) = (0.0, Scalar.infinity)
    for part in 0..<8 {
      let centre = Self.mean(movement, part: part)
      var power = 0.0
      for n in 16 * part..<16 * part + 16 {
        let apart = movement[n] - centre
        power += apart.dot(apart) / 16
      }
      strongest = max(strongest, power)
      weakest = min(weakest, power)
    }
    add(log(strongest + Self.floor))
    add(log(weakest + Self.floor))
  }

  /// Adds its shape: the symmetry of the swing to both sides, and its excursions beyond the usual:
  /// impacts do neither as a swing does.
  private mutating func addShape(_ movement: Span<Vector3>, down: Vector3) {
    var (second, third, fourth) = (0.0, 0.0, 0.0)
    for n in 0..<128 {
      let along = movement[n].dot(down)
      let square = along * along
      second += square / 128
      third += square * along / 128
      fourth += square * square / 128
    }
    let variance = second + Self.floor
    add(third / (variance * variance.squareRoot()))
    add(log(fourth / (variance * variance) + 0.1))
  }

  /// Adds the turns of gravity: from its mean, and from part to part.
  private mutating func addInclination(
    _ movement: Span<Vector3>, mean: Vector3, down: Vector3
  ) {
    var (furthest, step) = (0.0, 0.0)
    var before: Vector3?
    for part in 0..<8 {
      let pull = Self.mean(movement, part: part) + mean
      let direction = pull / max(pull.norm, 1e-3)
      furthest = max(furthest, 1 - direction.dot(down))
      if let before { step = max(step, 1 - direction.dot(before)) }
      before = direction
    }
    add(log(furthest + Self.leastTurn))
    add(log(step + Self.leastTurn))
  }

  /// Adds what a step is to a stride: the longest of both, and how alike the movement is to itself
  /// a stride later, and half a stride later. Both legs of a walker push the body up, each with its
  /// step. Of a leg on a pedal half a turn later the reverse is true.
  private mutating func addStrides(_ spectrum: ActivitySpectrum) {
    var power = spectrum.horizontal
    for k in 0..<31 { power[k] *= 2 }
    let (along, across, table) = (spectrum.vertical, power, spectrum.cosines)
    let (vertical, horizontal, cosines) = (along.span, across.span, table.span)
    for k in 0..<31 { power[k] += vertical[k] }
    // Lags of 0.48 ... 2.56 s, even ones, so that half of them is one.
    var (lowest, best, stride) = (Scalar.infinity, -1.0, 12)
    let whole = Self.sum(power.span, 2..<31) + 2 * Self.floor
    for half in 6..<33 {
      let correlation = Self.correlation(power.span, 2 * half, cosines) / whole
      lowest = min(lowest, correlation)
      if correlation - lowest > best { (best, stride) = (correlation - lowest, 2 * half) }
    }
    let upward = Self.sum(vertical, 2..<31) + Self.floor
    let sideways = Self.sum(horizontal, 2..<31) + Self.floor
    add(log(Scalar(stride) / ActivityWindow.rate))
    add(Self.correlation(vertical, stride, cosines) / upward)
    add(Self.correlation(vertical, stride / 2, cosines) / upward)
    add(Self.correlation(horizontal, stride, cosines) / sideways)
    add(Self.correlation(horizontal, stride / 2, cosines) / sideways)
  }

  /// Returns the autocorrelation of what has this spectrum, of steps and slower waves.
  private static func correlation(
    _ power: Span<Scalar>, _ lag: Int, _ cosines: Span<Scalar>
  ) -> Scalar {
    var sum = 0.0
    for k in 2..<31 { sum += power[k] * cosines[(lag * (k + 1)) & 127] }
    return sum
  }

  private static func sum(_ values: Span<Scalar>, _ range: Range<Int>) -> Scalar {
    var sum = 0.0
    for index in range { sum += values[index] }
    return sum
  }

  private static func mean(_ movement: Span<Vector3>, part: Int) -> Vector3 {
    var sum = Vector3.zero
    for n in 16 * part..<16 * part + 16 { sum += movement[n] }
    return sum / 16
  }
}
