// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The frequency of steps in the newest cells of a window, and the likeness of one to the next, by
/// autocorrelation.
struct StepRhythm: Equatable, Sendable {
  /// Cells from step to step; 0: no rhythm.
  private(set) var period = 0.0
  /// The likeness of the signal to itself one step or one stride later: a correlation, at most 1.
  private(set) var regularity = 0.0
  /// Root mean square, g.
  private(set) var strength = 0.0
  /// The third moment over the third power of `strength`: above 0 where peaks are sharper than
  /// troughs.
  private(set) var skewness = 0.0
  /// The magnitude to which larger values are cut, g: one knock does not hide the steps around it.
  private(set) var limit: Float = 0

  /// Cells: from 0.24 s, more than four steps a second, to 1.04 s.
  private static let periods = 6...26
  private static let longestLag = 56
  /// g; below, it is noise.
  private static let leastStrength = 0.02

  private typealias Correlation = InlineArray<57, Float>

  init(_ window: borrowing StepWindow) {
    let count = StepWindow.judged
    let first = StepWindow.length - count
    var mean: Float = 0
    for i in first..<StepWindow.length { mean += window[i] }
    mean /= Float(count)
    var spread: Float = 0
    for i in first..<StepWindow.length { spread += abs(window[i] - mean) }
    limit = 2.2 * spread / Float(count)
    var x = StepWindow.Cells(repeating: 0)
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
    find(Self.correlation(x, energy: energy))
  }

  /// Returns the correlation of the signal with itself, of the lags that are looked at and some
  /// more.
  private static func correlation(_ x: borrowing StepWindow.Cells, energy: Float) -> Correlation {
    let count = StepWindow.judged
    var r = Correlation(repeating: 0)
    let cells = x.span
    var sums = r.mutableSpan
    // Lag by lag inside: the sums do not depend on each other, so they go several at a time.
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
    return r
  }

  private mutating func find(_ r: borrowing Correlation) {
    var best: Float = 0
    for lag in Self.periods where Self.isPeak(r, lag, least: best) { best = r[lag] }
    // Two steps, or three, are as regular as one: the shortest that explains it.
    var chosen = 0
    for lag in Self.periods where Self.isPeak(r, lag, least: 0.8 * best) {
      chosen = lag
      break
    }
    guard chosen > 0 else { return }
    // Left and right differ, so a stride may be far more regular than a step. Pedals have no such
    // second peak.
    if chosen >= 2 * Self.periods.lowerBound {
      var half = 0
      let lags = max(Self.periods.lowerBound, chosen / 2 - 2)...(chosen / 2 + 3)
      for lag in lags where Self.isPeak(r, lag, least: half == 0 ? 0.05 : r[half]) { half = lag }
      if half != 0 { chosen = half }
    }
    let (before, top, after) = (r[chosen - 1], r[chosen], r[chosen + 1])
    let bend = before - 2 * top + after
    period = Scalar(chosen) + (bend < 0 ? Scalar((before - after) / (2 * bend)) : 0)
    var most = top
    for lag in (2 * chosen - 2)...(2 * chosen + 2) where lag <= Self.longestLag {
      most = max(most, r[lag])
    }
    regularity = Scalar(most)
  }

  private static func isPeak(_ r: borrowing Correlation, _ lag: Int, least: Float) -> Bool {
    let value = r[lag]
    guard value > 0, value >= least, value > r[lag - 1] else { return false }
    return value >= r[lag + 1]
  }
}
