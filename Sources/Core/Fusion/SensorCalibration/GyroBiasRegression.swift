// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// A least-squares fit of a gyroscope's bias over temperature, from rest periods, in which the chip
/// lies still: `bias + slope * (temperature - reference)`, one straight line for each axis. All
/// rest periods have equal weight, because a calibration is a single session: the chip warms up, so
/// the first period is the coldest and determines the slope as much as the last.
public struct GyroBiasRegression: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// Deviation of the mean rate of a rest period from the true bias, independent of its length,
    /// rad/s. It comes from flicker noise, which averaging does not remove. This is the lower limit
    /// for the scatter about the line. Default 0.003 degrees/s (10 degrees/h), the bias instability
    /// of common parts.
    public var instability = 0.003 * Scalar.pi / 180
    /// The smallest temperature span for which a slope is fitted, K. Default 3.
    public var leastSpan = 3.0
    /// The smallest number of rest periods for which a slope is fitted. Default 10.
    public var leastStretches = 10
    /// The smallest ratio of a slope to its standard deviation at which the slope is significant
    /// (Student's t, whose square is the F of the test for a flat line). Default 5.
    public var leastSignificance = 5.0
    /// The largest mean rate that is accepted as bias, rad/s. Default 20 degrees/s, the worst value
    /// of common parts.
    public var largestBias = 20 * Scalar.pi / 180

    public init() {}
  }

  public let params: Params
  public private(set) var count = 0
  /// The number of rest periods with a temperature.
  private var warm = 0
  private var meanOfAll = Vector3.zero
  private var squaresOfAll = Vector3.zero
  // Statistics of the rest periods with a temperature, relative to their means (Welford, as in
  // RunningMean).
  private var temperature = 0.0
  private var bias = Vector3.zero
  private var tt = 0.0
  private var tb = Vector3.zero
  private var bb = Vector3.zero
  private var coldest = Scalar.infinity
  private var warmest = -Scalar.infinity

  public init(_ params: Params = Params()) { self.params = params }

  /// Adds the rotation rate of a rest period, rad/s in chip axes. Returns false, and ignores the
  /// period, if its mean rate is too large for a bias.
  @discardableResult
  public mutating func add(_ segment: StillSegment) -> Bool {
    guard segment.isFinite, segment.mean.norm <= params.largestBias else { return false }
    count += 1
    let before = segment.mean - meanOfAll
    meanOfAll += before / Scalar(count)
    squaresOfAll += before.times(segment.mean - meanOfAll)
    guard let degrees = segment.temperature else { return true }
    warm += 1
    let warmth = degrees - temperature
    let offset = segment.mean - bias
    temperature += warmth / Scalar(warm)
    bias += offset / Scalar(warm)
    tt += warmth * (degrees - temperature)
    tb += (degrees - temperature) * offset
    bb += offset.times(segment.mean - bias)
    coldest = min(coldest, degrees)
    warmest = max(warmest, degrees)
    return true
  }

  /// The fit to the rest periods so far; `nil` before the first period.
  public var fit: GyroBiasFit? {
    guard count > 0 else { return nil }
    guard warm == count, count > 2, tt > 0 else {
      let scatter = (squaresOfAll / Scalar(max(count - 1, 1))).roots(atLeast: params.instability)
      return GyroBiasFit(
        bias: meanOfAll, sigma: sigma(scatter), residual: scatter,
        referenceTemperature: warm > 0 ? temperature : nil,
        temperatureSpan: warm > 1 ? warmest - coldest : 0, stretches: count)
    }
    // The residual of the line: the sum of squares minus the part that the line explains.
    let explained = tb.times(tb) / tt
    let scatter = ((bb - explained) / Scalar(count - 2)).roots(atLeast: params.instability)
    let flat = (bb / Scalar(count - 1)).roots(atLeast: params.instability)
    let slope = tb / tt
    let slopeSigma = scatter / sqrt(tt)
    var fit = GyroBiasFit(
      bias: bias, sigma: sigma(flat), residual: flat,
      referenceTemperature: temperature, temperatureSpan: warmest - coldest, stretches: count)
    fit.slopeSigma = slopeSigma
    guard warmest - coldest >= params.leastSpan, count >= params.leastStretches else { return fit }
    func isSure(_ slope: Scalar, _ sigma: Scalar) -> Bool {
      fabs(slope) > params.leastSignificance * sigma
    }
    let sigma = sigma(scatter)
    if isSure(slope.x, slopeSigma.x) {
      (fit.slope.x, fit.residual.x, fit.sigma.x) = (slope.x, scatter.x, sigma.x)
    }
    if isSure(slope.y, slopeSigma.y) {
      (fit.slope.y, fit.residual.y, fit.sigma.y) = (slope.y, scatter.y, sigma.y)
    }
    if isSure(slope.z, slopeSigma.z) {
      (fit.slope.z, fit.residual.z, fit.sigma.z) = (slope.z, scatter.z, sigma.z)
    }
    return fit
  }

  /// Returns the standard deviation of the mean of rest periods with this scatter. Averaging
  /// reduces the scatter, but not the flicker noise.
  private func sigma(_ scatter: Vector3) -> Vector3 {
    let floor = params.instability * params.instability
    func sigma(_ scatter: Scalar) -> Scalar { sqrt(scatter * scatter / Scalar(count) + floor) }
    return Vector3(sigma(scatter.x), sigma(scatter.y), sigma(scatter.z))
  }
}

/// A gyroscope's bias over temperature, in the chip's own axes.
public struct GyroBiasFit: Equatable, Sendable {
  /// The bias at the reference temperature, rad/s.
  public var bias: Vector3
  /// Standard deviation of the bias, rad/s.
  public var sigma: Vector3
  /// The slope in rad/s per kelvin; zero on an axis without a significant slope.
  public var slope = Vector3.zero
  /// Standard deviation of the slope, rad/s per kelvin; zero without temperatures.
  public var slopeSigma = Vector3.zero
  /// Standard deviation of the rest periods from the fitted line, rad/s.
  public var residual: Vector3
  /// The mean temperature of the rest periods in degrees Celsius, at which the fitted bias is most
  /// accurate; `nil` if the chip reports none.
  public var referenceTemperature: Scalar?
  /// The span from the coldest to the warmest rest period, K.
  public var temperatureSpan: Scalar
  public var stretches: Int

  init(
    bias: Vector3, sigma: Vector3, residual: Vector3, referenceTemperature: Scalar?,
    temperatureSpan: Scalar, stretches: Int
  ) {
    self.bias = bias
    self.sigma = sigma
    self.residual = residual
    self.referenceTemperature = referenceTemperature
    self.temperatureSpan = temperatureSpan
    self.stretches = stretches
  }
}

extension Vector3 {
  /// Returns the component-wise product of two vectors.
  fileprivate func times(_ other: Vector3) -> Vector3 {
    Vector3(x * other.x, y * other.y, z * other.z)
  }

  /// Returns the square roots of variances, at least `least` each. (Rounding may make a variance
  /// negative.)
  fileprivate func roots(atLeast least: Scalar) -> Vector3 {
    let floor = least * least
    return Vector3(sqrt(max(x, floor)), sqrt(max(y, floor)), sqrt(max(z, floor)))
  }
}
