// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// A least-squares fit of the rotation and the time offset between two gyroscopes on one rigid
/// body: `R b(t + offset) = (1 + S) a(t) + bias`. The symmetric matrix `S` absorbs the scales of
/// both, so that they do not affect `R`.
struct RateAlignment {
  private typealias Equations = BlockedEquations<13>

  let params: IMUAlignment.Params
  private(set) var rotation = Matrix3.identity
  private(set) var rotationSigma = Vector3.zero
  private(set) var offset: Scalar = 0
  private(set) var offsetSigma: Scalar = 0
  private var bias = Vector3.zero
  private var stretch = Matrix3.zero
  /// Root mean square of a component of the residual, rad/s.
  private(set) var residual: Scalar = 0.1

  init(_ params: IMUAlignment.Params) { self.params = params }

  /// The input for the accelerometer fit. The scale of the first gyroscope is corrected by the
  /// scale of the second gyroscope, each weighted by its variance.
  var known: ForceAlignment.Known {
    let (first, second) = (params.rateScaleSigma, params.otherRateScaleSigma)
    let variance = first * first + second * second
    let share = variance > 0 ? first * first / variance : 0
    var correction = Matrix3.identity
    correction.add(stretch, times: share)
    return ForceAlignment.Known(
      rotation: rotation, rotationSigma: rotationSigma, offset: offset, offsetSigma: offsetSigma,
      stretch: correction, scaleSigma: second * sqrt(share))
  }

  /// Fits the two series, starting with the time offset `lag` in seconds and the rotation `start`.
  /// Returns false if there are too few samples.
  mutating func fit(
    _ a: Span<TimedVector>, _ b: Span<TimedVector>, _ grid: AlignmentGrid, from start: Matrix3,
    lag: Scalar
  ) -> Bool {
    rotation = start
    offset = lag
    for _ in 0..<IMUAlignment.iterations {
      guard let step = refine(a, b, grid) else { return false }
      if step < 1e-5 { break }
    }
    return true
  }

  /// Takes one Gauss-Newton step, and returns its length; `nil` if the step failed.
  private mutating func refine(
    _ a: Span<TimedVector>, _ b: Span<TimedVector>, _ grid: AlignmentGrid
  ) -> Scalar? {
    var equations = Equations(unknowns: 13)
    var (first, second) = (grid.parabola, grid.parabola)
    var (sum, count): (Scalar, Scalar) = (0, 0)
    for index in 0..<grid.count {
      let time = grid.time(index)
      guard let w = first.value(of: a, at: time)?.value,
        let other = second.value(of: b, at: time + TimeSpan(seconds: offset))
      else { continue }
      let turned = rotation * other.value
      let slope = rotation * other.slope
      let error = turned - w - stretch * w - bias
      let weight = grid.weight(of: error, residual)
      sum += weight * error.dot(error)
      count += 3
      let scaled = weight / (residual * residual * grid.correlation)
      equations.add(
        [0, turned.z, -turned.y, -1, 0, 0, -w.x, 0, 0, -w.y, -w.z, 0, slope.x],
        -error.x, weight: scaled, at: time)
      equations.add(
        [-turned.z, 0, turned.x, 0, -1, 0, 0, -w.y, 0, -w.x, 0, -w.z, slope.y],
        -error.y, weight: scaled, at: time)
      equations.add(
        [turned.y, -turned.x, 0, 0, 0, -1, 0, 0, -w.z, 0, -w.x, -w.y, slope.z],
        -error.z, weight: scaled, at: time)
    }
    guard count >= 300 else { return nil }
    let prior = params.prior
    let (scale, other) = (params.rateScaleSigma, params.otherRateScaleSigma)
    let scaleSigma = sqrt(scale * scale + other * other)
    let vector = rotation.rotationVector
    let sigma = prior.rotationSigma.widened(by: vector.norm)
    for i in 0..<3 {
      equations.expect(i, -vector[i], sigma: sigma)
      equations.expect(3 + i, -bias[i], sigma: params.rotationRateOffsetSigma)
      equations.expect(6 + i, -stretch.diagonal[i], sigma: scaleSigma)
      equations.expect(9 + i, -stretch.upper[i], sigma: params.crossAxisSigma)
    }
    equations.expect(12, prior.timeOffset - offset, sigma: prior.timeOffsetSigma)
    guard let (x, deviations) = equations.solve() else { return nil }
    let turn = Vector3(x[0], x[1], x[2])
    rotation = Quaternion(rotationVector: turn).rotationMatrix * rotation
    bias += Vector3(x[3], x[4], x[5])
    stretch.add(symmetric: Vector3(x[6], x[7], x[8]), Vector3(x[9], x[10], x[11]))
    offset = min(max(offset + x[12], -params.largestOffset), params.largestOffset)
    rotationSigma = Vector3(deviations[0], deviations[1], deviations[2])
    offsetSigma = deviations[12]
    // No gyroscope has a smaller residual: 0.001 degrees/s.
    residual = max(sqrt(sum / count), 2e-5)
    return turn.norm + fabs(x[12])
  }
}
