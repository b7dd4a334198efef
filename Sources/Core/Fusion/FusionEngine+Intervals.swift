// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Returns the seconds from `last` to `time`: zero if `last` is `nil`, and `nil` if `time` is
  /// earlier than `last`. A difference beyond the range of the clock is infinite.
  static func interval(from last: Timestamp?, to time: Timestamp) -> Seconds? {
    guard let last else { return 0 }
    guard time >= last else { return nil }
    let (span, overflow) = time.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
    return overflow ? .infinity : Seconds(span) * 1e-9
  }

  /// Returns true if the norm of `v` is at most `limit`. No sensor measures larger values, so these
  /// count as faults.
  static func isPlausible(_ v: Vector3, within limit: Scalar) -> Bool {
    // A comparison with not-a-number is always false. An overflow gives infinity, for which this
    // comparison is false too.
    v.dot(v) <= limit * limit
  }

  /// Returns the rotation of the device, as a rotation vector in rad, from the time of the latest
  /// rotation rate to the time of a sample that is stamped `time` and comes from a sensor with this
  /// `delay`. The second time may be earlier or later than the first.
  @inline(__always)
  func latencyTurn(to time: Timestamp, delay: Scalar, rate: Vector3) -> Vector3 {
    guard let last = state.gyroscope.time, !state.trust.isCoasting else { return .zero }
    let (span, overflow) = time.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
    let latency = Scalar(span) * 1e-9 + params.gyroDelay - delay
    // Do not extrapolate the latest rotation rate beyond an epoch.
    guard !overflow, latency.magnitude < Scalar(params.epoch) else { return .zero }
    return rate * latency
  }

  /// Returns the mean interval between a sensor's samples, s, updated by one more interval. A pause
  /// counts like a few intervals.
  @inline(__always)
  func followed(_ mean: Scalar, _ interval: Scalar) -> Scalar {
    guard interval > 0, interval <= params.longestGap else { return mean }
    guard mean > 0 else { return interval }
    let most = params.silentSamples * mean
    return mean + coefficients.intervalShare * ((interval < most ? interval : most) - mean)
  }
}

/// The longest pause of a sensor that is used in computations, s; a longer pause counts as this
/// long. By this time the variances have grown to their limits, and no number overflows.
let longestPause: Seconds = 1e6
