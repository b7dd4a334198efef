// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension ErrorFilter {
  /// The optimal gain of an observation of three errors.
  struct VectorGain: Sendable {
    var x = ErrorRow()
    var y = ErrorRow()
    var z = ErrorRow()
    /// The inverse of the innovation's covariance.
    var inverse = Matrix3.zero
    /// The factor by which the gain of bias, offset and scale is reduced.
    var steadyShare = 1.0

    func correction(_ innovation: Vector3) -> ErrorRow {
      var errors = ErrorRow(x, y, z, times: innovation)
      if steadyShare < nearlyAll {
        errors = errors * (ErrorRow(repeating: 1) - ErrorFilter.steady * (1 - steadyShare))
      }
      return errors
    }
  }

  /// The optimal gain of an observation of one number.
  struct ScalarGain: Sendable {
    var errors: ErrorRow
    /// The inverse of the innovation's variance.
    var inverse: Scalar
    /// For a heading, the factor by which the gain of the gyroscope's matrix is reduced; tilt,
    /// velocity and the accelerometer's errors are not corrected. `nil` if the whole gain is used.
    var matrixShare: Scalar?
    /// The index of the observed error. Where the observed number is a sum: the index of the other
    /// error, and the factors of the tilt.
    var error: Int
    var other: Int?
    var tilt = Vector3.zero

    /// The derivatives of the observed number by the 24 errors.
    var derivatives: ErrorRow {
      var all = ErrorRow()
      all.attitude = tilt
      all[error] = 1
      if let other { all[other] = 1 }
      return all
    }

    func correction(_ innovation: Scalar) -> ErrorRow {
      let used = matrixShare.map { errors * Self.used(matrixShare: $0) } ?? errors
      return used * innovation
    }

    /// Returns the share of the gain that a heading uses, per error.
    @inline(__always)
    static func used(matrixShare g: Scalar) -> ErrorRow {
      let all = ErrorRow.Four(repeating: g)
      return ErrorRow(
        SIMD4(0, 0, 1, 0), SIMD4(0, 0, 1, 1), SIMD4(1, 0, 0, 0), SIMD4(0, 0, 0, g), all, all)
    }
  }

  /// Observes three errors with measurement noise of this covariance, and sets `gain`. Returns
  /// false, and changes nothing, if the innovation covariance cannot be inverted. Only
  /// `steadyShare` of the gain is used for bias, offset and scale.
  mutating func observe(
    _ seen: Errors, noise: Matrix3, steadyShare: Scalar = 1, gain: inout VectorGain
  ) -> Bool {
    var total: Matrix3
    switch seen {
    case .attitude: total = attitude
    case .velocity: total = velocity
    case .bias: total = bias
    }
    total.add(noise)
    guard let inverse = total.positiveInverse else { return false }
    let first = seen.rawValue
    let (x, y, z) = (row(first), row(first + 1), row(first + 2))
    gain.x = ErrorRow(x, y, z, times: inverse.row1)
    gain.y = ErrorRow(x, y, z, times: inverse.row2)
    gain.z = ErrorRow(x, y, z, times: inverse.row3)
    (gain.inverse, gain.steadyShare) = (inverse, steadyShare)
    subtract(x, gain.x)
    subtract(y, gain.y)
    subtract(z, gain.z)
    if steadyShare < nearlyAll {
      // With `g` times the optimal gain, the variance falls by `2g - g^2` of the optimal reduction.
      let back = Self.steady * (-(1 - steadyShare) * (1 - steadyShare))
      // The groups of four that contain bias, offset and scale.
      subtract(x * back, gain.x * Self.steady, groups: 1..<4)
      subtract(y * back, gain.y * Self.steady, groups: 1..<4)
      subtract(z * back, gain.z * Self.steady, groups: 1..<4)
    }
    note()
    return true
  }

  /// Subtracts `seen gain^T` from the covariance. `groups` are the groups of four errors with
  /// terms that are not zero.
  @inline(never)
  private mutating func subtract(_ seen: ErrorRow, _ gain: ErrorRow, groups: Range<Int> = 0..<6) {
    var p = parts.mutableSpan
    let (all, gains) = (seen.fours, gain.fours)
    let (a, g) = (all.span, gains.span)
    for four in groups {
      let seen = a[four]
      for other in groups.lowerBound...four {
        let g = g[other]
        let k = 24 * four + 4 * other
        p[k] -= seen * g.x
        p[k + 1] -= seen * g.y
        p[k + 2] -= seen * g.z
        p[k + 3] -= seen * g.w
      }
    }
  }

  /// A row with ones for bias, offset and scale.
  private static var steady: ErrorRow {
    let (none, all) = (ErrorRow.Four(repeating: 0), ErrorRow.Four(repeating: 1))
    return ErrorRow(
      none, ErrorRow.Four(0, 0, 1, 1), all, ErrorRow.Four(1, 1, 1, 0), none, none)
  }

  /// Observes the heading that the field shows, with `noise` variance: the sum of the heading and
  /// `tilt` times the tilt, which turns a steep field sideways. The observation corrects heading
  /// and bias, and, with the factor `matrixShare`, the gyroscope's matrix. Tilt, velocity and the
  /// accelerometer's errors are considered and not corrected (S. F. Schmidt, 1966): no magnet can
  /// tilt the horizon. The covariance follows the gain that is used, not the best one: with shares
  /// `g` and `h` of two errors, `g + h - gh` of the best reduction of their covariance is left.
  mutating func observeHeading(
    noise: Scalar, tilt: Vector3 = .zero, matrixShare: Scalar
  ) -> ScalarGain? {
    let seen = ErrorRow(row(0), row(1), row(2), times: Vector3(tilt.x, tilt.y, 1))
    let total = seen.a.z + seen.a.x * tilt.x + seen.a.y * tilt.y + noise
    guard total > 0, total.isFinite else { return nil }
    let inverse = 1 / total
    // Each column of the covariance loses `g` times the whole observed row, and `1 - g` times the
    // part of that row which the gain uses.
    let used = ScalarGain.used(matrixShare: matrixShare)
    let best = seen * inverse
    let corrected = best * used
    subtract(seen, corrected)
    subtract(seen * used, best - corrected)
    note()
    return ScalarGain(
      errors: best, inverse: inverse, matrixShare: matrixShare, error: 2, tilt: tilt)
  }

  /// Adds `information` to one error, or to the sum of two errors, as if the prior had contained
  /// it; negative values remove information. The standard deviation grows at most by a factor of
  /// three.
  @inline(never)
  mutating func learnPrior(_ index: Int, and other: Int?, information: Scalar) -> ScalarGain {
    var seen = row(index)
    var variance = seen[index]
    if let other {
      seen = seen + row(other)
      variance = seen[index] + seen[other]
    }
    let total = 1 + information * variance
    let inverse = total > 1.0 / 3 ? information / total : -2 / variance
    let best = seen * inverse
    subtract(seen, best)
    note()
    return ScalarGain(
      errors: best, inverse: inverse, matrixShare: nil, error: index, other: other)
  }
}

// Errors whose variance is replaced or increased.
extension ErrorFilter {
  /// Replaces these errors by unknown ones with this variance, and clears their covariances.
  private mutating func forget(_ range: Range<Int>, variance: Scalar) {
    var p = parts.mutableSpan
    for index in range {
      // Clear the covariances stored left of the diagonal too: the group of four errors that the
      // diagonal crosses is stored completely.
      for k in 0..<24 {
        p[index / 4 * 24 + k][index % 4] = 0
        p[k / 4 * 24 + index][k % 4] = 0
      }
      p[index / 4 * 24 + index][index % 4] = variance
    }
    note()
  }

  mutating func forgetTilt(variance: Scalar) { forget(0..<2, variance: variance) }
  mutating func forgetHeading(variance: Scalar) { forget(2..<3, variance: variance) }
  mutating func forgetVelocity(variance: Scalar) { forget(3..<6, variance: variance) }
  mutating func forgetBias(variance: Scalar) { forget(6..<9, variance: variance) }

  /// Starts with the gyroscope matrix of an earlier engine, with these standard deviations, at most
  /// those of `start`.
  mutating func assume(gyroMatrix sigma: Matrix3, _ start: Start) {
    for k in 0..<9 {
      let most = k % 4 == 0 ? start.gyroScale : start.gyroMisalignment
      let variance = sigma[k] * sigma[k]
      forget(15 + k..<16 + k, variance: variance < most ? variance : most)
    }
  }

  /// Starts with the accelerometer's offset and scale of an earlier engine, with these standard
  /// deviations, at most those of `start`.
  mutating func assume(offset: Vector3, scale: Vector3, _ start: Start) {
    func set(_ index: Int, _ sigma: Scalar, _ most: Scalar) {
      let variance = sigma * sigma
      forget(index..<index + 1, variance: variance < most ? variance : most)
    }
    set(9, offset.x, start.offset)
    set(10, offset.y, start.offset)
    set(11, offset.z, start.offset)
    set(12, scale.x, start.scale)
    set(13, scale.y, start.scale)
    set(14, scale.z, start.scale)
  }

  /// Increases the variances of tilt and heading, whose errors may be larger than the covariance
  /// says.
  mutating func widen(tilt: Scalar, heading: Scalar = 0) {
    add(0, 0, tilt)
    add(1, 1, tilt)
    add(2, 2, heading)
    note()
  }

  /// Increases the variance of each component of the velocity.
  mutating func widen(velocity: Scalar) {
    add(3, 3, velocity)
    add(4, 4, velocity)
    add(5, 5, velocity)
    note()
  }

  /// Adds this covariance, in device axes, to that of the bias.
  mutating func widen(bias: Matrix3) {
    add(6, 6, bias.m11)
    add(6, 7, bias.m12)
    add(6, 8, bias.m13)
    add(7, 7, bias.m22)
    add(7, 8, bias.m23)
    add(8, 8, bias.m33)
    note()
  }

  /// Sets the variance of the heading; its correlation with the other errors stays.
  mutating func setHeading(variance: Scalar) {
    add(2, 2, variance - attitude.m33)
    note()
  }
}

/// The share of the gain above which the reduction is not worth its computation.
private let nearlyAll = 0.99
