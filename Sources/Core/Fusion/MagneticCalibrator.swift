// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// An estimator that determines the device's own magnetism during use: the hard iron from field
/// measurements at known attitudes, and the soft iron from the ellipsoid that all field
/// measurements form.
///
/// A value type, without clock, allocation, input or output. docs/fusion.md contains the equations.
public struct MagneticCalibrator: Equatable, Sendable {
  public let params: Params
  /// The calibration that is applied to the next field measurement.
  public internal(set) var calibration: MagneticCalibration
  var main: FieldFilter
  /// Covariance of the published hard iron in corrected axes, microtesla^2.
  var covariance: Covariance
  /// The hard iron that was published when `main` started. The hard iron keeps this value in
  /// directions without a significant difference.
  var base: Vector3
  /// Variance of `base` in each axis, microtesla^2; infinite if there was no earlier calibration.
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
  /// Seconds since the last field measurement that was used, and since the last one that was
  /// checked.
  private var waiting: Seconds = 0
  private var sinceCheck: Seconds = 0
  /// Turning time since the calibration was last published, s.
  var sinceReview: Seconds = 0
  /// Squared cosine of half the rotation after which the next field measurement is used.
  private let squaredCosine: Scalar

  /// The corrected local field, microtesla, in the reference frame of the attitudes that are passed
  /// to `update`. Its horizontal part points to magnetic north. `nil` while its strength is not one
  /// that occurs on Earth.
  public var field: Vector3? {
    FieldReference.isPlausible(main.field.norm) ? main.field : nil
  }

  /// True if recent field measurements differ from the values that the calibration predicts,
  /// because of a passing magnet or a changed device. Nothing is learned until the cause is known.
  public var isInconsistent: Bool { normalizedInnovation >= params.innovationLimit }

  /// Mean square, per axis, of the field's unevenness and the sensor's noise, estimated from the
  /// measurements used, microtesla^2.
  var unevenness: Scalar { main.level }

  public init(_ params: Params = Params()) {
    self.params = params
    calibration = MagneticCalibration()
    base = .zero
    covariance = Covariance(variance: params.hardIronSigma * params.hardIronSigma)
    main = FieldFilter(
      hardIron: .zero, sigma: params.hardIronSigma,
      level: params.fieldUnevenness * params.fieldUnevenness, params: params)
    ellipsoid = EllipsoidFit(origin: .zero)
    let cosine = cos(params.turn / 2)
    squaredCosine = cosine * cosine
  }

  /// Starts with a known calibration, for example from the previous run. The standard deviation of
  /// the calibration is increased to at least `sigma` microtesla, because a battery may have been
  /// changed. Has no effect if a number is not finite.
  public mutating func assume(_ known: MagneticCalibration, sigma: Scalar = 3) {
    let axes = SymmetricEigen(Covariance(known.softIron))
    guard known.hardIron.isFinite, known.level > .unknown, known.sigma >= 0, sigma >= 0,
      axes.smallest > 0.3, axes.largest < 3
    else { return }
    var deviation = sqrt(known.sigma * known.sigma + sigma * sigma)
    if !(deviation < params.hardIronSigma) { deviation = params.hardIronSigma }
    calibration = known
    calibration.sigma = deviation
    covariance = Covariance(variance: deviation * deviation)
    inverseSoftIron = axes.matrix(1 / axes.value1, 1 / axes.value2, 1 / axes.value3)
    base = known.hardIron
    baseVariance = deviation * deviation
    isBaseWrong = false
    main = FieldFilter(
      hardIron: known.softIron * known.hardIron, sigma: deviation,
      level: params.fieldUnevenness * params.fieldUnevenness, params: params)
    ellipsoid = EllipsoidFit(origin: known.hardIron)
    coverage = DirectionCoverage()
    challenge = nil
    lastAttitude = nil
  }

  /// Restarts the heading after a gap. Later attitudes have an unrelated heading, and the device
  /// may be at another place.
  public mutating func restartHeading() {
    main.forgetField()
    challenge?.forgetField()
    lastAttitude = nil
  }

  /// Adds a measured field in microtesla, device axes. A value that is not finite is ignored.
  /// `attitude` is a unit quaternion from device axes to a frame whose Z axis is up and whose
  /// heading may drift by a few degrees per minute. `interval` is the time since the last call in
  /// seconds. While the gyroscope's bias is unknown, `headingDrift` is the standard deviation of
  /// the rate of a further drift of the heading, rad/s.
  @discardableResult @inline(__always)
  public mutating func update(
    magneticField raw: Vector3, attitude: Quaternion, interval: Seconds, headingDrift: Scalar = 0
  ) -> MagneticCalibration.Change {
    guard interval >= 0, headingDrift >= 0, headingDrift < 10, isDue(after: interval) else {
      return .none
    }
    return consider(raw, attitude: attitude, headingDrift: headingDrift)
  }

  /// Advances the time by `interval` seconds. Returns true if the next field measurement should be
  /// checked.
  @inline(__always)
  mutating func isDue(after interval: Seconds) -> Bool {
    waiting += interval
    sinceCheck += interval
    guard sinceCheck >= params.spacing else { return false }
    sinceCheck = 0
    return true
  }

  /// Uses the field measurement if the device has turned enough since the last measurement that was
  /// used.
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
    // A stronger field means a broken device or direct contact with a magnet. A comparison with
    // not-a-number is false.
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

  /// True if there is a challenging filter. (`challenge != nil` would copy the filter, and so would
  /// a nonmutating getter.)
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
    // The device may have rested between two field measurements, so at most one second counts as
    // turning time.
    let seconds = elapsed < 1 ? elapsed : 1
    let field = calibration.softIron * raw
    let seen = rotation * field
    main.predict(Scalar(elapsed), headingDrift: drift, params: params)
    let innovation = main.innovation(of: seen, at: rotation)
    let ratio = innovation.square / (innovation.variance + 3 * main.level)
    // With this limit, a single outlier can raise the mean above the threshold for at most ten
    // measurements.
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
