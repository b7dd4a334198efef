// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The last five seconds of acceleration at 25 Hz, whatever the rate it is sampled at.
///
/// Each value is the mean of the line through the samples over 40 ms: of fast samples that is a
/// low-pass, so that what a fast sensor sees beyond the window's band does not fold into it; of
/// slow ones it fills in.
package struct ActivityWindow: Equatable, Sendable {
  static var rate: Scalar { 25 }
  static var count: Int { 128 }
  /// Seconds.
  static var length: Scalar { Scalar(count) / rate }

  /// The time when the newest value ends.
  package private(set) var end = Timestamp.zero
  /// The number of values that are known.
  private(set) var filled = 0
  private var values = InlineArray<128, Vector3>(repeating: .zero)
  private var next = 0
  private var last = Vector3.zero
  /// Of the value that is being taken: its integral, and how much of it is there, s.
  private var area = Vector3.zero
  private var elapsed = 0.0
  /// Of the line from the sample before to the newest: where it began, its length, s, where it is
  /// and how much of it is left, s.
  private var start = Vector3.zero
  private var interval = 0.0
  private var here = Vector3.zero
  private var rest = 0.0

  package var isFull: Bool { filled == Self.count }

  @inline(__always)  // where it is held: made elsewhere it is on the stack twice
  package init() {}

  /// Begins anew with this sample.
  package mutating func begin(_ acceleration: Vector3, at time: Timestamp) {
    filled = 0
    next = 0
    area = .zero
    elapsed = 0
    rest = 0
    last = acceleration
    end = time
  }

  /// Takes the sample `interval` seconds after the last. `advance` must have said that the last one
  /// is used up.
  package mutating func add(_ acceleration: Vector3, interval: Scalar) {
    start = last
    self.interval = interval
    here = last
    rest = interval
    last = acceleration
  }

  /// Goes on by one value, `true`, or to the newest sample.
  package mutating func advance() -> Bool {
    let part = 1 / Self.rate - elapsed
    guard rest >= part else {
      area += (here + last) * (rest / 2)
      elapsed += rest
      rest = 0
      return false
    }
    // Asked for here alone: most samples of a fast sensor end no value.
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

  /// Puts the values into `ordered`, oldest first. What they are is only of use where the window is
  /// full.
  ///
  /// Mutating, though it changes nothing: where the window may not change the compiler copies all
  /// of it for each value.
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
