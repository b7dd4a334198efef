// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A challenging filter. It starts when the calibration in use no longer explains the field
/// measurements, and replaces that calibration if it explains them better for long enough.
struct Challenge: Equatable, Sendable {
  private(set) var filter: FieldFilter
  /// Turning time since the challenging filter started, s.
  private(set) var age: Seconds = 0
  /// The latest part of this time in which the hard iron stayed constant, s.
  private(set) var steady: Seconds = 0
  /// The running mean of this filter's squared innovations, normalised by their expectation.
  private(set) var normalizedInnovation = 1.0
  /// Mean square, per axis, of the innovations of this filter (`error`) and of the calibration in
  /// use (`missed`), microtesla^2.
  private(set) var error = 0.0
  private(set) var missed = 0.0
  private var anchor: Vector3
  private var weight = 1.0

  init(_ filter: FieldFilter) {
    self.filter = filter
    anchor = filter.hardIron
  }

  mutating func forgetField() { filter.forgetField() }

  mutating func take(
    _ seen: Vector3, at rotation: Matrix3, elapsed: Seconds, seconds: Seconds,
    headingDrift: Scalar, missed square: Scalar, params: MagneticCalibrator.Params
  ) {
    filter.predict(Scalar(elapsed), headingDrift: headingDrift, params: params)
    let innovation = filter.innovation(of: seen, at: rotation)
    let ratio = innovation.square / (innovation.variance + 3 * filter.level)
    let most = params.innovationLimit / params.innovationShare
    normalizedInnovation +=
      params.innovationShare * ((ratio < most ? ratio : most) - normalizedInnovation)
    filter.learn(seen, at: rotation, innovation: innovation, params: params)
    age += seconds
    let moved = filter.hardIron - anchor
    if moved.dot(moved) > params.strongestNoise * params.strongestNoise {
      anchor = filter.hardIron
      steady = 0
    } else {
      steady += seconds
    }
    // While the uncertainty of this filter exceeds the noise, its innovations contain no
    // information.
    guard innovation.variance < 3 * filter.level else { return }
    weight = weight / (1 + weight)
    if weight < params.innovationShare / 3 { weight = params.innovationShare / 3 }
    error += weight * (innovation.square / 3 - error)
    missed += weight * (square - missed)
  }
}
