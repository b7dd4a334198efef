// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension ErrorFilter {
  /// The effect of one epoch on the errors.
  struct Step: Sendable {
    /// The rotation from device axes to the reference frame, integrated over the epoch, s. It maps
    /// a rate error to an attitude error, and an acceleration error to a velocity error.
    var turned: Matrix3
    /// The mean rotation rate after subtracting the bias, device axes, rad/s. The gyroscope's
    /// matrix multiplies this rate.
    var rate: Vector3
    /// The mean specific force, device axes, g. The accelerometer's scale multiplies this force.
    var force: Vector3
    /// The specific force in the reference frame, integrated over the epoch, m/s. It maps a tilt
    /// error to a velocity error. Zero if there are no accelerations.
    var lift: Vector3
    // The variances that one epoch adds to each component.
    var tilt: Scalar
    var heading: Scalar
    var bias: Scalar
    var gyroMatrix: Scalar
    var offset: Scalar
    var velocity: Scalar

    /// Returns the attitude error that the errors in `row` cause over the epoch: `turned (matrix
    /// rate - bias)`.
    @inline(__always)
    func turn(_ row: ErrorRow) -> Vector3 {
      turned
        * (Vector3(row.gyroX.dot(rate), row.gyroY.dot(rate), row.gyroZ.dot(rate)) - row.bias)
    }

    /// Returns the velocity error that the errors in `row` cause over the epoch: `attitude x lift +
    /// g turned (force scale - offset)`. The heading error is left out, because the heading of the
    /// reference frame is arbitrary.
    @inline(__always)
    func gain(_ row: ErrorRow) -> Vector3 {
      let (scale, tilt) = (row.scale, row.attitude)
      let felt = Vector3(scale.x * force.x, scale.y * force.y, scale.z * force.z) - row.offset
      return turned * felt * standardGravity
        + Vector3(lift.z * tilt.y, -lift.z * tilt.x, lift.y * tilt.x - lift.x * tilt.y)
    }

    /// Propagates the sensor errors in `row` to the errors of attitude and velocity.
    @inline(__always)
    func carry(_ row: inout ErrorRow) {
      row.attitude += turn(row)
      row.velocity += gain(row)
    }
  }

  /// Propagates the covariance over one epoch: first the attitude, then the velocity. Products of
  /// varying values are replaced by products of their means over the epoch, which is accurate
  /// enough for covariances.
  mutating func predict(_ step: Step) {
    mirror()
    carry(step)
    add(0, 0, step.tilt)
    add(1, 1, step.tilt)
    add(2, 2, step.heading)
    for k in 0..<3 {
      add(3 + k, 3 + k, step.velocity)
      add(6 + k, 6 + k, step.bias)
      add(9 + k, 9 + k, step.offset)
    }
    for k in 15..<24 { add(k, k, step.gyroMatrix) }
    note()
  }

  /// Copies the part above the diagonal to the part below, in groups of four.
  private mutating func mirror() {
    var p = parts.mutableSpan
    for column in 1..<6 {
      for four in 0..<column {
        let from = 24 * column + 4 * four
        let (w, x, y, z) = (p[from], p[from + 1], p[from + 2], p[from + 3])
        let to = 24 * four + 4 * column
        p[to] = SIMD4(w.x, x.x, y.x, z.x)
        p[to + 1] = SIMD4(w.y, x.y, y.y, z.y)
        p[to + 2] = SIMD4(w.z, x.z, y.z, z.z)
        p[to + 3] = SIMD4(w.w, x.w, y.w, z.w)
      }
    }
  }

  /// Propagates the rows of attitude and velocity, including the columns of attitude and velocity
  /// within these rows.
  private mutating func carry(_ step: Step) {
    var p = parts.mutableSpan
    let (turned, rate, force, lift) = (step.turned, step.rate, step.force, step.lift)
    for four in 0..<6 {
      let k = 24 * four
      let x = p[k + 15] * rate.x + p[k + 16] * rate.y + p[k + 17] * rate.z - p[k + 6]
      let y = p[k + 18] * rate.x + p[k + 19] * rate.y + p[k + 20] * rate.z - p[k + 7]
      let z = p[k + 21] * rate.x + p[k + 22] * rate.y + p[k + 23] * rate.z - p[k + 8]
      let tiltX = p[k] + x * turned.m11 + y * turned.m12 + z * turned.m13
      let tiltY = p[k + 1] + x * turned.m21 + y * turned.m22 + z * turned.m23
      p[k] = tiltX
      p[k + 1] = tiltY
      p[k + 2] += x * turned.m31 + y * turned.m32 + z * turned.m33
      let feltX = (p[k + 12] * force.x - p[k + 9]) * standardGravity
      let feltY = (p[k + 13] * force.y - p[k + 10]) * standardGravity
      let feltZ = (p[k + 14] * force.z - p[k + 11]) * standardGravity
      let sumX = feltX * turned.m11 + feltY * turned.m12 + feltZ * turned.m13
      let sumY = feltX * turned.m21 + feltY * turned.m22 + feltZ * turned.m23
      let sumZ = feltX * turned.m31 + feltY * turned.m32 + feltZ * turned.m33
      p[k + 3] += sumX + tiltY * lift.z
      p[k + 4] += sumY - tiltX * lift.z
      p[k + 5] += sumZ + tiltX * lift.y - tiltY * lift.x
    }
    for k in 0..<6 {
      var row = ErrorRow(
        p[k], p[24 + k], p[48 + k], p[72 + k], p[96 + k], p[120 + k])
      step.carry(&row)
      p[k] = row.a
      p[24 + k] = row.b
    }
    // The bias and the velocity share a group of four errors.
    (p[30].x, p[30].y) = (p[28].z, p[29].z)
    (p[31].x, p[31].y) = (p[28].w, p[29].w)
  }
}

/// Standard gravity in m/s^2 (BIPM, The International System of Units, 3rd CGPM).
let standardGravity = 9.80665
