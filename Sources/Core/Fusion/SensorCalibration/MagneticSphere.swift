// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Collects the fields that a magnetometer shows while it is turned through all directions, and
/// solves for hard and soft iron: `truth = matrix * (measured - offset)`, microtesla in the chip's
/// own axes.
///
/// Fields are kept where none lies near already: however long the chip rests on one side, every
/// side counts the same.
public struct MagneticSphere: Sendable {
  public struct Params: Equatable, Sendable {
    /// The strength of the earth's field at the place, microtesla, from the World Magnetic Model;
    /// `nil` if unknown. Only this strength determines the scale.
    public var expected: Scalar?
    /// The least distance of a field from all stored fields, microtesla; a nearer one is not
    /// stored. Default 8: some 300 fields on a sphere with a radius of 50.
    public var spacing = 8.0
    /// The least share of the sphere that fields must cover for a solution. Default 0.7.
    public var leastCoverage = 0.7
    /// The least number of fields for a solution. Default 60.
    public var leastCount = 60
    /// The largest root mean square by which corrected strengths may differ, as a share of the
    /// strength. Default 0.05.
    public var largestResidual = 0.05
    /// Weakest and strongest field of the earth with a margin of a tenth, microtesla. Default 20
    /// and 73 (World Magnetic Model: 22 to 67).
    public var weakest = 20.0
    public var strongest = 73.0
    /// The largest relative difference of the measured strength from the expected one. Default 0.3:
    /// scale errors and nearby iron make a tenth.
    public var largestDeparture = 0.3

    public init() {}
  }

  /// The largest number of fields that are stored.
  public static var capacity: Int { 512 }

  public let params: Params
  private var fields = InlineArray<512, Vector3>(repeating: .zero)
  public private(set) var count = 0
  private var low = Vector3(.infinity, .infinity, .infinity)
  private var high = Vector3(-.infinity, -.infinity, -.infinity)
  /// The newest field, whether stored or not.
  public private(set) var newest: Vector3?

  public init(_ params: Params = Params()) { self.params = params }

  /// Takes a field, microtesla in chip axes. Returns true if no stored field is near, so that it is
  /// stored.
  @discardableResult
  public mutating func add(_ field: Vector3) -> Bool {
    guard field.isFinite else { return false }
    newest = field
    guard count < Self.capacity else { return false }
    let least = params.spacing * params.spacing
    // The nearest fields are usually the last ones, so search these first.
    for index in (0..<count).reversed() {
      let apart = fields[index] - field
      if apart.dot(apart) < least { return false }
    }
    fields[count] = field
    count += 1
    low = Vector3(min(low.x, field.x), min(low.y, field.y), min(low.z, field.z))
    high = Vector3(max(high.x, field.x), max(high.y, field.y), max(high.z, field.z))
    return true
  }

  /// The present estimate of the sphere's centre, microtesla: the centre of the fitted ellipsoid if
  /// its strength is possible, else the middle of all fields.
  public var center: Vector3 {
    guard count > 0 else { return .zero }
    let middle = (low + high) / 2
    guard let shape = shape(around: middle) else { return middle }
    var sum = 0.0
    for index in 0..<count { sum += (fields[index] - shape.center).norm }
    let mean = sum / Scalar(count)
    return mean >= params.weakest && mean <= params.strongest ? shape.center : middle
  }

  /// Returns the directions around `center`, in chip axes, in which the field has been measured.
  public func coverage(around center: Vector3) -> SphereCoverage {
    var coverage = SphereCoverage()
    for index in 0..<count { coverage.add(fields[index] - center) }
    return coverage
  }

  private func shape(around origin: Vector3) -> EllipsoidFit.Shape? {
    var ellipsoid = EllipsoidFit(origin: origin)
    for index in 0..<count { ellipsoid.add(fields[index]) }
    // A standard deviation of 0.2 is a wide prior for soft iron; stored fields lie apart, so each
    // is independent.
    return ellipsoid.shape(correlation: 1, noise: 0.5, prior: 0.2)
  }

  /// Returns hard and soft iron. Throws the reason if the fields do not determine them.
  public func solve() throws(MagneticSphereError) -> MagneticFit {
    let middle = (low + high) / 2
    guard count >= params.leastCount else { throw .tooFew(count) }
    guard let shape = shape(around: middle) else { throw .disturbed(residual: nil) }
    let share = coverage(around: shape.center).share
    guard share >= params.leastCoverage else { throw .uncovered(share: share) }
    let axes = shape.axes
    let (r1, r2, r3) = (sqrt(axes.value1), sqrt(axes.value2), sqrt(axes.value3))
    // The square root of the ellipsoid's matrix turns the ellipsoid into a sphere of arbitrary
    // size; until the scale is known, one of equal volume.
    let scale = exp(-log(r1 * r2 * r3) / 3)
    var matrix = axes.matrix(r1 * scale, r2 * scale, r3 * scale)
    let before = norms { fields[$0] }
    var after = norms { matrix * (fields[$0] - shape.center) }
    guard after.deviation <= params.largestResidual * after.mean else {
      throw .disturbed(residual: after.deviation)
    }
    guard after.mean >= params.weakest, after.mean <= params.strongest else {
      throw .notEarth(strength: after.mean)
    }
    let strength = after.mean
    if let expected = params.expected {
      guard fabs(strength - expected) <= params.largestDeparture * expected else {
        throw .unexpected(strength: strength, expected: expected)
      }
      let factor = expected / strength
      matrix = axes.matrix(r1 * scale * factor, r2 * scale * factor, r3 * scale * factor)
      after.mean *= factor
      after.deviation *= factor
    }
    return MagneticFit(
      hardIron: shape.center, softIronMatrix: matrix, strength: after.mean,
      measuredStrength: strength, residual: after.deviation, residualBefore: before.deviation,
      coverage: share, count: count)
  }

  /// Returns mean and standard deviation of the norms of all fields.
  private func norms(_ field: (Int) -> Vector3) -> (mean: Scalar, deviation: Scalar) {
    var sum = 0.0
    for index in 0..<count { sum += field(index).norm }
    let mean = sum / Scalar(count)
    var squares = 0.0
    for index in 0..<count {
      let off = field(index).norm - mean
      squares += off * off
    }
    return (mean, sqrt(squares / Scalar(count)))
  }
}

/// Hard and soft iron of a magnetometer: `truth = softIronMatrix * (measured - hardIron)`,
/// microtesla in chip axes.
public struct MagneticFit: Equatable, Sendable {
  public var hardIron: Vector3
  /// Symmetric: a common rotation of all axes leaves a sphere as it is.
  public var softIronMatrix: Matrix3
  /// Mean strength after correction, microtesla.
  public var strength: Scalar
  /// Mean strength after correction, before the scale was fitted to the expected strength,
  /// microtesla.
  public var measuredStrength: Scalar
  /// Standard deviation of the strength over all directions, microtesla, after correction and
  /// before.
  public var residual: Scalar
  public var residualBefore: Scalar
  /// Share of the sphere in which fields were measured, 0 to 1.
  public var coverage: Scalar
  /// The number of fields that were fitted.
  public var count: Int
}

/// The reason why the fields do not determine hard and soft iron.
public enum MagneticSphereError: Error, Equatable, Sendable {
  /// Only this number of different fields was measured: the chip was hardly turned.
  case tooFew(Int)
  /// The fields cover only this share of the sphere.
  case uncovered(share: Scalar)
  /// After correction the strengths still have this standard deviation, microtesla (`nil`: the
  /// fields form no ellipsoid): something magnetic was near that did not turn with the chip.
  case disturbed(residual: Scalar?)
  /// The corrected strength, microtesla, does not occur on earth.
  case notEarth(strength: Scalar)
  /// The corrected strength differs from that of the World Magnetic Model at the place, both
  /// microtesla.
  case unexpected(strength: Scalar, expected: Scalar)
}
