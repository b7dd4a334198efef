// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Returns seconds from `last` to `time`: zero if `last` is `nil`, `nil` if `time` is earlier
  /// than `last`. Differences beyond the range of the clock are infinite.
  static func interval(from last: Timestamp?, to time: Timestamp) -> Seconds? {
    guard let last else { return 0 }
    guard time >= last else { return nil }
    let (span, overflow) = time.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
    return overflow ? .infinity : Seconds(span) * 1e-9
  }

  /// Returns true if the norm of `v` is at most `limit`; larger values are beyond any sensor and
  /// count as faults.
  static func isPlausible(_ v: Vector3, within limit: Scalar) -> Bool {
    // Not-a-number fails every comparison, and overflow gives infinity.
    v.dot(v) <= limit * limit
  }

  /// Returns the rotation of the device from the time of the newest rotation rate to that of a
  /// sample stamped `time` from a sensor with this `delay`, forwards or backwards, as a rotation
  /// vector in rad.
  @inline(__always)
  func latencyTurn(to time: Timestamp, delay: Scalar, rate: Vector3) -> Vector3 {
    guard let last = state.gyroscope.time, !state.trust.isCoasting else { return .zero }
    let (span, overflow) = time.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
    let latency = Scalar(span) * 1e-9 + params.gyroDelay - delay
    // The newest rotation rate is not extrapolated beyond an epoch.
    guard !overflow, latency.magnitude < Scalar(params.epoch) else { return .zero }
    return rate * latency
  }

  /// Returns a sensor's mean interval between samples, updated by one more interval, s. A pause
  /// counts like a few intervals.
  @inline(__always)
  func followed(_ mean: Scalar, _ interval: Scalar) -> Scalar {
    guard interval > 0, interval <= params.longestGap else { return mean }
    guard mean > 0 else { return interval }
    let most = params.silentSamples * mean
    return mean + coefficients.intervalShare * ((interval < most ? interval : most) - mean)
  }
}

/// Longer pauses of a sensor count as this long, s: variances that grow with time have reached
/// their limits, and no number overflows.
let longestPause: Seconds = 1e6
