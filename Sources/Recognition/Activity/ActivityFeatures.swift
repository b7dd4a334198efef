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
  /// The place of the next value.
  private var next = 0

  /// Computes the features of a window of 128 values in its own memory, of which nothing is left:
  /// on a microcontroller there is little beside it.
  package init(takingApart window: inout InlineArray<128, Vector3>) {
    var movement = window.mutableSpan
    var mean = Vector3.zero
    for n in 0..<128 { mean += movement[n] }
    mean = mean / 128
    let down = mean / max(mean.norm, 1e-3)
    for n in 0..<128 { movement[n] = movement[n] - mean }
    // What asks for the movement comes first: the spectrum leaves nothing of it.
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

  /// Adds the strength of the movement by frequency: 8 values.
  private mutating func addBands(_ spectrum: Span<Scalar>) {
    let first: InlineArray<9, UInt8> = [0, 2, 4, 6, 9, 12, 16, 22, 31]
    for band in 0..<8 {
      add(log(Self.sum(spectrum, Int(first[band])..<Int(first[band + 1])) + Self.floor))
    }
  }

  /// Adds its regularity: 7 values.
  private mutating func addRhythm(
    _ vertical: Span<Scalar>, _ horizontal: Span<Scalar>, both: Span<Scalar>
  ) {
    let along = SpectralPeak(vertical, floor: Self.floor)
    let across = SpectralPeak(horizontal, floor: Self.floor)
    add(along.logFrequency)
    add(along.share)
    add(along.harmonicShare)
    // The autocorrelation, of the spectrum. Short lags are high for whatever is smooth, so the rise
    // from the lowest before counts. Lags of 0.2 ... 1.28 s: the step of a runner to the stride of
    // a walker.
    let rise = Self.highestRise(both, floor: Self.floor, from: 5, by: 1)
    add(rise.height)
    add(Scalar(rise.lag) / ActivityWindow.rate)
    add(across.share)
    add(across.logFrequency)
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
  private mutating func addStrides(
    _ vertical: Span<Scalar>, _ horizontal: Span<Scalar>, both: Span<Scalar>
  ) {
    // Lags of 0.48 ... 2.56 s, even ones, so that half of them is one.
    let stride = Self.highestRise(both, floor: 2 * Self.floor, from: 12, by: 2).lag
    let upward = Self.sum(vertical, 2..<31) + Self.floor
    let sideways = 2 * Self.sum(horizontal, 2..<31) + Self.floor
    add(log(Scalar(stride) / ActivityWindow.rate))
    add(Self.correlation(vertical, stride) / upward)
    add(Self.correlation(vertical, stride / 2) / upward)
    add(2 * Self.correlation(horizontal, stride) / sideways)
    add(2 * Self.correlation(horizontal, stride / 2) / sideways)
  }

  /// Returns the highest rise of the autocorrelation above its lowest value before, and the lag
  /// where that is, of 28 lags or 27.
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

  /// Returns the autocorrelation of what has this spectrum, of steps and slower waves.
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
