// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Determines the scale and misalignment of a gyroscope from turns about the vertical by whole
/// revolutions that begin and end at rest. The calibrated accelerometer gives the vertical.
///
/// A turn by `N` revolutions about `up` is `2 pi N up`. Without its bias, the gyroscope integrates
/// to `w`, so `matrix * w = 2 pi N up`. These are three equations for each turn; turns about three
/// directions of the chip determine all nine elements.
public struct GyroScaleFit: Sendable {
  /// The result of a turn.
  public enum Verdict: Equatable, Sendable {
    /// The turn is used. The values are the number of revolutions, right-handed about the vertical,
    /// and the side that was up; `nil` on an edge or corner.
    case taken(revolutions: Int, Face?)
    /// The number of revolutions is not whole, because the turn did not end where it began.
    case notWhole(revolutions: Scalar)
    /// The turn was not about the vertical, or the vertical has changed.
    case tilted
  }

  public private(set) var count = 0
  /// The sides that were up or down in a turn.
  public private(set) var faces: FaceSet = []
  private var gate: StationaryDetector
  private var last: (rate: Vector3, time: Timestamp)?
  /// The rotation since the last rest.
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

  /// Adds the values sampled at `time`, in chip axes: the corrected specific force in g, and the
  /// measured rotation rate in rad/s; `nil` if not sampled. Returns a verdict when the chip rests
  /// after a turn.
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
    // A rotation of less than half a revolution means that the chip was laid on another side.
    guard w.norm > .pi, let up = (before + after).normalized else { return nil }
    let revolutions = w.dot(up) / (2 * .pi)
    let across = (w - w.dot(up) * up).norm
    // The vertical may change by 2 degrees, and the axis may be misaligned by 0.1.
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

  /// The matrix in `truth = matrix * (measured - bias)`, and the root mean square residual of a
  /// turn, radians. `nil` until there are turns about three directions, or if the errors exceed the
  /// errors of a working chip (20 % in scale, 0.1 in misalignment).
  public var fit: (matrix: Matrix3, residual: Scalar)? {
    // For three directions at right angles the determinant is (count / 3)^3; for coplanar
    // directions it is 0.
    let third = Scalar(count) / 3
    guard count >= 3, directions.determinant > 0.3 * third * third * third,
      let inverse = ww.inverse
    else { return nil }
    let matrix = tw * inverse
    let diagonal = Vector3(matrix.m11 - 1, matrix.m22 - 1, matrix.m33 - 1)
    let above = Vector3(matrix.m12, matrix.m13, matrix.m23)
    let below = Vector3(matrix.m21, matrix.m31, matrix.m32)
    guard diagonal.isWithin(0.2), above.isWithin(0.1), below.isWithin(0.1) else { return nil }
    // At the minimum, the sum of squares is the part that the solution does not explain.
    let left = tt - (matrix * tw.transposed).trace
    return (matrix, sqrt(max(left, 0) / Scalar(count)))
  }
}

extension Vector3 {
  fileprivate func isWithin(_ limit: Scalar) -> Bool {
    fabs(x) <= limit && fabs(y) <= limit && fabs(z) <= limit
  }
}
