// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A filter that begins where the calibration in use no longer explains the field, and replaces it
/// if it explains the field better for long enough.
struct Challenge: Equatable, Sendable {
  private(set) var filter: FieldFilter
  /// Seconds of turning since it began.
  private(set) var age: Seconds = 0
  /// The seconds of these for which its hard iron has stayed where it is.
  private(set) var steady: Seconds = 0
  /// Mean square per axis of its errors, and of those of the calibration in use, microtesla^2.
  private(set) var error = 0.0
  private(set) var missed = 0.0
  /// Recent mean of its own squared surprise, relative to what was to be expected.
  private(set) var surprise = 1.0
  private var anchor: Vector3
  private var weight = 1.0

  init(_ filter: FieldFilter) {
    self.filter = filter
    anchor = filter.hardIron
  }

  mutating func forgetField() { filter.forgetField() }

  mutating func take(
    _ seen: Vector3, at rotation: Matrix3, elapsed: Seconds, seconds: Seconds, extra: Scalar,
    headingDrift: Scalar, missed square: Scalar, params: MagneticCalibrator.Params
  ) {
    filter.predict(Scalar(elapsed), headingDrift: headingDrift, params: params)
    let innovation = filter.innovation(of: seen, at: rotation)
    let ratio = innovation.square / (innovation.doubt + 3 * (filter.level + extra))
    surprise += params.surpriseGain * ((ratio < 25 ? ratio : 25) - surprise)
    filter.learn(seen, at: rotation, innovation: innovation, extra: extra, params: params)
    age += seconds
    // While it knows less than the noise tells, its surprises say nothing.
    if innovation.doubt < 3 * filter.level {
      weight = weight / (1 + weight)
      if weight < params.surpriseGain / 3 { weight = params.surpriseGain / 3 }
      error += weight * (innovation.square / 3 - error)
      missed += weight * (square - missed)
    }
    let moved = filter.hardIron - anchor
    if moved.dot(moved) > params.challengeError * params.challengeError {
      anchor = filter.hardIron
      steady = 0
    } else {
      steady += seconds
    }
  }
}
