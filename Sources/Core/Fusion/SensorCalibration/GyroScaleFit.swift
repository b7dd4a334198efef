// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// A collection of turns about the vertical by whole revolutions, which begin and end at rest, that
/// solves for the gyroscope's scale and misalignment. The accelerometer, calibrated, gives the
/// vertical.
///
/// A turn by `N` revolutions about `up` is `2 pi N up`; the gyroscope, without its bias, adds up to
/// `w`; so `matrix * w = 2 pi N up`, three equations a turn, and turns about three directions of
/// the chip tell all nine numbers.
public struct GyroScaleFit: Sendable {
  /// The result of a turn.
  public enum Verdict: Equatable, Sendable {
    /// The turn is used: the number of revolutions, right-handed about the vertical, and the side
    /// that was up, `nil` on an edge or corner.
    case taken(revolutions: Int, Face?)
    /// The number of revolutions is not whole: the turn did not end where it began.
    case notWhole(revolutions: Scalar)
    /// The turn was not about the vertical, or the vertical has changed.
    case tilted
  }

  public private(set) var count = 0
  /// Sides that were up, or down, in a turn.
  public private(set) var faces: FaceSet = []
  private var gate: StationaryDetector
  private var last: (rate: Vector3, time: Timestamp)?
  /// The rotation since the last stretch of rest.
  private var angle = Vector3.zero
  private var duration = 0.0
  private var hasGap = false
  private var rest: (bias: Vector3, up: Vector3)?
  // Sums over the turns.
  private var ww = Matrix3(rows: .zero, .zero, .zero)
  private var tw = Matrix3(rows: .zero, .zero, .zero)
  private var tt = 0.0
  private var directions = Matrix3(rows: .zero, .zero, .zero)

  public init(_ params: StationaryDetector.Params = StationaryDetector.Params()) {
    gate = StationaryDetector(params)
  }

  /// Takes the values sampled at `time`: specific force in g, corrected, and rotation rate in
  /// rad/s, as measured, in chip axes; either `nil` if it was not sampled. Returns a verdict once
  /// the chip rests after a turn.
  public mutating func add(
    specificForce: Vector3?, rotationRate: Vector3?, at time: Timestamp
  ) -> Verdict? {
    if let rotationRate, rotationRate.isFinite {
      if let last, time > last.time {
        let interval = (time - last.time).seconds
        if interval > 0.1 { hasGap = true }
        angle += (last.rate + rotationRate) * (interval / 2)
        duration += interval
      }
      if last.map({ time > $0.time }) ?? true { last = (rotationRate, time) }
    }
    guard
      let stretch = gate.add(
        specificForce: specificForce, rotationRate: rotationRate, temperature: nil, at: time),
      stretch.isStill, let rate = stretch.rotationRate?.mean,
      let up = stretch.specificForce?.mean.normalized
    else { return nil }
    defer {
      rest = (rate, up)
      angle = .zero
      duration = 0
      hasGap = false
    }
    guard let rest, !hasGap else { return nil }
    return close(angle - (rest.bias + rate) * (duration / 2), from: rest.up, to: up)
  }

  private mutating func close(_ w: Vector3, from before: Vector3, to after: Vector3) -> Verdict? {
    // Less than half a revolution means that a person has laid the chip on another side.
    guard w.norm > .pi, let up = (before + after).normalized else { return nil }
    let revolutions = w.dot(up) / (2 * .pi)
    let across = (w - w.dot(up) * up).norm
    // The vertical may differ by 2 degrees, and the axis by a misalignment of 0.1.
    guard before.angle(to: after) < 0.035, across < 0.1 * w.norm else { return .tilted }
    let whole = revolutions.rounded()
    let off = fabs(revolutions - whole)
    guard whole != 0, off <= 0.25, off <= 0.1 * fabs(whole) else {
      return .notWhole(revolutions: revolutions)
    }
    let truth = up * (2 * .pi * whole)
    count += 1
    if let face = Face(up), let other = Face(-up) {
      faces.formUnion([FaceSet(face), FaceSet(other)])
    }
    ww = ww + outer(w, w)
    tw = tw + outer(truth, w)
    tt += truth.dot(truth)
    directions = directions + outer(up, up)
    return .taken(revolutions: Int(whole), Face(up))
  }

  /// The matrix of `truth = matrix * (measured - bias)`, and the root mean square of its residual
  /// of a turn, radians; `nil` until turns about three directions were taken, or if the errors
  /// exceed those of a working chip (20 % in scale, 0.1 in misalignment).
  public var fit: (matrix: Matrix3, residual: Scalar)? {
    // Three directions at right angles have a determinant of (count / 3)^3, coplanar ones 0.
    let third = Scalar(count) / 3
    guard count >= 3, directions.determinant > 0.3 * third * third * third,
      let inverse = ww.inverse
    else { return nil }
    let matrix = tw * inverse
    let diagonal = Vector3(matrix.m11 - 1, matrix.m22 - 1, matrix.m33 - 1)
    let above = Vector3(matrix.m12, matrix.m13, matrix.m23)
    let below = Vector3(matrix.m21, matrix.m31, matrix.m32)
    guard diagonal.isWithin(0.2), above.isWithin(0.1), below.isWithin(0.1) else { return nil }
    // At the minimum the sum of squares is what the solution does not explain.
    let left = tt - (matrix * tw.transposed).trace
    return (matrix, sqrt(max(left, 0) / Scalar(count)))
  }
}

extension Vector3 {
  fileprivate func isWithin(_ limit: Scalar) -> Bool {
    fabs(x) <= limit && fabs(y) <= limit && fabs(z) <= limit
  }
}
