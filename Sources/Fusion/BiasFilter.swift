// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A symmetric 3 x 3 matrix: the covariance of the gyroscope's bias.
struct Covariance: Equatable, Sendable {
  var xx, xy, xz, yy, yz, zz: Double

  init(variance: Double) {
    xx = variance
    yy = variance
    zz = variance
    xy = 0
    xz = 0
    yz = 0
  }

  static func * (p: Covariance, v: Vector3) -> Vector3 {
    Vector3(
      p.xx * v.x + p.xy * v.y + p.xz * v.z,
      p.xy * v.x + p.yy * v.y + p.yz * v.z,
      p.xz * v.x + p.yz * v.y + p.zz * v.z)
  }

  /// Subtracts `v v^T / divisor`.
  mutating func subtract(square v: Vector3, over divisor: Double) {
    xx -= v.x * v.x / divisor
    xy -= v.x * v.y / divisor
    xz -= v.x * v.z / divisor
    yy -= v.y * v.y / divisor
    yz -= v.y * v.z / divisor
    zz -= v.z * v.z / divisor
  }

  var largest: Double { xx > yy ? (xx > zz ? xx : zz) : (yy > zz ? yy : zz) }
}

/// A Kalman filter of the gyroscope's bias, a random walk, fed one scalar observation `row . bias =
/// value` at a time: three scalar updates need no matrix inverse.
struct BiasFilter: Equatable, Sendable {
  /// rad/s.
  private(set) var bias = Vector3.zero
  /// (rad/s)^2.
  private(set) var covariance: Covariance
  /// Variance at the start and at most, (rad/s)^2.
  private let ceiling: Double
  /// Each component of the bias stays within this, rad/s.
  private let limit: Double

  init(sigma: Double, limit: Double) {
    ceiling = sigma * sigma
    self.limit = limit
    covariance = Covariance(variance: sigma * sigma)
  }

  init(bias: Vector3, sigma: Double, ceiling: Double, limit: Double) {
    self.init(sigma: ceiling, limit: limit)
    self.bias = Self.clipped(bias, limit)
    covariance = Covariance(variance: sigma < ceiling ? sigma * sigma : self.ceiling)
  }

  /// The bias may have walked: `variance` more in each axis.
  mutating func predict(_ variance: Double) {
    if covariance.xx < ceiling { covariance.xx += variance }
    if covariance.yy < ceiling { covariance.yy += variance }
    if covariance.zz < ceiling { covariance.zz += variance }
  }

  /// Takes one observation with `noise` variance. `innovation` is the observed value less what the
  /// bias predicts, held to the limit so that one shock cannot carry the bias away.
  mutating func observe(_ row: Vector3, innovation: Double, noise: Double) {
    let direction = covariance * row
    let total = row.dot(direction) + noise
    guard total > 0, total.isFinite else { return }
    let held = innovation > limit ? limit : innovation < -limit ? -limit : innovation
    bias = Self.clipped(bias + direction * (held / total), limit)
    covariance.subtract(square: direction, over: total)
    // Rounding must not make a variance negative.
    if covariance.xx < 1e-18 { covariance.xx = 1e-18 }
    if covariance.yy < 1e-18 { covariance.yy = 1e-18 }
    if covariance.zz < 1e-18 { covariance.zz = 1e-18 }
  }

  /// Whether a steady `rate` may be nothing but bias: within seven standard deviations and a
  /// `margin` of what is known. A bias that is known well makes a slow turn of a car or a turntable
  /// visible as one. (Seven, because the offsets of parts are not normally distributed: three would
  /// shut out the odd one for good.)
  func admits(_ rate: Vector3, margin: Double) -> Bool {
    func admits(_ rate: Double, _ bias: Double, _ variance: Double) -> Bool {
      guard rate <= limit, rate >= -limit else { return false }
      let off = rate > bias ? rate - bias - margin : bias - rate - margin
      return off <= 0 || off * off <= 49 * variance
    }
    return admits(rate.x, bias.x, covariance.xx) && admits(rate.y, bias.y, covariance.yy)
      && admits(rate.z, bias.z, covariance.zz)
  }

  private static func clipped(_ v: Vector3, _ limit: Double) -> Vector3 {
    func clip(_ c: Double) -> Double { c > limit ? limit : c < -limit ? -limit : c }
    return Vector3(clip(v.x), clip(v.y), clip(v.z))
  }
}
