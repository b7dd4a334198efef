// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Collects still positions of an accelerometer, and determines its errors from them. At least the
/// six positions are needed in which one of the axes points up or down.
public struct SixPositions: Sendable {
  public struct Params: Equatable, Sendable {
    /// Local gravity, g. Default 1. It is 0.9973 at the equator and 1.0027 at the poles (WGS 84),
    /// and 0.0003 less for each kilometre of height.
    public var gravity = 1.0
    /// The largest standard deviation of a still position, g. Default 0.02.
    public var largestSpread = 0.02
    /// The largest difference between a specific force at rest and gravity, g. A larger difference
    /// means that the chip moved or is broken. Default 0.25: common parts have offsets up to 0.1 g
    /// and scale errors up to 5 %.
    public var largestDeparture = 0.25
    /// The required minimum angle between a new position and each earlier position, radians.
    /// Default 15 degrees.
    public var leastSeparation = 15 * Scalar.pi / 180

    public init() {}
  }

  /// The result of a position.
  public enum Verdict: Equatable, Sendable {
    /// The position is used. The value is the face that is up; `nil` on an edge or a corner.
    case taken(Face?)
    /// The chip moved: the specific force had the standard deviation `spread`, g.
    case moved(spread: Scalar)
    /// The specific force had the norm `norm`, g, which differs too much from gravity.
    case notGravity(norm: Scalar)
    /// The position is not used, because an earlier position is nearly the same.
    case seen(Face?)
    /// The position is not used, because no more positions can be stored.
    case full
  }

  /// The largest number of positions that are stored.
  public static var capacity: Int { 24 }

  public let params: Params
  private var positions = InlineArray<24, StillSegment>(
    repeating: StillSegment(mean: .zero, spread: 0, count: 0))
  public private(set) var count = 0
  /// The faces that have been up so far.
  public private(set) var faces: FaceSet = []

  public init(_ params: Params = Params()) { self.params = params }

  /// Faces that have not been up yet.
  public var missing: FaceSet { FaceSet.all.subtracting(faces) }

  /// Returns the mean specific force measured in the position `index`, in g.
  public func position(_ index: Int) -> StillSegment { positions[index] }

  /// Adds a position, and returns the result. If the position is not used, the result gives the
  /// reason.
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

  /// Returns the errors of the accelerometer. Nine or more well-spread positions (such as the six
  /// faces and three edges) also give the misalignment; fewer positions give only offset and scale.
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
