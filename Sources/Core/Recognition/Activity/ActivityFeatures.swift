// SPDX-License-Identifier: Apache-2.0
internal import CMath
package import Quantities

/// The features of five seconds of acceleration that distinguish activities. They do not depend on
/// the rotation or the sign of the axes, so the orientation and mounting of the device do not
/// matter. `Training/activity/features.py` computes the same features.
package struct ActivityFeatures {
  package static var count: Int { 36 }
  /// The noise floor, in g squared: (5 mg) squared, the noise of a cheap sensor. A weaker signal
  /// comes from the sensor and not from a movement.
  static var floor: Scalar { 2.5e-5 }

  /// The smallest rotation of gravity that is not noise: one minus the cosine of 0.8 degrees.
  static var leastTurn: Scalar { 1e-4 }

  package private(set) var values = InlineArray<36, Scalar>(repeating: 0)
  /// The index in `values` at which the next feature is stored.
  private var next = 0

  /// Computes the features of a window of 128 values. The computation overwrites the window,
  /// because a microcontroller has little memory for a copy.
  package init(takingApart window: inout InlineArray<128, Vector3>) {
    var movement = window.mutableSpan
    var mean = Vector3.zero
    for n in 0..<128 { mean += movement[n] }
    mean = mean / 128
    let down = mean / max(mean.norm, 1e-3)
    for n in 0..<128 { movement[n] = movement[n] - mean }
    // Compute the features of the time domain first, because the computation of the spectrum
    // overwrites the movement.
    next = 25
    addParts(movement.span)
    addShape(movement.span, down: down)
    addInclination(movement.span, mean: mean, down: down)
    let spectrum = ActivitySpectrum(takingApart: &movement, down: down)
    let (vertical, horizontal) = (spectrum.vertical.span, spectrum.horizontal.span)
    var both = InlineArray<31, Scalar>(repeating: 0)
    for k in 0..<31 { both[k] = vertical[k] + 2 * horizontal[k] }
    next = 0
    addBands(vertical)
    addBands(horizontal)
    add(log(Self.sum(vertical, 2..<31) + Self.floor))
    add(log(Self.sum(horizontal, 2..<31) + Self.floor))
    addRhythm(vertical, horizontal, both: both.span)
    next = 31
    addStrides(vertical, horizontal, both: both.span)
  }

  private mutating func add(_ value: Scalar) {
    values[next] = value
    next += 1
  }

  /// Adds 8 features: the power of the movement in each frequency band.
  private mutating func addBands(_ spectrum: Span<Scalar>) {
    let first: InlineArray<9, UInt8> = [0, 2, 4, 6, 9, 12, 16, 22, 31]
    for band in 0..<8 {
      add(log(Self.sum(spectrum, Int(first[band])..<Int(first[band + 1])) + Self.floor))
    }
  }

  /// Adds 7 features: the regularity of the movement.
  private mutating func addRhythm(
    _ vertical: Span<Scalar>, _ horizontal: Span<Scalar>, both: Span<Scalar>
  ) {
    let along = SpectralPeak(vertical, floor: Self.floor)
    let across = SpectralPeak(horizontal, floor: Self.floor)
    add(along.logFrequency)
    add(along.share)
    add(along.harmonicShare)
    // Compute the autocorrelation from the spectrum, for lags of 0.2 ... 1.28 s: from a runner's
    // step to a walker's stride. A smooth signal has a high autocorrelation at short lags, so use
    // the rise above the preceding minimum.
    let rise = Self.highestRise(both, floor: Self.floor, from: 5, by: 1)
    add(rise.height)
    add(Scalar(rise.lag) / ActivityWindow.rate)
    add(across.share)
    add(across.logFrequency)
  }

  /// Adds features of steadiness: the power of the strongest and of the weakest of the eight parts
  /// of the window.
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

  /// Adds features of the shape of the movement: its symmetry and its extremes, which differ
  /// between swings and impacts.
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

  /// Adds features of the rotation of gravity: relative to its mean direction, and from one part of
  /// the window to the next.
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

  /// Adds features of step and stride: the duration of a stride, and the similarity of the movement
  /// after a stride and after half a stride. In walking, each leg pushes the body up. In cycling, a
  /// leg pushes the body down, and up half a turn later.
  private mutating func addStrides(
    _ vertical: Span<Scalar>, _ horizontal: Span<Scalar>, both: Span<Scalar>
  ) {
    // The lags are 0.48 ... 2.56 s. They are even numbers of values, so that half a lag is a whole
    // number of values too.
    let stride = Self.highestRise(both, floor: 2 * Self.floor, from: 12, by: 2).lag
    let upward = Self.sum(vertical, 2..<31) + Self.floor
    let sideways = 2 * Self.sum(horizontal, 2..<31) + Self.floor
    add(log(Scalar(stride) / ActivityWindow.rate))
    add(Self.correlation(vertical, stride) / upward)
    add(Self.correlation(vertical, stride / 2) / upward)
    add(2 * Self.correlation(horizontal, stride) / sideways)
    add(2 * Self.correlation(horizontal, stride / 2) / sideways)
  }

  /// Returns the highest rise of the autocorrelation above its preceding minimum, and the lag of
  /// that rise. The search covers 27 or 28 lags.
  private static func highestRise(
    _ power: Span<Scalar>, floor: Scalar, from first: Int, by step: Int
  ) -> (height: Scalar, lag: Int) {
    let whole = sum(power, 2..<31) + floor
    var (lowest, best, bestLag) = (Scalar.infinity, -1.0, first)
    var lag = first
    while lag <= 32 * step {
      let correlation = correlation(power, lag) / whole
      lowest = min(lowest, correlation)
      if correlation - lowest > best { (best, bestLag) = (correlation - lowest, lag) }
      lag += step
    }
    return (best, bestLag)
  }

  /// Returns the autocorrelation at `lag` for the spectrum `power`. Frequencies above the step
  /// frequencies are left out.
  private static func correlation(_ power: Span<Scalar>, _ lag: Int) -> Scalar {
    var sum = 0.0
    for k in 2..<31 { sum += power[k] * ActivityWave.cosine(lag * (k + 1)) }
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
