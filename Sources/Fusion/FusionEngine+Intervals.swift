// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Returns seconds from `last` to `time`: zero without a last one, `nil` where time runs
  /// backwards. Differences beyond the range of the clock are infinite.
  static func interval(from last: Timestamp?, to time: Timestamp) -> Seconds? {
    guard let last else { return 0 }
    guard time >= last else { return nil }
    let (span, overflow) = time.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
    return overflow ? .infinity : Seconds(span) * 1e-9
  }

  /// Returns true where the norm of `v` is at most `limit`, beyond which no sensor that fits a
  /// device measures: larger numbers are faults.
  static func isPlausible(_ v: Vector3, within limit: Scalar) -> Bool {
    // Not-a-number fails every comparison, and what overflows is beyond.
    v.dot(v) <= limit * limit
  }

  /// s.
  @inline(__always)
  var accelerationDelay: Scalar {
    params.accelerationDelay ?? likelyDelay(state.accelerationInterval)
  }
  /// Returns the delay of samples that are filtered for their rate, or the mean of an interval.
  @inline(__always)
  func likelyDelay(_ interval: Scalar) -> Scalar {
    interval > 2 * Self.filterDelay ? interval / 2 : Self.filterDelay
  }

  /// Of a chip that is not named, s.
  static var filterDelay: Scalar { 0.004 }

  /// Returns the turn of the device from the newest rate's moment to that of a sample stamped
  /// `time`, of a sensor with this `delay`, by the rate of the time between: forwards or backwards.
  /// A rotation vector, rad.
  @inline(__always)
  func lead(to time: Timestamp, delay: Scalar, rate: Vector3) -> Vector3 {
    guard let last = state.rateTime, !state.isCoasting else { return .zero }
    let (span, overflow) = time.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
    let lead = Scalar(span) * 1e-9 + state.gyroDelay - delay
    guard !overflow, lead < longestLead, lead > -longestLead else { return .zero }
    return rate * lead
  }

  /// Returns the strapdown attitude as a matrix.
  @inline(__always)
  mutating func strapdownMatrix() -> Matrix3 {
    if let matrix = state.strapdownMatrix { return matrix }
    let matrix = state.strapdown.rotationMatrix
    state.strapdownMatrix = matrix
    return matrix
  }
}

/// Returns the mean interval between samples, followed by one more, s.
@inline(__always)
func followed(_ mean: Scalar, _ interval: Scalar) -> Scalar {
  guard interval > 0, interval < longestLead else { return mean }
  return mean == 0 ? interval : mean + 0.02 * (interval - mean)
}

/// Time in seconds beyond which the newest rotation rate says nothing.
private let longestLead = 0.1
