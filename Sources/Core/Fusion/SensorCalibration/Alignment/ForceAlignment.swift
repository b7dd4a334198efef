// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// A least-squares fit of the lever arm between two accelerometers on one rigid body, based on the
/// specific forces: `R b(t + offset) = (1 + S) a(t) + angular x r + rate x (rate x r) + o`.
///
/// `R` is the rotation between the gyroscopes, apart from the misalignment between gyroscope and
/// accelerometer within each chip. The rates are those of the first gyroscope minus its bias, which
/// is one of the unknowns.
struct ForceAlignment {
  private typealias Equations = BlockedEquations<19>

  let params: IMUAlignment.Params
  private(set) var rotation = Matrix3.identity
  private(set) var rotationSigma = Vector3.zero
  /// The lever arm from the first to the second accelerometer, in metres.
  private(set) var arm = Vector3.zero
  private(set) var armSigma = Vector3.zero
  private var offset = Vector3.zero
  private var bias = Vector3.zero
  private var stretch = Matrix3.zero
  /// The delay of the second series in addition to the time offset of the gyroscopes, s.
  private var late: Scalar = 0
  /// Root mean square of a component of the residual, g.
  private(set) var residual: Scalar = 0.05

  init(_ params: IMUAlignment.Params) {
    self.params = params
    arm = params.prior.leverArm
  }

  /// The result of the gyroscope fit, on which the accelerometer fit is based.
  struct Known {
    var rotation: Matrix3
    var rotationSigma: Vector3
    var offset: Scalar
    var offsetSigma: Scalar
    /// The matrix that corrects the rates of the first gyroscope, and the standard deviation of the
    /// remaining scale error.
    var stretch: Matrix3
    var scaleSigma: Scalar
  }

  /// Fits the specific forces `a` and `b`, with the rotation rates of the first IMU. Returns false
  /// if there are too few samples.
  mutating func fit(
    _ a: Span<TimedVector>, _ b: Span<TimedVector>, turning rates: Span<TimedVector>,
    _ grid: AlignmentGrid, _ known: Known, from start: Matrix3
  ) -> Bool {
    rotation = start
    for _ in 0..<IMUAlignment.iterations {
      guard let step = refine(a, b, rates, grid, known) else { return false }
      if step < 1e-5 { break }
    }
    return true
  }

  private mutating func refine(
    _ a: Span<TimedVector>, _ b: Span<TimedVector>, _ rates: Span<TimedVector>,
    _ grid: AlignmentGrid, _ known: Known
  ) -> Scalar? {
    var equations = Equations(unknowns: 19)
    var (first, second, third) = (grid.parabola, grid.parabola, grid.parabola)
    let total = TimeSpan(seconds: known.offset + late)
    var (sum, count): (Scalar, Scalar) = (0, 0)
    for index in 0..<grid.count {
      let time = grid.time(index)
      guard let f = first.value(of: a, at: time)?.value,
        let other = second.value(of: b, at: time + total),
        let turning = third.value(of: rates, at: time)
      else { continue }
      let rate = known.stretch * turning.value - bias
      let k = Self.perMetre(rate: rate, angular: known.stretch * turning.slope)
      let c = Self.perBias(rate: rate, arm)
      let turned = rotation * other.value
      let slope = rotation * other.slope
      let error = turned - f - stretch * f - k * arm - offset
      let weight = grid.weight(of: error, residual)
      sum += weight * error.dot(error)
      count += 3
      let scaled = weight / (residual * residual * grid.correlation)
      equations.add(
        [
          0, turned.z, -turned.y, -1, 0, 0, -f.x, 0, 0, -f.y, -f.z, 0, -k.m11, -k.m12, -k.m13,
          slope.x, c.m11, c.m12, c.m13,
        ], -error.x, weight: scaled, at: time)
      equations.add(
        [
          -turned.z, 0, turned.x, 0, -1, 0, 0, -f.y, 0, -f.x, 0, -f.z, -k.m21, -k.m22, -k.m23,
          slope.y, c.m21, c.m22, c.m23,
        ], -error.y, weight: scaled, at: time)
      equations.add(
        [
          turned.y, -turned.x, 0, 0, 0, -1, 0, 0, -f.z, 0, -f.x, -f.y, -k.m31, -k.m32, -k.m33,
          slope.z, c.m31, c.m32, c.m33,
        ], -error.z, weight: scaled, at: time)
    }
    guard count >= 300 else { return nil }
    let prior = params.prior
    let off = (rotation * known.rotation.transposed).rotationVector
    let lateSigma = sqrt(
      params.filterDelaySigma * params.filterDelaySigma + known.offsetSigma * known.offsetSigma)
    let armSigma = prior.leverArmSigma.widened(by: (arm - prior.leverArm).norm)
    for i in 0..<3 {
      let sigma = known.rotationSigma[i]
      // The misalignment counts twice, because both chips have one.
      equations.expect(
        i, -off[i],
        sigma: sqrt(2 * params.misalignmentSigma * params.misalignmentSigma + sigma * sigma))
      equations.expect(3 + i, -offset[i], sigma: params.accelerationOffsetSigma)
      equations.expect(6 + i, -stretch.diagonal[i], sigma: params.forceScaleSigma)
      equations.expect(9 + i, -stretch.upper[i], sigma: params.crossAxisSigma)
      equations.expect(12 + i, prior.leverArm[i] - arm[i], sigma: armSigma)
    }
    for i in 0..<3 {
      equations.expect(16 + i, -bias[i], sigma: params.rotationRateOffsetSigma)
    }
    equations.expect(15, -late, sigma: lateSigma)
    guard let (x, deviations) = equations.solve() else { return nil }
    let turn = Vector3(x[0], x[1], x[2])
    let move = Vector3(x[12], x[13], x[14])
    rotation = Quaternion(rotationVector: turn).rotationMatrix * rotation
    offset += Vector3(x[3], x[4], x[5])
    stretch.add(symmetric: Vector3(x[6], x[7], x[8]), Vector3(x[9], x[10], x[11]))
    arm += move
    bias += Vector3(x[16], x[17], x[18])
    late = min(max(late + x[15], -params.largestOffset), params.largestOffset)
    rotationSigma = Vector3(deviations[0], deviations[1], deviations[2])
    // The lever arm has the same relative error as the scale of the rates.
    let scale = known.scaleSigma * arm.norm / 3.0.squareRoot()
    self.armSigma = Vector3(
      sqrt(deviations[12] * deviations[12] + scale * scale),
      sqrt(deviations[13] * deviations[13] + scale * scale),
      sqrt(deviations[14] * deviations[14] + scale * scale))
    // No accelerometer has a smaller residual.
    residual = max(sqrt(sum / count), 2e-5)
    return turn.norm + move.norm + fabs(x[15])
  }

  /// Returns the derivative of the residual with respect to the gyroscope's bias.
  private static func perBias(rate: Vector3, _ arm: Vector3) -> Matrix3 {
    let speed = rate.cross(arm)
    var c = Matrix3(diagonal: rate.dot(arm))
    c.subtract(arm, rate)
    c.add(cross(speed), times: -1)
    var scaled = Matrix3.zero
    scaled.add(c, times: 1 / standardGravity)
    return scaled
  }

  /// Returns the matrix of the cross product `v.cross(_)`.
  private static func cross(_ v: Vector3) -> Matrix3 {
    Matrix3(rows: Vector3(0, -v.z, v.y), Vector3(v.z, 0, -v.x), Vector3(-v.y, v.x, 0))
  }

  /// Standard gravity in m/s^2 (CGPM 1901).
  private static var standardGravity: Scalar { 9.80665 }

  /// Returns the matrix that maps a lever arm in metres to the specific force in g that this lever
  /// arm adds.
  private static func perMetre(rate: Vector3, angular: Vector3) -> Matrix3 {
    var k = outer(rate, rate)
    k.add(.identity, times: -rate.dot(rate))
    k.add(cross(angular))
    var scaled = Matrix3.zero
    scaled.add(k, times: 1 / standardGravity)
    return scaled
  }
}
