// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The last five seconds of acceleration at 25 Hz, for any sample rate.
///
/// Each value is the mean over 40 ms of the straight lines between samples. For fast samples this
/// is a low-pass filter against aliasing, for slow samples an interpolation.
package struct ActivityWindow: Equatable, Sendable {
  static var rate: Scalar { 25 }
  static var count: Int { 128 }
  /// The length of the window in seconds.
  static var length: Scalar { Scalar(count) / rate }

  /// The time at which the window's newest value ends.
  package private(set) var end = Timestamp.zero
  /// The number of valid values in the window.
  private(set) var filled = 0
  private var values = InlineArray<128, Vector3>(repeating: .zero)
  private var next = 0
  private var last = Vector3.zero
  /// The integral of the value that is being computed, and the seconds that this value covers so
  /// far.
  private var area = Vector3.zero
  private var elapsed = 0.0
  /// The line from the previous sample to the newest sample: its start, its length in seconds, the
  /// current point on it, and the remaining seconds.
  private var start = Vector3.zero
  private var interval = 0.0
  private var here = Vector3.zero
  private var rest = 0.0

  package var isFull: Bool { filled == Self.count }

  @inline(__always)  // inlined into the owner's memory, so that the stack does not hold it twice
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

  /// Advances to the end of the next value and returns true, or to the newest sample and returns
  /// false.
  package mutating func advance() -> Bool {
    let part = 1 / Self.rate - elapsed
    guard rest >= part else {
      area += (here + last) * (rest / 2)
      elapsed += rest
      rest = 0
      return false
    }
    // The slope of the line between two samples is computed only here, because most samples of a
    // fast sensor complete no value.
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

  /// Copies the values into `ordered`, oldest first. The values are meaningful only if the window
  /// is full.
  ///
  /// The function is mutating although it changes nothing, because the compiler would otherwise
  /// copy the whole window for each value.
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
