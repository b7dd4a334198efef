// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension ErrorFilter {
  /// The best gain by which three observed errors correct all.
  struct VectorGain: Sendable {
    var x = ErrorRow()
    var y = ErrorRow()
    var z = ErrorRow()
    var place = Vector3.zero
    /// Of the innovation's covariance.
    var inverse = Matrix3.zero
    /// Share of it that is used for bias, offset and scale.
    var steadyShare = 1.0

    func correction(_ innovation: Vector3) -> ErrorVector {
      var errors = x * innovation.x + y * innovation.y + z * innovation.z
      if steadyShare < nearlyAll {
        errors = errors * (ErrorRow(repeating: 1) - ErrorFilter.steady * (1 - steadyShare))
      }
      return ErrorVector(errors: errors, place: place.dot(innovation))
    }
  }

  /// The best gain of one observed number.
  struct ScalarGain: Sendable {
    var errors: ErrorRow
    var place: Scalar
    /// Of the innovation's variance.
    var inverse: Scalar
    /// Share of it that is used for the gyroscope's matrix, of a heading: tilt, velocity and the
    /// accelerometer's errors are held. `nil` where all is used.
    var matrixShare: Scalar?
    /// The other error, where the number is the sum of two: 24 for the place's.
    var other: Int?

    func correction(_ innovation: Scalar) -> ErrorVector {
      let used = matrixShare.map { errors * Self.used(matrixShare: $0) } ?? errors
      return ErrorVector(errors: used * innovation, place: place * innovation)
    }

    /// Returns the share that a heading uses, error by error.
    @inline(__always)
    static func used(matrixShare g: Scalar) -> ErrorRow {
      let all = ErrorRow.Four(repeating: g)
      return ErrorRow(
        SIMD4(0, 0, 1, 0), SIMD4(0, 0, 1, 1), SIMD4(1, 0, 0, 0), SIMD4(0, 0, 0, g), all, all)
    }
  }

  /// Observes three errors with this covariance of noise, and says by what `gain`. Returns false,
  /// and nothing changes, where numbers that no device produces have left no usable covariance.
  /// Only `steadyShare` of what it says of bias, offset and scale is believed.
  mutating func observe(
    _ seen: Errors, noise: Matrix3, steadyShare: Scalar = 1, gain: inout VectorGain
  ) -> Bool {
    var total: Matrix3
    let placed: Vector3
    switch seen {
    case .attitude: (total, placed) = (attitude, placeRow.attitude)
    case .velocity: (total, placed) = (velocity, placeRow.velocity)
    case .bias: (total, placed) = (bias, placeRow.bias)
    }
    total.add(noise)
    guard let inverse = total.positiveInverse else { return false }
    var (row, variance) = (placeRow, placeVariance)
    var p = parts.mutableSpan
    let (x, y, z) = Self.rows(seen.rawValue, p)
    gain = VectorGain(
      x: x * inverse.m11 + y * inverse.m12 + z * inverse.m13,
      y: x * inverse.m21 + y * inverse.m22 + z * inverse.m23,
      z: x * inverse.m31 + y * inverse.m32 + z * inverse.m33,
      place: inverse * placed, inverse: inverse, steadyShare: steadyShare)
    // One gain after the other in memory, where a loop finds them.
    var each = InlineArray<24, Vector3>(repeating: .zero)
    var gains = each.mutableSpan
    Self.interleave(gain.x.a, gain.y.a, gain.z.a, 0, &gains)
    Self.interleave(gain.x.b, gain.y.b, gain.z.b, 4, &gains)
    Self.interleave(gain.x.c, gain.y.c, gain.z.c, 8, &gains)
    Self.interleave(gain.x.d, gain.y.d, gain.z.d, 12, &gains)
    Self.interleave(gain.x.e, gain.y.e, gain.z.e, 16, &gains)
    Self.interleave(gain.x.f, gain.y.f, gain.z.f, 20, &gains)
    Self.correct(0, x.a, y.a, z.a, gains, &p)
    Self.correct(1, x.b, y.b, z.b, gains, &p)
    Self.correct(2, x.c, y.c, z.c, gains, &p)
    Self.correct(3, x.d, y.d, z.d, gains, &p)
    Self.correct(4, x.e, y.e, z.e, gains, &p)
    Self.correct(5, x.f, y.f, z.f, gains, &p)
    row = row - (gain.x * placed.x + gain.y * placed.y + gain.z * placed.z)
    variance -= gain.place.dot(placed)
    if steadyShare < nearlyAll {
      // With `g` times the best gain, `2g - g^2` of the best reduction is left.
      let back = (1 - steadyShare) * (1 - steadyShare)
      for k in 6..<15 {
        let g = gains[k] * back
        p[24 + k] += (x.b * g.x + y.b * g.y + z.b * g.z) * Self.steady.b
        p[48 + k] += x.c * g.x + y.c * g.y + z.c * g.z
        p[72 + k] += (x.d * g.x + y.d * g.y + z.d * g.z) * Self.steady.d
      }
    }
    (placeRow, placeVariance) = (row, variance)
    note()
    return true
  }

  /// A row that is one for bias, offset and scale.
  private static var steady: ErrorRow {
    let (none, all) = (ErrorRow.Four(repeating: 0), ErrorRow.Four(repeating: 1))
    return ErrorRow(
      none, ErrorRow.Four(0, 0, 1, 1), all, ErrorRow.Four(1, 1, 1, 0), none, none)
  }

  /// Returns all covariances of three errors, also those below the diagonal.
  @inline(__always)
  private static func rows(
    _ start: Int, _ p: borrowing MutableSpan<SIMD4<Scalar>>
  ) -> (ErrorRow, ErrorRow, ErrorRow) {
    let p = p.span
    return (row(start, p), row(start + 1, p), row(start + 2, p))
  }

  @inline(__always)
  private static func interleave(
    _ x: SIMD4<Scalar>, _ y: SIMD4<Scalar>, _ z: SIMD4<Scalar>, _ start: Int,
    _ gains: inout MutableSpan<Vector3>
  ) {
    gains[start] = Vector3(x.x, y.x, z.x)
    gains[start + 1] = Vector3(x.y, y.y, z.y)
    gains[start + 2] = Vector3(x.z, y.z, z.z)
    gains[start + 3] = Vector3(x.w, y.w, z.w)
  }

  /// Corrects four columns down to the diagonal.
  @inline(__always)
  @_lifetime(p: copy p)
  private static func correct(
    _ four: Int, _ x: SIMD4<Scalar>, _ y: SIMD4<Scalar>, _ z: SIMD4<Scalar>,
    _ gains: borrowing MutableSpan<Vector3>, _ p: inout MutableSpan<SIMD4<Scalar>>
  ) {
    for k in 0..<(4 * four + 4) {
      let gain = gains[k]
      p[24 * four + k] -= x * gain.x + y * gain.y + z * gain.z
    }
  }

  /// Observes the heading that the field shows, and with it the place's, with `noise` variance. It
  /// corrects heading, bias and, as far as `matrixShare`, the gyroscope's matrix; tilt, velocity
  /// and the accelerometer's errors are held, so that no magnet can tilt the horizon. The
  /// covariance follows the gain that is used, not the best one: with shares `g` and `h` of two
  /// errors, `g + h - gh` of the best reduction of their covariance is left.
  mutating func observeHeading(
    noise: Scalar, matrixShare: Scalar, isFields: Bool = true
  ) -> ScalarGain? {
    // Elsewhere than in the field the place has no part.
    let share = isFields ? 1 as Scalar : 0
    let (row, variance) = (placeRow, placeVariance)
    let place = row * share
    var p = parts.mutableSpan
    let column = ErrorRow(p[2], p[26], p[50], p[74], p[98], p[122]) + place
    // Above the diagonal: what the heading has to do with the tilt.
    let seen = ErrorRow(
      SIMD4(p[0].z + place.a.x, p[1].z + place.a.y, column.a.z, column.a.w), column.b,
      column.c, column.d, column.e, column.f)
    let placed = row.a.z + share * variance
    let total = seen.a.z + share * placed + noise
    guard total > 0, total.isFinite else { return nil }
    let inverse = 1 / total
    // What is corrected, by its share.
    let g = matrixShare
    let freed = seen * ScalarGain.used(matrixShare: g)
    // The rows of the matrix: what is held changes by its share, the matrix itself by twice that
    // less its square.
    let own = g * (2 - g)
    let both = ErrorRow.Four(repeating: own)
    let ofMatrix =
      seen
      * ErrorRow(
        SIMD4(g, g, 1, g), SIMD4(g, g, 1, 1), SIMD4(1, g, g, g), SIMD4(g, g, g, own), both, both)
    var scaled = InlineArray<24, Scalar>(repeating: 0)
    var gains = scaled.mutableSpan
    (seen * inverse).store(&gains)
    Self.correct(0, seen.a, freed.a, ofMatrix.a, gains, &p)
    Self.correct(1, seen.b, freed.b, ofMatrix.b, gains, &p)
    Self.correct(2, seen.c, freed.c, ofMatrix.c, gains, &p)
    Self.correct(3, seen.d, freed.d, ofMatrix.d, gains, &p)
    Self.correct(4, seen.e, freed.e, ofMatrix.e, gains, &p)
    Self.correct(5, seen.f, freed.f, ofMatrix.f, gains, &p)
    placeRow = placeRow - seen * (placed * inverse)
    placeVariance -= placed * placed * inverse
    note()
    return ScalarGain(
      errors: seen * inverse, place: placed * inverse, inverse: inverse, matrixShare: g,
      other: isFields ? 24 : nil)
  }

  /// Makes one error, or the sum of two, more certain from the start, by this much information, or
  /// less certain, where it is negative: as if it had been seen to be as far off as it is believed
  /// to be. It becomes at most three times as uncertain.
  @inline(never)
  mutating func learnPrior(_ index: Int, and other: Int?, information: Scalar) -> ScalarGain {
    let place = placeRow
    var placed = place[index]
    var p = parts.mutableSpan
    var seen = Self.row(index, p.span)
    var variance = seen[index]
    if let other {
      placed += place[other]
      seen = seen + Self.row(other, p.span)
      variance = seen[index] + seen[other]
    }
    let total = 1 + information * variance
    let inverse = total > 1.0 / 3 ? information / total : -2 / variance
    var numbers = InlineArray<24, Scalar>(repeating: 0)
    var gains = numbers.mutableSpan
    (seen * inverse).store(&gains)
    Self.correct(0, seen.a, gains, &p)
    Self.correct(1, seen.b, gains, &p)
    Self.correct(2, seen.c, gains, &p)
    Self.correct(3, seen.d, gains, &p)
    Self.correct(4, seen.e, gains, &p)
    Self.correct(5, seen.f, gains, &p)
    placeRow = placeRow - seen * (placed * inverse)
    placeVariance -= placed * placed * inverse
    note()
    return ScalarGain(
      errors: seen * inverse, place: placed * inverse, inverse: inverse, matrixShare: nil,
      other: other)
  }

  /// Corrects four columns down to the diagonal.
  @inline(__always)
  @_lifetime(p: copy p)
  private static func correct(
    _ four: Int, _ seen: SIMD4<Scalar>, _ gains: borrowing MutableSpan<Scalar>,
    _ p: inout MutableSpan<SIMD4<Scalar>>
  ) {
    for k in 0..<(4 * four + 4) { p[24 * four + k] -= seen * gains[k] }
  }

  /// Corrects four columns down to the diagonal: in the rows of the corrected errors, of the held
  /// ones, and of the gyroscope's matrix.
  @inline(__always)
  @_lifetime(p: copy p)
  private static func correct(
    _ four: Int, _ seen: SIMD4<Scalar>, _ freed: SIMD4<Scalar>, _ ofMatrix: SIMD4<Scalar>,
    _ gains: borrowing MutableSpan<Scalar>, _ p: inout MutableSpan<SIMD4<Scalar>>
  ) {
    for k in 0..<(4 * four + 4) {
      let follows = k == 2 || (k > 5 && k < 9)
      let columns = k > 14 ? ofMatrix : follows ? seen : freed
      p[24 * four + k] -= columns * gains[k]
    }
  }
}

// What has become unknown, or less known.
extension ErrorFilter {
  /// Forgets these errors but for their variance, and their covariances with others.
  private mutating func forget(_ range: Range<Int>, variance: Scalar) {
    var place = InlineArray<24, Scalar>(repeating: 0)
    var placed = place.mutableSpan
    placeRow.store(&placed)
    var p = parts.mutableSpan
    for index in range {
      // To the left of the diagonal too: the four that it crosses is kept whole.
      for k in 0..<24 {
        p[index / 4 * 24 + k][index % 4] = 0
        p[k / 4 * 24 + index][k % 4] = 0
      }
      p[index / 4 * 24 + index][index % 4] = variance
      placed[index] = 0
    }
    placeRow = ErrorRow(placed)
    note()
  }

  mutating func forgetTilt(variance: Scalar) { forget(0..<2, variance: variance) }
  mutating func forgetHeading(variance: Scalar) { forget(2..<3, variance: variance) }
  mutating func forgetVelocity(variance: Scalar) { forget(3..<6, variance: variance) }
  mutating func forgetBias(variance: Scalar) { forget(6..<9, variance: variance) }

  /// Takes over the gyroscope's matrix as known from before with these standard deviations, at most
  /// those of `start`.
  mutating func assume(gyroMatrix sigma: Matrix3, _ start: Start) {
    for k in 0..<9 {
      let most = k % 4 == 0 ? start.gyroScale : start.gyroMisalignment
      let variance = sigma[k] * sigma[k]
      forget(15 + k..<16 + k, variance: variance < most ? variance : most)
    }
  }

  /// Takes over the accelerometer's offset and scale likewise.
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

  mutating func forgetPlace(variance: Scalar) {
    placeRow = ErrorRow()
    placeVariance = variance
  }

  /// Widens the tilt and heading, which are off by more than was thought possible.
  mutating func widen(tilt: Scalar, heading: Scalar = 0) {
    add(0, 0, tilt)
    add(1, 1, tilt)
    add(2, 2, heading)
    note()
  }

  /// Widens the bias likewise, in this covariance of device axes.
  mutating func widen(bias: Matrix3) {
    add(6, 6, bias.m11)
    add(6, 7, bias.m12)
    add(6, 8, bias.m13)
    add(7, 7, bias.m22)
    add(7, 8, bias.m23)
    add(8, 8, bias.m33)
    note()
  }

  /// Sets the variance of the heading, which keeps its correlations with the others.
  mutating func setHeading(variance: Scalar) {
    add(2, 2, variance - attitude.m33)
    note()
  }
}

/// Share beyond which one is not worth the work of taking the rest off.
private let nearlyAll = 0.99
