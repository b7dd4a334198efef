// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A collection of still positions of an accelerometer, at least the six in which one of its axes
/// points up or down, that solves for its errors.
public struct SixPositions: Sendable {
  public struct Params: Equatable, Sendable {
    /// Local gravity, g. Default 1; it is 0.9973 at the equator and 1.0027 at the poles (WGS 84),
    /// less 0.0003 a kilometre of height.
    public var gravity = 1.0
    /// The largest standard deviation of a still position, g. Default 0.02.
    public var largestSpread = 0.02
    /// The largest difference of a specific force at rest from gravity, g; a larger one means that
    /// the chip moved or is broken. Default 0.25: common parts have offsets up to 0.1 g and scale
    /// errors up to 5 %.
    public var largestDeparture = 0.25
    /// The least angle between a position and all earlier ones, radians. Default 15 degrees.
    public var leastSeparation = 15 * Scalar.pi / 180

    public init() {}
  }

  /// The result of a position.
  public enum Verdict: Equatable, Sendable {
    /// The position is used; the face that is up, `nil` on an edge or a corner.
    case taken(Face?)
    /// The chip moved: the specific force had this standard deviation, g.
    case moved(spread: Scalar)
    /// The specific force had this norm, g, which is too far from gravity's.
    case notGravity(norm: Scalar)
    /// The position is not used, because an earlier one is nearly the same.
    case seen(Face?)
    /// The position is not used, because the largest number of positions is stored already.
    case full
  }

  /// The largest number of positions that are stored.
  public static var capacity: Int { 24 }

  public let params: Params
  private var positions = InlineArray<24, StillSegment>(
    repeating: StillSegment(mean: .zero, spread: 0, count: 0))
  public private(set) var count = 0
  /// The faces that have been up.
  public private(set) var faces: FaceSet = []

  public init(_ params: Params = Params()) { self.params = params }

  /// Faces that have not been up yet.
  public var missing: FaceSet { FaceSet.all.subtracting(faces) }

  /// Returns the mean specific force measured in the position `index`, in g.
  public func position(_ index: Int) -> StillSegment { positions[index] }

  /// Takes a position, and returns the result; a position that is not used has a reason.
  public mutating func add(_ position: StillSegment) -> Verdict {
    guard position.isFinite, let up = position.mean.normalized else {
      return .notGravity(norm: position.mean.norm)
    }
    if position.spread > params.largestSpread { return .moved(spread: position.spread) }
    let departure = position.mean.norm - params.gravity
    guard departure <= params.largestDeparture, departure >= -params.largestDeparture else {
      return .notGravity(norm: position.mean.norm)
    }
    let face = Face(position.mean)
    for index in 0..<count {
      guard let other = positions[index].mean.normalized else { continue }
      if up.angle(to: other) < params.leastSeparation { return .seen(face) }
    }
    guard count < Self.capacity else { return .full }
    positions[count] = position
    count += 1
    if let face { faces.insert(FaceSet(face)) }
    return .taken(face)
  }

  /// Returns the errors of the accelerometer: with nine positions or more that are spread well
  /// enough (say the six faces and three edges) including misalignment, with fewer only offset and
  /// scale.
  public func solve() throws(AccelerationFitError) -> AccelerationFit {
    guard missing.isEmpty else { throw .missing(missing) }
    let taken = positions.span.extracting(0..<count)
    guard count >= 9 else {
      return try AccelerationFit(taken, gravity: params.gravity, model: .offsetAndScale)
    }
    do throws(AccelerationFitError) {
      return try AccelerationFit(taken, gravity: params.gravity, model: .offsetAndMatrix)
    } catch {
      guard error == .undetermined else { throw error }
      return try AccelerationFit(taken, gravity: params.gravity, model: .offsetAndScale)
    }
  }
}
