// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The mounting of a chip with an accelerometer in its device, from two gestures: the device at
/// rest as it lies normally, and held with its top edge up.
///
/// At rest the specific force points up. Flat and face up that is the device's z; of the upright
/// device only the direction across z counts, so that it may be held up to 40 degrees more or less
/// than upright. x follows from both.
public struct MountingFit: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The largest difference of the specific force at rest from 1 g, in g. Default 0.3.
    public var largestDeparture = 0.3
    /// The largest standard deviation of the specific force at rest, g. Default 0.06: three times
    /// the limit on a table, for a held device.
    public var largestSpread = 0.06
    /// The least and the greatest angle between the two gestures, radians. Default 50 and 130
    /// degrees.
    public var leastTurn = 50 * Scalar.pi / 180
    public var mostTurn = 130 * Scalar.pi / 180
    /// The largest angle of the third gesture from its expected direction, radians. Default 40
    /// degrees: less than 45 degrees, halfway to the next wrong direction.
    public var largestContradiction = 40 * Scalar.pi / 180

    public init() {}
  }

  /// The matrix that takes a vector in chip axes to device axes: its rows are the device's axes as
  /// the chip sees them.
  public var matrix: Matrix3
  /// The nearest mounting at right angles, as chips are soldered.
  public var square: Matrix3
  /// The angle of `matrix` from `square`, radians: the inaccuracy of the hand, and the chip's own
  /// skew.
  public var offSquare: Scalar
  /// The angle between the device's z axis, which a table shows best, and the nearest chip axis,
  /// radians.
  public var tilt: Scalar
  /// The angle between the two gestures, radians; ideally 90 degrees.
  public var turn: Scalar
  private let params: Params

  /// Creates the mounting from the mean specific force, g in chip axes, of the device at rest with
  /// its face up and with its top edge up.
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
  /// mounting: after gestures in another order, or with another edge up, it does not.
  public func check(rightEdgeDown segment: StillSegment) throws(MountingError) {
    let up = try Self.up(segment, params)
    let left = Vector3(-matrix.m11, -matrix.m12, -matrix.m13)
    let off = left.angle(to: up)
    guard off <= params.largestContradiction else { throw .contradicted(off) }
  }

  /// Returns the direction of up in chip axes.
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
  /// The specific force had this standard deviation, g: the device was not held still.
  case moved(spread: Scalar)
  /// The specific force had this norm, g, which is not gravity's.
  case notGravity(norm: Scalar)
  /// The device was turned by this angle, radians, between the first two gestures: too little.
  case notTurned(Scalar)
  /// The device was turned by this angle, radians, between the first two gestures: it was turned
  /// over, not put upright.
  case turnedOver(Scalar)
  /// The third gesture differs by this angle, radians, from the mounting by the first two: another
  /// edge was up or down, or the order was different.
  case contradicted(Scalar)
}
