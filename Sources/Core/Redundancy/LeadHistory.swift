// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The newest samples of the member that leads, with their integral. They give the integral of the
/// lead over exactly the interval between two samples of another member, so that the integrals can
/// be compared.
struct LeadHistory: Sendable {
  private static var capacity: Int { 64 }

  /// The leading member's value at a time, and the integral of its values up to that time.
  struct Point: Sendable, BitwiseCopyable {
    var value = Vector3.zero
    var integral = VectorSum()
  }

  private struct Entry: Sendable, BitwiseCopyable {
    /// Nanoseconds on the group's clock.
    var time: Int64
    /// The inverse of the time since the sample before, 1/s.
    var rate: Scalar
    var point: Point
  }
  private var entries = InlineArray<64, Entry>(
    repeating: Entry(time: 0, rate: 0, point: Point()))
  private var newest = 0
  private(set) var count = 0

  /// The time of the newest sample, ns; `Int64.min` if there is none.
  private(set) var time = Int64.min
  private(set) var value = Vector3.zero

  mutating func removeAll() {
    count = 0
    time = .min
  }

  /// Adds a sample, `rate` of which are taken in a second.
  mutating func append(_ value: Vector3, at time: Int64, rate: Scalar) {
    var integral = entries[newest].point.integral
    if count > 0 {
      integral.add((self.value + value) * (Scalar(time &- self.time) * 0.5e-9))
      count = count < Self.capacity ? count + 1 : count
    } else {
      count = 1
    }
    newest = (newest + 1) & (Self.capacity - 1)
    entries[newest] = Entry(
      time: time, rate: rate, point: Point(value: value, integral: integral))
    (self.value, self.time) = (value, time)
  }

  /// Returns the leading member's value and integral at `time`, by trapezoids between samples;
  /// `nil` if the history does not cover this time.
  @inline(__always)
  mutating func point(at time: Int64) -> Point? {
    guard count > 1, time <= self.time else { return nil }
    var index = newest
    for _ in 1..<count {
      let later = index
      index = (index - 1) & (Self.capacity - 1)
      guard entries[index].time <= time else { continue }
      let seconds = Scalar(time &- entries[index].time) * 1e-9
      let first = entries[index].point.value
      var point = Point(value: first, integral: entries[index].point.integral)
      point.value += (entries[later].point.value - first) * (seconds * entries[later].rate)
      point.integral.add((first + point.value) * (0.5 * seconds))
      return point
    }
    return nil
  }
}

/// A sum of vectors, which grows without limit while its differences stay small.
struct VectorSum: Sendable, BitwiseCopyable {
  private typealias Sum = Double  // Single precision would lose the differences.
  private var x: Sum = 0
  private var y: Sum = 0
  private var z: Sum = 0

  @inline(__always)
  mutating func add(_ v: Vector3) {
    x += Sum(v.x)
    y += Sum(v.y)
    z += Sum(v.z)
  }

  @inline(__always)
  static func - (a: VectorSum, b: VectorSum) -> Vector3 {
    Vector3(Scalar(a.x - b.x), Scalar(a.y - b.y), Scalar(a.z - b.z))
  }
}
