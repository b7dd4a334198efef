// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The mounting in its device of a chip with an accelerometer, determined from two gestures: the
/// device at rest in its normal position, and held with its top edge up.
///
/// At rest the specific force points up. If the device lies flat and face up, this direction is the
/// z axis of the device. Of the upright device, only the part of this direction across z is used,
/// so the device may be held up to 40 degrees off upright. The x axis follows from both.
public struct MountingFit: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The largest difference between the specific force at rest and 1 g, g. Default 0.3.
    public var largestDeparture = 0.3
    /// The largest standard deviation of the specific force at rest, g. Default 0.06: a hand-held
    /// device needs three times the limit on a table.
    public var largestSpread = 0.06
    /// The smallest and the largest angle between the two gestures, radians. Default 50 and 130
    /// degrees.
    public var leastTurn = 50 * Scalar.pi / 180
    public var mostTurn = 130 * Scalar.pi / 180
    /// The largest angle between the third gesture and its expected direction, radians. Default 40
    /// degrees, which is less than the 45 degrees halfway to the next wrong direction.
    public var largestContradiction = 40 * Scalar.pi / 180

    public init() {}
  }

  /// The matrix that maps a vector in chip axes to device axes. Its rows are the device axes in
  /// chip coordinates.
  public var matrix: Matrix3
  /// The nearest mounting at right angles; chips are usually soldered like this.
  public var square: Matrix3
  /// The angle between `matrix` and `square`, radians. It comes from the inaccuracy of the hand and
  /// from the skew of the chip.
  public var offSquare: Scalar
  /// The angle between the z axis of the device and the nearest chip axis, radians. A table
  /// determines this axis best.
  public var tilt: Scalar
  /// The angle between the two gestures, radians; ideally 90 degrees.
  public var turn: Scalar
  private let params: Params

  /// Creates the mounting from the mean specific force, g in chip axes, of the device at rest,
  /// first with its face up and then with its top edge up.
  public init(flat: StillSegment, upright: StillSegment, _ params: Params = Params())
    throws(MountingError)
  {
    let z = try Self.up(flat, params)
    let other = try Self.up(upright, params)
    let turn = z.angle(to: other)
    guard turn >= params.leastTurn else { throw .notTurned(turn) }
    guard turn <= params.mostTurn else { throw .turnedOver(turn) }
    guard let y = (other - other.dot(z) * z).normalized else { throw .notTurned(turn) }
    matrix = Matrix3(rows: y.cross(z), y, z)
    let nearest = SquareMounting.nearest(to: matrix)
    square = nearest.matrix
    offSquare = nearest.angle
    tilt = z.angle(to: Vector3(square.m31, square.m32, square.m33))
    self.turn = turn
    self.params = params
  }

  /// Checks that a third gesture, the device at rest with its right edge down, agrees with the
  /// mounting. It does not agree if the order of the gestures or the edges were wrong.
  public func check(rightEdgeDown segment: StillSegment) throws(MountingError) {
    let up = try Self.up(segment, params)
    let left = Vector3(-matrix.m11, -matrix.m12, -matrix.m13)
    let off = left.angle(to: up)
    guard off <= params.largestContradiction else { throw .contradicted(off) }
  }

  /// Returns the direction that points up, in chip axes.
  static func up(_ segment: StillSegment, _ params: Params) throws(MountingError) -> Vector3 {
    guard segment.isFinite, segment.spread <= params.largestSpread else {
      throw .moved(spread: segment.spread)
    }
    let norm = segment.mean.norm
    guard let up = segment.mean.normalized, norm - 1 <= params.largestDeparture,
      1 - norm <= params.largestDeparture
    else { throw .notGravity(norm: norm) }
    return up
  }
}

/// The reason why gestures do not determine the mounting.
public enum MountingError: Error, Equatable, Sendable {
  /// The device was not held still: the specific force had the standard deviation `spread`, g.
  case moved(spread: Scalar)
  /// The specific force had the norm `norm`, g, which differs too much from gravity.
  case notGravity(norm: Scalar)
  /// The device was turned too little between the first two gestures: by this angle, radians.
  case notTurned(Scalar)
  /// The device was turned over instead of put upright: by this angle, radians, between the first
  /// two gestures.
  case turnedOver(Scalar)
  /// The third gesture differs by this angle, radians, from the mounting of the first two gestures:
  /// another edge was up or down, or the order was different.
  case contradicted(Scalar)
}
