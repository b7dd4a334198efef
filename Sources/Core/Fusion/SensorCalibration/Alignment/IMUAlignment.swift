// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// An estimator of how a second inertial sensor on a rigid body is rotated, displaced and delayed
/// relative to a first. It works with any motion by hand that turns the body about all its axes.
///
/// The series may have any rates and phases. Times refer to the motion itself: known filter delays
/// are already subtracted. All vectors are in the axes that each sensor is assumed to have; the
/// result shows how far this assumption is wrong.
public enum IMUAlignment {
  /// The alignment stated in a board file. The estimate deviates from it only as far as the motion
  /// gives better information.
  public struct Prior: Equatable, Sendable {
    /// Standard deviation of the rotation about each axis, radians; the expected rotation is zero.
    /// Default 2 degrees, for a package on its board and a board on its pins.
    public var rotationSigma = 2 * Scalar.pi / 180
    /// The lever arm from the first to the second sensor in device axes, m. Default zero.
    public var leverArm = Vector3.zero
    /// Standard deviation of each component of the lever arm, m. Default 0.1, for two modules in
    /// one device.
    public var leverArmSigma = 0.1
    /// The delay in the time stamps of the second sensor, s. Default zero.
    public var timeOffset = 0.0
    /// Standard deviation of the delay, s. Default 0.02, for a buffer that is read at 50 Hz.
    public var timeOffsetSigma = 0.02

    public init() {}
  }

  public struct Params: Equatable, Sendable {
    public var prior = Prior()
    /// Standard deviation of the difference between the gyroscopes' offsets, rad/s. Default 10
    /// degrees/s (LSM6DSO data sheet; MPU-6050: 20 at most).
    public var rotationRateOffsetSigma = 10 * Scalar.pi / 180
    /// Standard deviation of the difference between the accelerometers' offsets, g. Default 0.05.
    public var accelerationOffsetSigma = 0.05
    /// Standard deviations of the scale of the first gyroscope, and of the second. The lever arm is
    /// as accurate as the better of the two. Default 1.7 %: up to 3 %, as in the MPU-6050.
    public var rateScaleSigma = 0.017
    public var otherRateScaleSigma = 0.017
    /// Standard deviation of the difference between the accelerometers' scales. Default 2.4 %, for
    /// errors of up to 3 % in each.
    public var forceScaleSigma = 0.024
    /// Standard deviation of the difference between cross-axis sensitivities. Default 1 %: data
    /// sheets give limits of 1 to 2 %.
    public var crossAxisSigma = 0.01
    /// Standard deviation of the rotation of a sensor's axes in its package, radians. This rotation
    /// differs between gyroscope and accelerometer; the result lies between the two. Default 0.25
    /// degrees, for a cross-axis sensitivity of at most 1 %.
    public var misalignmentSigma = 0.25 * Scalar.pi / 180
    /// Standard deviation of the difference between a chip's two filter delays and their known
    /// values, s. Default 2 ms.
    public var filterDelaySigma = 0.002
    /// The largest time offset that the search covers, s. Default 0.1.
    public var largestOffset = 0.1
    /// The largest standard deviations of a result that is good enough. Three standard deviations
    /// are 0.3 degrees, 5 mm and 1 ms.
    public var wantedRotationSigma = 0.1 * Scalar.pi / 180
    public var wantedLeverArmSigma = 0.0017
    public var wantedTimeOffsetSigma = 0.00033
    /// The smallest permitted correlation of the two rotation speeds, 0 to 1. Default 0.9.
    public var leastCorrelation = 0.9

    public init() {}
  }

  /// The result of the fit, in the axes of the first sensor.
  public struct Fit: Equatable, Sendable {
    /// The rotation that maps vectors of the second sensor to the axes of the first.
    public var rotation: Matrix3
    /// Standard deviation of the rotation about each axis, radians, due to motion and noise only.
    /// `Params.misalignmentSigma` comes in addition.
    public var rotationSigma: Vector3
    /// The lever arm from the first to the second accelerometer, m.
    public var leverArm: Vector3
    public var leverArmSigma: Vector3
    /// The delay in the time stamps of the second sensor's samples, s.
    public var timeOffset: Scalar
    public var timeOffsetSigma: Scalar
    /// Root mean square of the rotation rate about each axis, rad/s.
    public var turning: Vector3
    /// Root mean square of the residuals of the rates, rad/s, and of the specific forces, g. `nil`
    /// if one of the sensors does not measure the quantity.
    public var rateResidual: Scalar?
    public var forceResidual: Scalar?
    /// The axes about which the body was turned too little for a good result; empty if the result
    /// is good.
    public var missing: AxisSet
  }

  /// A set of device axes.
  public struct AxisSet: OptionSet, Equatable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static var x: AxisSet { AxisSet(rawValue: 1) }
    public static var y: AxisSet { AxisSet(rawValue: 2) }
    public static var z: AxisSet { AxisSet(rawValue: 4) }
    public static var all: AxisSet { [.x, .y, .z] }
  }

  /// The largest number of Gauss-Newton steps; usually five are enough.
  static var iterations: Int { 12 }

  /// Fits rotation rates (rad/s) and specific forces (g) of a first and a second sensor, each in
  /// order of time. The first sensor has both quantities; the second may have only one of them.
  public static func fit(
    rates a: Span<TimedVector>, forces fa: Span<TimedVector>,
    rates b: Span<TimedVector>, forces fb: Span<TimedVector>, _ params: Params = Params()
  ) throws(IMUAlignmentError) -> Fit {
    let hasRates = b.count > 0
    let other = hasRates ? b : fb
    guard let grid = AlignmentGrid(a, other, margin: params.largestOffset) else { throw .tooShort }
    let turning = grid.mean(of: a).spread
    // 15 degrees/s: in slower turns, scale errors have more effect than the alignment.
    guard turning.norm > 0.26 else { throw .notMoved(rate: turning.norm) }
    var known = ForceAlignment.Known(
      rotation: .identity,
      rotationSigma: Vector3(1, 1, 1) * params.prior.rotationSigma,
      offset: params.prior.timeOffset, offsetSigma: params.prior.timeOffsetSigma,
      stretch: .identity, scaleSigma: params.rateScaleSigma)
    var start = Matrix3.identity
    var rateResidual: Scalar?
    if hasRates {
      let (lag, correlation) = grid.lag(a, b, within: params.largestOffset)
      guard correlation >= params.leastCorrelation else {
        throw .unrelated(correlation: correlation)
      }
      var rates = RateAlignment(params)
      guard rates.fit(a, b, grid, from: grid.rotation(a, b, lag: lag), lag: lag) else {
        throw .tooShort
      }
      guard rates.residual < 0.3 * turning.norm else { throw .unrelated(correlation: nil) }
      rateResidual = rates.residual
      known = rates.known
      start = rates.rotation
    } else {
      start = grid.rotation(fa, fb, lag: known.offset)
    }
    var fit = Fit(
      rotation: known.rotation, rotationSigma: known.rotationSigma,
      leverArm: params.prior.leverArm,
      leverArmSigma: Vector3(1, 1, 1) * params.prior.leverArmSigma,
      timeOffset: known.offset, timeOffsetSigma: known.offsetSigma, turning: turning,
      rateResidual: rateResidual, forceResidual: nil, missing: [])
    if fa.count > 0, fb.count > 0 {
      var forces = ForceAlignment(params)
      guard forces.fit(fa, fb, turning: a, grid, known, from: start) else { throw .tooShort }
      guard forces.residual < 0.3 else { throw .unrelated(correlation: nil) }
      fit.leverArm = forces.arm
      fit.leverArmSigma = forces.armSigma
      fit.forceResidual = forces.residual
      if hasRates {
        fit.turn(to: forces, params.misalignmentSigma)
      } else {
        fit.rotation = forces.rotation
        fit.rotationSigma = forces.rotationSigma
      }
    }
    fit.missing = params.missing(fit)
    return fit
  }
}

extension IMUAlignment.Fit {
  /// Rotates the result of the gyroscopes towards the result of the accelerometers. The weights
  /// follow from the variances of both measurements and of the axes in the package.
  fileprivate mutating func turn(to forces: ForceAlignment, _ misalignment: Scalar) {
    let off = (forces.rotation * rotation.transposed).rotationVector
    func share(_ axis: Int) -> Scalar {
      let (own, other) = (rotationSigma[axis], forces.rotationSigma[axis])
      let variance = misalignment * misalignment + own * own
      let sum = variance + misalignment * misalignment + other * other
      return sum > 0 ? variance / sum : 0
    }
    let turn = Vector3(share(0) * off.x, share(1) * off.y, share(2) * off.z)
    rotation = Quaternion(rotationVector: turn).rotationMatrix * rotation
  }
}

extension IMUAlignment.Params {
  /// Returns the axes about which more turning would help.
  fileprivate func missing(_ fit: IMUAlignment.Fit) -> IMUAlignment.AxisSet {
    let isGood =
      fit.rotationSigma.largest <= wantedRotationSigma
      && (fit.forceResidual == nil || fit.leverArmSigma.largest <= wantedLeverArmSigma)
      && (fit.rateResidual == nil || fit.timeOffsetSigma <= wantedTimeOffsetSigma)
    guard !isGood else { return [] }
    // The axes with the least rotation are missing. If no axis stands out, all axes are missing.
    let most = fit.turning.largest
    var missing: IMUAlignment.AxisSet = []
    if fit.turning.x < most / 3 { missing.insert(.x) }
    if fit.turning.y < most / 3 { missing.insert(.y) }
    if fit.turning.z < most / 3 { missing.insert(.z) }
    return missing.isEmpty ? .all : missing
  }
}
