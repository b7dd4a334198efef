// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The last five seconds of acceleration at 25 Hz, for any sample rate.
///
/// Each value is the mean, over 40 ms, of the straight lines between samples. This acts as an
/// anti-aliasing filter for fast samples, and as an interpolation for slow samples.
package struct ActivityWindow: Equatable, Sendable {
  static var rate: Scalar { 25 }
  static var count: Int { 128 }
  /// The length of the window in seconds.
  static var length: Scalar { Scalar(count) / rate }

  /// The end of the 40 ms of the newest value in the window.
  package private(set) var end = Timestamp.zero
  /// The number of valid values in the window.
  private(set) var filled = 0
  private var values = InlineArray<128, Vector3>(repeating: .zero)
  private var next = 0
  private var last = Vector3.zero
  /// The integral of the value that is being computed, and the time in seconds that it covers so
  /// far.
  private var area = Vector3.zero
  private var elapsed = 0.0
  /// The line from the previous sample to the newest sample: its start, its length in seconds, the
  /// current point on the line, and the remaining seconds.
  private var start = Vector3.zero
  private var interval = 0.0
  private var here = Vector3.zero
  private var rest = 0.0

  package var isFull: Bool { filled == Self.count }

  @inline(__always)  // inlined, so that the stack holds no second copy of the value
  package init() {}

  /// Discards all earlier samples and starts again with this sample.
  package mutating func begin(_ acceleration: Vector3, at time: Timestamp) {
    filled = 0
    next = 0
    area = .zero
    elapsed = 0
    rest = 0
    last = acceleration
    end = time
  }

  /// Adds the sample `interval` seconds after the previous one. `advance` must have returned false
  /// before this call.
  package mutating func add(_ acceleration: Vector3, interval: Scalar) {
    start = last
    self.interval = interval
    here = last
    rest = interval
    last = acceleration
  }

  /// Advances either to the end of the next value, and returns true, or to the newest sample, and
  /// returns false.
  package mutating func advance() -> Bool {
    let part = 1 / Self.rate - elapsed
    guard rest >= part else {
      area += (here + last) * (rest / 2)
      elapsed += rest
      rest = 0
      return false
    }
    // Compute the slope of the line between two samples only here, because most samples of a fast
    // sensor do not complete a value.
    let slope = (last - start) / interval
    let there = here + slope * part
    push((area + (here + there) * (part / 2)) * Self.rate)
    area = .zero
    elapsed = 0
    here = there
    rest -= part
    return true
  }

  private mutating func push(_ value: Vector3) {
    values[next] = value
    next = next + 1 == Self.count ? 0 : next + 1
    filled = min(filled + 1, Self.count)
    end = end + .milliseconds(40)
  }

  /// Copies the values into `ordered`, oldest first. The values are valid only if the window is
  /// full.
  ///
  /// This function changes nothing, but it is mutating, because otherwise the compiler copies the
  /// whole window for each value.
  package mutating func copy(into ordered: inout InlineArray<128, Vector3>) {
    for index in 0..<Self.count {
      let from = next + index
      ordered[index] = values[from < Self.count ? from : from - Self.count]
    }
  }

  package static func == (a: Self, b: Self) -> Bool {
    guard a.end == b.end, a.filled == b.filled, a.next == b.next, a.last == b.last,
      a.area == b.area, a.elapsed == b.elapsed, a.start == b.start, a.interval == b.interval,
      a.here == b.here, a.rest == b.rest
    else { return false }
    for index in 0..<count where a.values[index] != b.values[index] { return false }
    return true
  }
}
