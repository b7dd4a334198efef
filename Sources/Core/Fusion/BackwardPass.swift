// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A smoother that processes the epochs of a filter backwards and returns the correction for each:
/// a modified Bryson-Frazier smoother (G. J. Bierman, *Fixed interval smoothing with discrete
/// measurements*, Int. J. Control 18, 1973), which needs no matrix inverse. Smoothed values are the
/// filtered ones less `P lambda`, with the covariance `P - P Lambda P`; `lambda` and `Lambda`
/// accumulate the information of each observation, and are propagated back over each step. Each
/// observation counts with its optimal gain, even where the filter used only a part of that gain;
/// otherwise the smoother would claim more information about the past than the samples contain.
package struct BackwardPass: Sendable {
  private var costate = ErrorRow()
  /// A symmetric matrix, row by row.
  private var information = InlineArray<24, ErrorRow>(repeating: ErrorRow())

  package init() {}

  /// The corrections to the estimates at the end of an epoch.
  package struct Smoothed: Sendable {
    /// The correction of the attitude: a rotation vector in the reference frame, rad.
    package var turn = Vector3.zero
    /// The correction of the bias, device axes, rad/s.
    package var bias = Vector3.zero
    /// The covariance of the attitude after the correction, rad^2.
    package var covariance = Matrix3.zero

    package init() {}

    init(turn: Vector3, bias: Vector3, covariance: Matrix3) {
      self.turn = turn
      self.bias = bias
      self.covariance = covariance
    }

    /// Returns the smoothed errors just before the filter's own corrections at the end of the
    /// epoch.
    package func before(_ record: borrowing EpochRecord) -> Smoothed {
      Smoothed(turn: turn + record.turned, bias: bias + record.shifted, covariance: covariance)
    }

    /// Interpolates between these smoothed errors and `next`, those at the end of an epoch. Errors
    /// that became unknown within the epoch take the values of `next`.
    func mixed(
      with next: Smoothed, share: Scalar, _ forgotten: ForgottenErrors
    ) -> Smoothed {
      let tilt = forgotten.contains(.tilt) ? 1 : share
      let heading = forgotten.contains(.heading) ? 1 : share
      let change = next.turn - turn
      return Smoothed(
        turn: turn + Vector3(tilt * change.x, tilt * change.y, heading * change.z),
        bias: bias + share * (next.bias - bias), covariance: next.covariance)
    }
  }

  /// Returns the corrections at the end of `record` that follow from later epochs. Call this before
  /// `goBack(over:)`.
  package func smoothed(_ record: borrowing EpochRecord) -> Smoothed {
    let rows = record.attitude
    var covariance = Matrix3(
      rows: rows.x.attitude, rows.y.attitude, rows.z.attitude)
    let (x, y, z) = (known(rows.x), known(rows.y), known(rows.z))
    covariance.add(Matrix3(rows: rows.times(x), rows.times(y), rows.times(z)), times: -1)
    return Smoothed(
      turn: rows.times(costate) * -1, bias: record.biases.times(costate) * -1,
      covariance: covariance)
  }

  /// Processes the observations of the epoch backwards, to the start of the epoch.
  package mutating func goBack(over record: borrowing EpochRecord) {
    // Process the observations in the reverse of the order in which the engine applied them.
    for term in (0..<9).reversed() {
      guard let prior = record.priors[term] else { continue }
      absorb(prior.gain, innovation: prior.innovation)
    }
    if let gain = record.heading { absorb(gain, innovation: record.headingInnovation) }
    if let seen = record.bias { absorb(.bias, seen) }
    if let seen = record.velocity { absorb(.velocity, seen) }
    forget(record.forgotten)
    guard let step = record.step else { return }
    step.carryBack(&costate)
    var rows = information.mutableSpan
    for k in 0..<24 { step.carryBack(&rows[k]) }
    Self.transpose(&rows)
    for k in 0..<24 { step.carryBack(&rows[k]) }
    Self.symmetrize(&rows)
    forget(record.forgotten)
  }

  private mutating func absorb(_ errors: Errors, _ seen: EpochRecord.Seen) {
    let (gain, start) = (seen.gain, errors.rawValue)
    let (x, y, z) = (gain.x, gain.y, gain.z)
    let normalized = gain.inverse * seen.innovation
    let change = Vector3(x.dot(costate), y.dot(costate), z.dot(costate)) + normalized
    costate[start] -= change.x
    costate[start + 1] -= change.y
    costate[start + 2] -= change.z
    let (a, b, c) = (known(x), known(y), known(z))
    var block = Matrix3(
      rows: Vector3(x.dot(a), x.dot(b), x.dot(c)), Vector3(y.dot(a), y.dot(b), y.dot(c)),
      Vector3(z.dot(a), z.dot(b), z.dot(c)))
    block.add(gain.inverse)
    var rows = information.mutableSpan
    for k in 0..<24 {
      rows[k][start] -= a[k]
      rows[k][start + 1] -= b[k]
      rows[k][start + 2] -= c[k]
    }
    for k in 0..<3 {
      var row = rows[start + k] - (k == 0 ? a : k == 1 ? b : c)
      let own = k == 0 ? block.row1 : k == 1 ? block.row2 : block.row3
      row[start] += own.x
      row[start + 1] += own.y
      row[start + 2] += own.z
      rows[start + k] = row
    }
  }

  /// Processes a scalar observation of one error or of a sum of errors.
  private mutating func absorb(_ gain: ErrorFilter.ScalarGain, innovation: Scalar) {
    let x = gain.errors
    let change = x.dot(costate) + gain.inverse * innovation
    let a = known(x)
    let own = x.dot(a) + gain.inverse
    let seen = gain.derivatives
    costate = costate - seen * change
    var rows = information.mutableSpan
    for k in 0..<24 {
      let derivative = seen[k]
      rows[k] = rows[k] - seen * a[k]
      if derivative != 0 { rows[k] = rows[k] - (a - seen * own) * derivative }
    }
  }

  /// Returns the product of the information matrix and `v`.
  private func known(_ v: ErrorRow) -> ErrorRow {
    let rows = information.span
    var product = ErrorRow()
    for k in 0..<24 { product[k] = rows[k].dot(v) }
    return product
  }

  private mutating func forget(_ forgotten: ForgottenErrors) {
    if forgotten.isEmpty { return }
    if forgotten.contains(.tilt) { forget(0..<2) }
    if forgotten.contains(.heading) { forget(2..<3) }
    if forgotten.contains(.velocity) { forget(3..<6) }
    if forgotten.contains(.bias) { forget(6..<9) }
    if forgotten == .everything { self = BackwardPass() }
  }

  private mutating func forget(_ range: Range<Int>) {
    for index in range { costate[index] = 0 }
    var rows = information.mutableSpan
    for index in range {
      rows[index] = ErrorRow()
      for k in 0..<24 { rows[k][index] = 0 }
    }
  }

  private static func transpose(_ rows: inout MutableSpan<ErrorRow>) {
    for i in 0..<24 {
      for k in 0..<i { (rows[i][k], rows[k][i]) = (rows[k][i], rows[i][k]) }
    }
  }

  /// Makes the information matrix symmetric again. Otherwise rounding errors grow with each step
  /// and dominate the result within a minute.
  private static func symmetrize(_ rows: inout MutableSpan<ErrorRow>) {
    for i in 0..<24 {
      for k in 0..<i {
        let mean = (rows[i][k] + rows[k][i]) / 2
        (rows[i][k], rows[k][i]) = (mean, mean)
      }
    }
  }
}

extension ErrorFilter.Step {
  /// Propagates an information vector back by the transpose of `carry`, which propagates errors.
  func carryBack(_ row: inout ErrorRow) {
    let speed = row.velocity
    let felt = turned.transposed * speed * standardGravity
    row.scale += Vector3(felt.x * force.x, felt.y * force.y, felt.z * force.z)
    row.offset -= felt
    row.attitude += Vector3(
      lift.y * speed.z - lift.z * speed.y, lift.z * speed.x - lift.x * speed.z, 0)
    let turn = turned.transposed * row.attitude
    row.bias -= turn
    row.gyroX += rate * turn.x
    row.gyroY += rate * turn.y
    row.gyroZ += rate * turn.z
  }
}
