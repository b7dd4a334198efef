// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The frequency of steps in the newest cells of a window, and their regularity, found by
/// autocorrelation.
struct StepRhythm: Equatable, Sendable {
  /// The number of cells between two steps; 0 if there is no rhythm.
  private(set) var period = 0.0
  /// The correlation of the signal with itself one step or one stride later; at most 1.
  private(set) var regularity = 0.0
  /// The root mean square of the filtered acceleration in g.
  private(set) var strength = 0.0
  /// The skewness of the signal, above 0 if the peaks are sharper than the troughs.
  private(set) var skewness = 0.0
  /// The fraction of the signal's power that repeats with each step, and the fraction that repeats
  /// only with every second step, which is typical of a device on an arm or a leg.
  private(set) var stepShare = 1.0
  private(set) var strideShare = 0.0
  /// True if power that repeats only once per stride hides the steps.
  private(set) var isOfStrides = false
  /// The magnitude in g at which larger values are clipped, so that a single knock does not hide
  /// the steps around it.
  private(set) var limit: Float = 0

  /// The possible periods in cells: from 0.24 s, more than four steps per second, to 1.04 s.
  private static let periods = 6...26
  private static let strides = 27...55
  /// The possible periods in cells for steps that are weaker than the stride: people take 1.3 to
  /// 2.8 steps per second.
  private static let periodsOfStrides = 9...19
  /// The largest vertical amplitude in metres of slow steps. A body rises and sinks by at most this
  /// distance from its mean; an arm moves further.
  private static let mostRiseOfStep = 0.03
  private static let longestLag = 56
  /// The root mean square in g below which the signal is noise.
  private static let leastStrength = 0.02

  private typealias Correlation = InlineArray<57, Float>

  /// The vertical amplitude in metres if the movement were a sine, whose acceleration is (2 pi f)^2
  /// times its amplitude.
  var rise: Scalar { Self.rise(strength: strength, period: period) }

  private static func rise(strength: Scalar, period: Scalar) -> Scalar {
    let turn = period * MagnitudeGrid.cell / (2 * .pi)
    return 1.414 * 9.81 * strength * turn * turn
  }

  init(_ window: Span<Float>) {
    let count = StepWindow.judged
    let first = StepWindow.length - count
    var mean: Float = 0
    for i in first..<StepWindow.length { mean += window[i] }
    mean /= Float(count)
    var spread: Float = 0
    for i in first..<StepWindow.length { spread += abs(window[i] - mean) }
    limit = 2.2 * spread / Float(count)
    var cells = InlineArray<100, Float>(repeating: 0)
    var x = cells.mutableSpan
    var energy: Float = 0
    var cubes: Float = 0
    for i in 0..<count {
      let v = max(-limit, min(limit, window[first + i] - mean))
      x[i] = v
      energy += v * v
      cubes += v * v * v
    }
    strength = sqrt(Scalar(energy) / Scalar(count))
    guard strength >= Self.leastStrength else { return }
    skewness = Scalar(cubes) / Scalar(count) / (strength * strength * strength)
    var correlation = Correlation(repeating: 0)
    var r = correlation.mutableSpan
    Self.correlate(x.span, energy: energy, into: &r)
    find(r.span)
  }

  /// Adds the autocorrelation of the signal to `sums`, which must be zero, for the lags that are
  /// used and some more.
  @_lifetime(sums: copy sums)
  private static func correlate(
    _ cells: Span<Float>, energy: Float, into sums: inout MutableSpan<Float>
  ) {
    let count = StepWindow.judged
    // The inner loop runs over the lags. Their sums are independent of one another, so the compiler
    // vectorises the loop.
    for i in 0..<count {
      let value = cells[i]
      for lag in 0...min(longestLag, count - 1 - i) { sums[lag] += value * cells[i + lag] }
    }
    var head = energy
    var tail = energy
    for lag in 1...longestLag {
      tail -= cells[lag - 1] * cells[lag - 1]
      head -= cells[count - lag] * cells[count - lag]
      let product = head * tail
      sums[lag] = product > 1e-12 ? sums[lag] / product.squareRoot() : 0
    }
  }

  private mutating func find(_ r: Span<Float>) {
    var best: Float = 0
    for lag in Self.periods where Self.isPeak(r, lag, least: best) { best = r[lag] }
    var longest: Float = best
    for lag in Self.strides where Self.isPeak(r, lag, least: longest) { longest = r[lag] }
    // An interval of two or three steps is as regular as one step, so use the shortest period that
    // explains the signal.
    var chosen = 0
    for lag in Self.periods where Self.isPeak(r, lag, least: 0.8 * best) {
      chosen = lag
      break
    }
    // Left and right steps differ, so a stride may be far more regular than a step. Pedalling has
    // no such second peak.
    if chosen >= 2 * Self.periods.lowerBound {
      var half = 0
      let lags = max(Self.periods.lowerBound, chosen / 2 - 2)...(chosen / 2 + 3)
      for lag in lags where Self.isPeak(r, lag, least: half == 0 ? 0.05 : r[half]) { half = lag }
      if half != 0 { chosen = half }
    }
    // An arm swings once per stride, and its swing may be stronger than the movement of the two
    // steps.
    let found = r[chosen]
    let isNoStep =
      // If the rhythm is too slow for steps, it may be the rhythm of strides.
      chosen >= Self.periodsOfStrides.upperBound
      && Self.rise(strength: strength, period: Scalar(chosen)) > Self.mostRiseOfStep
    if chosen == 0 || found < 0.8 * longest || isNoStep {
      chosen = Self.stepOfStride(r, least: 0.8 * longest) ?? chosen
    }
    guard chosen > 0 else { return }
    let (before, top, after) = (r[chosen - 1], r[chosen], r[chosen + 1])
    let stride = Self.atStride(r, chosen)
    isOfStrides = top < 0.3 * stride
    stepShare = Scalar(top + stride) / 2
    strideShare = max(0, Scalar(stride - top) / 2)
    let isTop = top > before && top >= after
    let bend = before - 2 * top + after
    period = Scalar(chosen) + (isTop ? Scalar((before - after) / (2 * bend)) : 0)
    var most = top
    for lag in (2 * chosen - 2)...(2 * chosen + 2) where lag <= Self.longestLag {
      most = max(most, r[lag])
    }
    regularity = Scalar(most)
  }

  /// Returns the period of steps in the shortest stride that is at least this regular; `nil` if the
  /// part that repeats with each step is small compared with the irregular part. The signal is the
  /// sum of a wave that repeats with each step and a wave that changes its sign with each step. The
  /// correlation after a step is the difference of their powers, and the correlation after a stride
  /// is the sum. The mean of both correlations is therefore the part of the steps.
  private static func stepOfStride(_ r: Span<Float>, least: Float) -> Int? {
    for stride in 2 * periodsOfStrides.lowerBound..<longestLag - 1
    where isPeak(r, stride, least: least) {
      var (step, most): (Int, Float) = (0, 0.1)
      for lag in (stride / 2 - 1)...(stride / 2 + 1) where periodsOfStrides.contains(lag) {
        let share = (r[lag] + atStride(r, lag)) / 2
        if share > most { (step, most) = (lag, share) }
      }
      guard step > 0, most > 0.45 * (most + 1 - atStride(r, step)) else { continue }
      return step
    }
    return nil
  }

  /// Returns the correlation at a lag of two steps.
  private static func atStride(_ r: Span<Float>, _ step: Int) -> Float {
    max(r[2 * step - 1], r[2 * step], r[2 * step + 1])
  }

  private static func isPeak(_ r: Span<Float>, _ lag: Int, least: Float) -> Bool {
    let value = r[lag]
    guard value > 0, value >= least, value > r[lag - 1] else { return false }
    return value >= r[lag + 1]
  }
}
