// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Offset, scale and misalignment of an accelerometer: `truth = matrix * (measured - offset)`,
/// specific force in g, in the chip's own axes.
///
/// The fit gives gravity the same length in every position. It does not need to know the positions,
/// so the chip need not be held square to anything. A common rotation of all three axes does not
/// change lengths, so it cannot be determined. Of all matrices that differ by such a rotation, the
/// result is the symmetric one.
public struct AccelerationFit: Equatable, Sendable {
  /// The model to fit, by its number of unknowns.
  public enum Model: Equatable, Sendable {
    /// Six unknowns: the matrix is diagonal.
    case offsetAndScale
    /// Nine unknowns: the matrix is symmetric, and its elements off the diagonal are the
    /// misalignment.
    case offsetAndMatrix
  }

  public var offset: Vector3
  public var matrix: Matrix3
  public var model: Model
  /// Root mean square error of the length of gravity after correction, g. A fit with as many
  /// positions as unknowns is always exact, so the residual of six positions is zero.
  public var residual: Scalar
  /// Root mean square error of the length of gravity before correction, g.
  public var residualBefore: Scalar
  public var positions: Int
}

/// The reason why the fit failed, and the data that are missing.
public enum AccelerationFitError: Error, Equatable, Sendable {
  /// There are no positions yet with these faces up.
  case missing(FaceSet)
  /// The positions do not determine the errors, or contradict one another too much.
  case undetermined
  /// The errors are larger than the errors of a working chip (offset up to 0.5 g, scale within 20
  /// %, misalignment up to 0.1). Either the full-scale range is wrong, or the chip moved in a
  /// position.
  case implausible
  /// The positions contradict one another by `residual` g (root mean square), because the chip was
  /// on a moving surface in one of them.
  case inconsistent(residual: Scalar)
}

extension AccelerationFit {
  private typealias Equations = NormalEquations<9>

  /// Returns the offset and the matrix that the unknowns `u` stand for: offset x, y, z, then the
  /// matrix elements 11, 22, 33, 12, 13, 23.
  private static func apply(_ u: Equations.Row) -> (offset: Vector3, matrix: Matrix3) {
    (
      Vector3(u[0], u[1], u[2]),
      Matrix3(
        rows: Vector3(u[3], u[6], u[7]), Vector3(u[6], u[4], u[8]), Vector3(u[7], u[8], u[5]))
    )
  }

  /// Fits by the Gauss-Newton method. It starts with an error-free chip, and converges within a few
  /// steps for errors of a few per cent. `gravity` is the local gravity in g.
  init(
    _ positions: Span<StillSegment>, gravity: Scalar, model: Model
  ) throws(AccelerationFitError) {
    let count = model == .offsetAndScale ? 6 : 9
    var unknowns = Equations.Row(repeating: 0)
    for i in 3..<6 { unknowns[i] = 1 }
    var isSettled = false
    for _ in 0..<20 where !isSettled {
      var equations = Equations(unknowns: count)
      let (offset, matrix) = Self.apply(unknowns)
      for i in positions.indices {
        let raw = positions[i].mean - offset
        let corrected = matrix * raw
        guard let u = corrected.normalized else { throw .undetermined }
        let back = matrix.transposed * u
        let row: Equations.Row = [
          -back.x, -back.y, -back.z, u.x * raw.x, u.y * raw.y, u.z * raw.z,
          u.x * raw.y + u.y * raw.x, u.x * raw.z + u.z * raw.x, u.y * raw.z + u.z * raw.y,
        ]
        equations.add(row, gravity - corrected.norm)
      }
      guard let (step, deviations) = equations.solution() else { throw .undetermined }
      // If the fit amplifies the noise of the positions too much, the positions were badly chosen.
      for i in 0..<count where deviations[i] > Self.largestAmplification { throw .undetermined }
      var largest = 0.0
      for i in 0..<count {
        unknowns[i] += step[i]
        largest = max(largest, fabs(step[i]))
      }
      guard largest.isFinite else { throw .undetermined }
      isSettled = largest < max(1e-13, 4 * .ulpOfOne)
    }
    (offset, matrix) = Self.apply(unknowns)
    self.model = model
    self.positions = positions.count
    var before = 0.0
    var after = 0.0
    for i in positions.indices {
      let raw = positions[i].mean
      let errors = (raw.norm - gravity, (matrix * (raw - offset)).norm - gravity)
      before += errors.0 * errors.0
      after += errors.1 * errors.1
    }
    residualBefore = sqrt(before / Scalar(positions.count))
    residual = sqrt(after / Scalar(positions.count))
    for i in 0..<3 where fabs(unknowns[i]) > 0.5 { throw .implausible }
    for i in 3..<6 where fabs(unknowns[i] - 1) > 0.2 { throw .implausible }
    for i in 6..<9 where fabs(unknowns[i]) > 0.1 { throw .implausible }
    guard residual <= Self.largestResidual else { throw .inconsistent(residual: residual) }
  }

  /// The largest permitted amplification from the noise of one position to an unknown.
  private static var largestAmplification: Scalar { 4 }
  /// The largest permitted residual, g: three times the residual that a misalignment of 1 % causes
  /// in positions that are 10 degrees off an axis.
  private static var largestResidual: Scalar { 0.03 }
}
