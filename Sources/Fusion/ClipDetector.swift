// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Recognises a gyroscope at the end of its range: its fastest axis rises steeply, and from one
/// sample to the next stands still. A rotation that passes its peak slows down first.
struct ClipDetector: Equatable, Sendable {
  /// The slope of the axis before it stood still, rad/s^2; zero while it does not stand still.
  private var slope = 0.0
  private var flat = 0

  /// Takes a rate, the change from the one before and the interval. Returns true where the rate is
  /// at the range's end.
  @inline(__always)
  mutating func add(_ rate: Vector3, change: Vector3, before: Vector3, interval: Scalar) -> Bool {
    let square = rate.dot(rate)
    guard square > leastRate * leastRate else {
      if flat > 0 { self = ClipDetector() }
      return false
    }
    let (fastest, step, last) = Self.fastest(rate, change, before)
    let now = (step < 0 ? -step : step) / interval
    if flat > 0, now < flatShare * slope, fastest > leastRate {
      flat += 1
      return flat > 1
    }
    let rise = (last < 0 ? -last : last) / interval
    guard rise > leastSlope, now < flatShare * rise, fastest > leastRate else {
      if flat > 0 { self = ClipDetector() }
      return false
    }
    slope = rise
    flat = 1
    return false
  }

  /// Returns the magnitude of the axis that turns fastest, and the values of the same axis in two
  /// other vectors.
  @inline(__always)
  private static func fastest(_ v: Vector3, _ a: Vector3, _ b: Vector3) -> (Scalar, Scalar, Scalar)
  {
    let (x, y, z) = (v.x < 0 ? -v.x : v.x, v.y < 0 ? -v.y : v.y, v.z < 0 ? -v.z : v.z)
    if x >= y && x >= z { return (x, a.x, b.x) }
    return y >= z ? (y, a.y, b.y) : (z, a.z, b.z)
  }
}

/// rad/s: below 245 degrees/s common parts have no range but one of 125, which is for slow turns.
private let leastRate = 4.0
/// rad/s^2: a wrist that turns; and how much flatter a range's end is.
private let leastSlope = 12.0
private let flatShare = 0.1
