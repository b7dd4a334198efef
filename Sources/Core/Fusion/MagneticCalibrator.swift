// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// An estimator of the device's own magnetism during use: hard iron from fields at known attitudes,
/// soft iron from the shape of the fields.
///
/// A value without clock, allocation, input or output. docs/fusion.md holds the equations.
public struct MagneticCalibrator: Equatable, Sendable {
  public let params: Params
  /// The calibration that corrects the next field.
  public internal(set) var calibration: MagneticCalibration
  var main: FieldFilter
  /// Covariance of the published hard iron, in corrected axes, microtesla^2.
  var doubt: Covariance
  /// The published hard iron when `main` began: in directions without a significant difference the
  /// hard iron stays there.
  var base: Vector3
  /// Variance of `base` in each axis, microtesla^2; infinite if no calibration was known before.
  var baseVariance = Scalar.infinity
  /// True if the device has changed since `base` was valid.
  var isBaseWrong = false
  var challenge: Challenge?
  var ellipsoid: EllipsoidFit
  var coverage = DirectionCoverage()
  var inverseSoftIron = Matrix3.identity
  /// The running mean of the squared innovations of `main`, normalised by their expectation.
  var normalizedInnovation = 1.0
  private var lastAttitude: Quaternion?
  private var lastField = Vector3.zero
  /// Seconds since the last field that was used, and since the last field that was checked.
  private var waiting: Seconds = 0
  private var sinceCheck: Seconds = 0
  /// Seconds of turning since the calibration was last published.
  var sinceReview: Seconds = 0
  /// Squared cosine of half the rotation after which the next field is taken.
  private let squaredCosine: Scalar

  /// The corrected field of the place, microtesla, in the reference frame of the attitudes passed
  /// to `update`; the field's horizontal part points to magnetic north. `nil` while its strength
  /// does not occur on Earth.
  public var field: Vector3? {
    FieldReference.isPlausible(main.field.norm) ? main.field : nil
  }

  /// True if recent fields differ from the calibration's expectation: because of a passing
  /// magnet or a changed device. Nothing is learned until the cause is known.
  public var isInDoubt: Bool { normalizedInnovation >= params.innovationLimit }

  /// Mean square of the field's unevenness along each axis, and of the sensor's noise, as the
  /// fields taken show it, microtesla^2.
  var unevenness: Scalar { main.level }

  public init(_ params: Params = Params()) {
    self.params = params
    calibration = MagneticCalibration()
    base = .zero
    doubt = Covariance(variance: params.hardIronSigma * params.hardIronSigma)
    main = FieldFilter(
      hardIron: .zero, sigma: params.hardIronSigma,
      level: params.fieldUnevenness * params.fieldUnevenness, params: params)
    ellipsoid = EllipsoidFit(origin: .zero)
    let cosine = cos(params.turn / 2)
    squaredCosine = cosine * cosine
  }

  /// Starts with a known calibration, for example from the last run. The calibration's standard
  /// deviation is increased to at least `sigma` microtesla: a battery may have been changed.
  /// Without effect if a number is not finite.
  public mutating func assume(_ known: MagneticCalibration, sigma: Scalar = 3) {
    let axes = SymmetricEigen(Covariance(known.softIron))
    guard known.hardIron.isFinite, known.level > .unknown, known.sigma >= 0, sigma >= 0,
      axes.smallest > 0.3, axes.largest < 3
    else { return }
    var doubt = sqrt(known.sigma * known.sigma + sigma * sigma)
    if !(doubt < params.hardIronSigma) { doubt = params.hardIronSigma }
    calibration = known
    calibration.sigma = doubt
    self.doubt = Covariance(variance: doubt * doubt)
    inverseSoftIron = axes.matrix(1 / axes.value1, 1 / axes.value2, 1 / axes.value3)
    base = known.hardIron
    baseVariance = doubt * doubt
    isBaseWrong = false
    main = FieldFilter(
      hardIron: known.softIron * known.hardIron, sigma: doubt,
      level: params.fieldUnevenness * params.fieldUnevenness, params: params)
    ellipsoid = EllipsoidFit(origin: known.hardIron)
    coverage = DirectionCoverage()
    challenge = nil
    lastAttitude = nil
  }

  /// Restarts the heading after a gap: later attitudes have an unrelated heading, and possibly the
  /// device is at another place.
  public mutating func restartHeading() {
    main.forgetField()
    challenge?.forgetField()
    lastAttitude = nil
  }

  /// Takes a field in microtesla, device axes, as measured; `attitude` is a unit quaternion that
  /// takes device axes to a frame whose Z axis is up and whose heading may drift by a few degrees a
  /// minute; `interval` is the time since the last call in seconds; `headingDrift` one standard
  /// deviation of the rate at which the heading may drift beyond that, rad/s, while the gyroscope's
  /// bias is not known. Ignores fields that are not finite.
  @discardableResult @inline(__always)
  public mutating func update(
    magneticField raw: Vector3, attitude: Quaternion, interval: Seconds, headingDrift: Scalar = 0
  ) -> MagneticCalibration.Change {
    guard interval >= 0, headingDrift >= 0, headingDrift < 10, isDue(after: interval) else {
      return .none
    }
    return consider(raw, attitude: attitude, headingDrift: headingDrift)
  }

  /// Advances time by `interval` seconds. Returns true if the next field should be checked for use.
  @inline(__always)
  mutating func isDue(after interval: Seconds) -> Bool {
    waiting += interval
    sinceCheck += interval
    guard sinceCheck >= params.spacing else { return false }
    sinceCheck = 0
    return true
  }

  /// Uses the field if the device has turned enough since the last field that was used.
  mutating func consider(
    _ raw: Vector3, attitude: Quaternion, headingDrift: Scalar
  ) -> MagneticCalibration.Change {
    if let last = lastAttitude {
      let cosine =
        last.w * attitude.w + last.x * attitude.x + last.y * attitude.y + last.z * attitude.z
      guard cosine * cosine < squaredCosine else { return .none }
    }
    let change = raw - lastField
    guard
      change.dot(change) > params.fieldUnevenness * params.fieldUnevenness || lastAttitude == nil
    else {
      return .none
    }
    // A stronger field means a broken device or contact with a magnet. Not-a-number fails the
    // comparison.
    let strongest = 10 * params.hardIronSigma
    guard raw.dot(raw) < strongest * strongest, fabs(attitude.norm - 1) < 1e-3 else {
      return .none
    }
    let elapsed = waiting < 3600 ? waiting : 3600
    lastAttitude = attitude
    lastField = raw
    waiting = 0
    return take(raw, at: attitude.rotationMatrix, after: elapsed, drift: headingDrift)
  }

  /// True if there is a challenging filter. `challenge != nil` would copy the filter, and a
  /// nonmutating getter would get a copy.
  private var isChallenged: Bool {
    @inline(__always) mutating get {
      switch challenge {
      case .some: true
      case .none: false
      }
    }
  }

  private mutating func take(
    _ raw: Vector3, at rotation: Matrix3, after elapsed: Seconds, drift: Scalar
  ) -> MagneticCalibration.Change {
    // The device may have rested between two fields, so at most a second counts as turning.
    let seconds = elapsed < 1 ? elapsed : 1
    let field = calibration.softIron * raw
    let seen = rotation * field
    main.predict(Scalar(elapsed), headingDrift: drift, params: params)
    let innovation = main.innovation(of: seen, at: rotation)
    let ratio = innovation.square / (innovation.doubt + 3 * main.level)
    // The limit lets a single field raise the mean above the gate for at most ten fields.
    let most = params.innovationLimit / params.innovationShare
    normalizedInnovation +=
      params.innovationShare * ((ratio < most ? ratio : most) - normalizedInnovation)
    if normalizedInnovation < params.innovationLimit {
      main.learn(seen, at: rotation, innovation: innovation, params: params)
      coverage.add(field - main.hardIron, seconds: seconds, memory: params.shapeTime / 2)
      ellipsoid.add(raw)
      if normalizedInnovation < params.innovationLimit / 2, isChallenged { challenge = nil }
    }
    if normalizedInnovation >= params.innovationLimit, !isChallenged {
      let start = params.fieldUnevenness * params.fieldUnevenness
      challenge = Challenge(
        FieldFilter(
          hardIron: main.hardIron, sigma: params.hardIronSigma,
          level: main.level > start ? main.level : start, params: params))
    }
    if isChallenged {
      challenge?.take(
        seen, at: rotation, elapsed: elapsed, seconds: seconds, headingDrift: drift,
        missed: innovation.square / 3, params: params)
      if let change = decide() { return change }
    }
    sinceReview += seconds
    guard sinceReview >= params.reviewTime, normalizedInnovation < params.innovationLimit else {
      return .none
    }
    defer { sinceReview = 0 }
    return review()
  }
}
