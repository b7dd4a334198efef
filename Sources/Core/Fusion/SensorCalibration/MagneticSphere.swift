// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Collects field measurements from a magnetometer that is turned through all directions, and
/// determines hard and soft iron: `truth = matrix * (measured - offset)`, microtesla in the chip's
/// own axes.
///
/// A measurement is stored only if no stored measurement is near. All sides therefore have the same
/// weight, however long the chip rests on one of them.
public struct MagneticSphere: Sendable {
  public struct Params: Equatable, Sendable {
    /// The strength of the Earth's field at the place, microtesla, from the World Magnetic Model;
    /// `nil` if unknown. Only this strength determines the scale.
    public var expected: Scalar?
    /// The smallest distance between two stored field measurements, microtesla. Default 8: about
    /// 300 measurements on a sphere with a radius of 50.
    public var spacing = 8.0
    /// The smallest share of the sphere that the measurements must cover for a solution. Default
    /// 0.7.
    public var leastCoverage = 0.7
    /// The smallest number of field measurements for a solution. Default 60.
    public var leastCount = 60
    /// The largest root mean square deviation of the corrected strengths, relative to the strength.
    /// Default 0.05.
    public var largestResidual = 0.05
    /// Weakest and strongest field of the Earth, with a margin of a tenth, microtesla. Default 20
    /// and 73 (World Magnetic Model: 22 to 67).
    public var weakest = 20.0
    public var strongest = 73.0
    /// The largest relative difference between the measured and the expected strength. Default 0.3,
    /// because scale errors and nearby iron can cause a tenth.
    public var largestDeparture = 0.3

    public init() {}
  }

  /// The largest number of field measurements that are stored.
  public static var capacity: Int { 512 }

  public let params: Params
  private var fields = InlineArray<512, Vector3>(repeating: .zero)
  public private(set) var count = 0
  private var low = Vector3(.infinity, .infinity, .infinity)
  private var high = Vector3(-.infinity, -.infinity, -.infinity)
  /// The most recent field measurement, whether stored or not.
  public private(set) var newest: Vector3?

  public init(_ params: Params = Params()) { self.params = params }

  /// Adds a field measurement, microtesla in chip axes. Returns true if the measurement was stored
  /// because no stored measurement is near.
  @discardableResult
  public mutating func add(_ field: Vector3) -> Bool {
    guard field.isFinite else { return false }
    newest = field
    guard count < Self.capacity else { return false }
    let least = params.spacing * params.spacing
    // The nearest measurements are usually the most recent, so search these first.
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

  /// The current estimate of the centre of the sphere, microtesla: the centre of the fitted
  /// ellipsoid if the radius is a possible field strength, otherwise the middle of all
  /// measurements.
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
    // A standard deviation of 0.2 is a wide prior for soft iron. Stored measurements are far apart,
    // so each is independent.
    return ellipsoid.shape(correlation: 1, noise: 0.5, prior: 0.2)
  }

  /// Returns hard and soft iron. Throws if the measurements do not determine them.
  public func solve() throws(MagneticSphereError) -> MagneticFit {
    let middle = (low + high) / 2
    guard count >= params.leastCount else { throw .tooFew(count) }
    guard let shape = shape(around: middle) else { throw .disturbed(residual: nil) }
    let share = coverage(around: shape.center).share
    guard share >= params.leastCoverage else { throw .uncovered(share: share) }
    let axes = shape.axes
    let (r1, r2, r3) = (sqrt(axes.value1), sqrt(axes.value2), sqrt(axes.value3))
    // The square root of the ellipsoid's matrix transforms the ellipsoid to a sphere of arbitrary
    // size. Until the scale is known, use a sphere of equal volume.
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

  /// Returns the mean and the standard deviation of the norms of all field measurements.
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
  /// The correction for soft iron. It is symmetric, because a common rotation of all axes does not
  /// change a sphere.
  public var softIronMatrix: Matrix3
  /// The mean strength after correction, microtesla.
  public var strength: Scalar
  /// The mean strength after correction, but before the scale was fitted to the expected strength,
  /// microtesla.
  public var measuredStrength: Scalar
  /// Standard deviation of the strength over all directions after and before correction,
  /// microtesla.
  public var residual: Scalar
  public var residualBefore: Scalar
  /// The share of the sphere in which the field was measured, 0 to 1.
  public var coverage: Scalar
  /// The number of field measurements in the fit.
  public var count: Int
}

/// The reason why the field measurements do not determine hard and soft iron.
public enum MagneticSphereError: Error, Equatable, Sendable {
  /// There are only this number of distinct field measurements, because the chip was hardly turned.
  case tooFew(Int)
  /// The measurements cover only the share `share` of the sphere.
  case uncovered(share: Scalar)
  /// After correction, the strengths still have the standard deviation `residual`, microtesla
  /// (`nil` if the measurements form no ellipsoid). The cause is a nearby magnetic object that did
  /// not turn with the chip.
  case disturbed(residual: Scalar?)
  /// The corrected strength, microtesla, does not occur on Earth.
  case notEarth(strength: Scalar)
  /// The corrected field strength differs from the strength in the World Magnetic Model at this
  /// place. Both are in microtesla.
  case unexpected(strength: Scalar, expected: Scalar)
}
