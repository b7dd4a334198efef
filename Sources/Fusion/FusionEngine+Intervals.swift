// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Seconds from `last` to `time`: zero without a last one, `nil` where time runs backwards.
  /// Differences beyond the range of the clock are infinite.
  static func interval(from last: Timestamp?, to time: Timestamp) -> Seconds? {
    guard let last else { return 0 }
    guard time >= last else { return nil }
    let (span, overflow) = time.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
    return overflow ? .infinity : Seconds(span) * 1e-9
  }

  /// No sensor that fits a device measures beyond these; larger numbers are faults, and their
  /// squares overflow.
  static func isPlausible(_ v: Vector3, within limit: Scalar) -> Bool {
    // Not-a-number fails every comparison.
    v.x <= limit && v.x >= -limit && v.y <= limit && v.y >= -limit && v.z <= limit && v.z >= -limit
  }

  /// The strapdown attitude that a sample stamped `time`, of a sensor with this `delay`, belongs to.
  /// It is seldom just that of a gyroscope's sample: the newest rate carries it over the difference,
  /// forwards or backwards.
  @inline(__always)
  func strapdown(at time: Timestamp, delay: Scalar) -> Quaternion {
    guard let last = state.rateTime else { return state.strapdown }
    let (span, overflow) = time.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
    let lead = Scalar(span) * 1e-9 + params.gyroDelay - delay
    guard !overflow, lead != 0, lead < longestLead, lead > -longestLead else {
      return state.strapdown
    }
    return state.strapdown * Quaternion(smallRotation: (state.rate - state.bias) * lead)
  }
}

/// Over a longer time than this, in seconds, the newest rotation rate says nothing.
private let longestLead = 0.1
