// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension ErrorFilter {
  /// The optimal gain for an observation of three errors.
  struct VectorGain: Sendable {
    var x = ErrorRow()
    var y = ErrorRow()
    var z = ErrorRow()
    /// The inverse of the innovation's covariance.
    var inverse = Matrix3.zero
    /// The factor by which the gain for bias, offset and scale is reduced.
    var steadyShare = 1.0

    func correction(_ innovation: Vector3) -> ErrorRow {
      var errors = ErrorRow(x, y, z, times: innovation)
      if steadyShare < nearlyAll {
        errors = errors * (ErrorRow(repeating: 1) - ErrorFilter.steady * (1 - steadyShare))
      }
      return errors
    }
  }

  /// The optimal gain for a scalar observation.
  struct ScalarGain: Sendable {
    var errors: ErrorRow
    /// The inverse of the innovation's variance.
    var inverse: Scalar
    /// For a heading: the factor by which the gain for the gyroscope's matrix is reduced. Tilt,
    /// velocity and the accelerometer's errors are then not corrected. `nil` if the full gain is
    /// used.
    var matrixShare: Scalar?
    /// The index of the observed error. If the observation is a sum, `other` is the index of the
    /// second error, and `tilt` holds the factors of the tilt.
    var error: Int
    var other: Int?
    var tilt = Vector3.zero

    /// The derivatives of the observed number with respect to the 24 errors.
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

    /// Returns the share of the gain that a heading uses for each error.
    @inline(__always)
    static func used(matrixShare g: Scalar) -> ErrorRow {
      let all = ErrorRow.Four(repeating: g)
      return ErrorRow(
        SIMD4(0, 0, 1, 0), SIMD4(0, 0, 1, 1), SIMD4(1, 0, 0, 0), SIMD4(0, 0, 0, g), all, all)
    }
  }

  /// Observes three errors with measurement noise of the covariance `noise`, and sets `gain`. Only
  /// the share `steadyShare` of the gain is used for bias, offset and scale. Returns false, without
  /// any change, if the covariance of the innovation cannot be inverted.
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
      // With `g` times the optimal gain, the variance falls by `2g - g^2` times the optimal
      // reduction.
      let back = Self.steady * (-(1 - steadyShare) * (1 - steadyShare))
      // These groups of four errors contain bias, offset and scale.
      subtract(x * back, gain.x * Self.steady, groups: 1..<4)
      subtract(y * back, gain.y * Self.steady, groups: 1..<4)
      subtract(z * back, gain.z * Self.steady, groups: 1..<4)
    }
    note()
    return true
  }

  /// Subtracts `seen gain^T` from the covariance. `groups` are the groups of four errors whose
  /// terms are not all zero.
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

  /// Observes the heading that the field shows, with the variance `noise`. The observed number is
  /// the heading plus `tilt` times the tilt, because a tilt error turns a steep field sideways. The
  /// observation corrects heading and bias and, reduced by the factor `matrixShare`, the
  /// gyroscope's matrix. Tilt, velocity and the accelerometer's errors are considered but not
  /// corrected (S. F. Schmidt, 1966), so that no magnet can tilt the horizon. The covariance
  /// follows the gain that is used, not the optimal one: if two errors use the shares `g` and `h`
  /// of their gain, their covariance falls by `g + h - gh` times the optimal reduction.
  mutating func observeHeading(
    noise: Scalar, tilt: Vector3 = .zero, matrixShare: Scalar
  ) -> ScalarGain? {
    let seen = ErrorRow(row(0), row(1), row(2), times: Vector3(tilt.x, tilt.y, 1))
    let total = seen.a.z + seen.a.x * tilt.x + seen.a.y * tilt.y + noise
    guard total > 0, total.isFinite else { return nil }
    let inverse = 1 / total
    // For each column of the covariance, subtract `g` times the whole observed row, and `1 - g`
    // times the part of that row which the gain uses.
    let used = ScalarGain.used(matrixShare: matrixShare)
    let best = seen * inverse
    let corrected = best * used
    subtract(seen, corrected)
    subtract(seen * used, best - corrected)
    note()
    return ScalarGain(
      errors: best, inverse: inverse, matrixShare: matrixShare, error: 2, tilt: tilt)
  }

  /// Adds `information` about one error, or about the sum of two errors, as if the prior had
  /// contained it. Negative values remove information. The variance at most triples.
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

// Functions that replace or increase the variance of errors.
extension ErrorFilter {
  /// Makes these errors unknown: sets their variance, and clears their covariances.
  private mutating func forget(_ range: Range<Int>, variance: Scalar) {
    var p = parts.mutableSpan
    for index in range {
      // Also clear the covariances stored to the left of the diagonal, because the group of four
      // errors on the diagonal is stored in full.
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

  /// Starts with the gyroscope matrix that an earlier engine learned. The given standard deviations
  /// are used, but at most the values in `start`.
  mutating func assume(gyroMatrix sigma: Matrix3, _ start: Start) {
    for k in 0..<9 {
      let most = k % 4 == 0 ? start.gyroScale : start.gyroMisalignment
      let variance = sigma[k] * sigma[k]
      forget(15 + k..<16 + k, variance: variance < most ? variance : most)
    }
  }

  /// Starts with the offset and scale of the accelerometer that an earlier engine learned. The
  /// given standard deviations are used, but at most the values in `start`.
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

  /// Increases the variances of tilt and heading, because their errors may be larger than the
  /// covariance says.
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

  /// Adds a covariance in device axes to the covariance of the bias.
  mutating func widen(bias: Matrix3) {
    add(6, 6, bias.m11)
    add(6, 7, bias.m12)
    add(6, 8, bias.m13)
    add(7, 7, bias.m22)
    add(7, 8, bias.m23)
    add(8, 8, bias.m33)
    note()
  }

  /// Sets the variance of the heading and keeps its correlation with the other errors.
  mutating func setHeading(variance: Scalar) {
    add(2, 2, variance - attitude.m33)
    note()
  }
}

/// A larger share of the gain counts as the whole gain, because reducing it is not worth the
/// computation.
private let nearlyAll = 0.99
