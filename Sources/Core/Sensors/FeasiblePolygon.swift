// SPDX-License-Identifier: Apache-2.0

/// The set of all pairs (time of the newest sample, period) that agree with all observations. The
/// set is a convex polygon. Both values are in nanoseconds; times are relative to an anchor that
/// the owner chooses.
///
/// Each poll bounds the time from below and above. Between polls the pairs advance with the
/// samples. All pairs in the polygon are equally likely, so its centre is the best estimate from
/// the bounds of all polls.
///
/// Corners are read through spans, because Swift 6.3 copies a whole `InlineArray` to read one
/// element.
struct FeasiblePolygon: ~Copyable, Sendable {
  private static var capacity: Int { 16 }
  private var times = InlineArray<16, Nanoseconds>(repeating: 0)
  private var periods = InlineArray<16, Nanoseconds>(repeating: 0)
  private var count = 4
  private let pin = Pin()

  /// Creates the polygon of all sample times and periods within the limits.
  init(times: (Nanoseconds, Nanoseconds), periods: (Nanoseconds, Nanoseconds)) {
    (self.times[0], self.periods[0]) = (times.0, periods.0)
    (self.times[1], self.periods[1]) = (times.1, periods.0)
    (self.times[2], self.periods[2]) = (times.1, periods.1)
    (self.times[3], self.periods[3]) = (times.0, periods.1)
  }

  /// True if no pair of sample time and period agrees with all observations.
  var isEmpty: Bool { count < 3 }

  /// The centroid of the polygon, or the mean of its corners if the polygon's area is zero.
  var centre: (time: Nanoseconds, period: Nanoseconds) {
    let (times, periods) = (times.span, periods.span)
    // Coordinates are relative to a corner, because the products would lose digits otherwise.
    let (t0, p0) = (times[0], periods[0])
    var (area, time, period): (Nanoseconds, Nanoseconds, Nanoseconds) = (0, 0, 0)
    var (t1, p1): (Nanoseconds, Nanoseconds) = (0, 0)
    // The polygon's sides that start or end at the reference corner contribute nothing to the sums.
    for index in 1..<max(count, 1) {
      let (t2, p2) = (times[index] - t0, periods[index] - p0)
      let cross = t1 * p2 - t2 * p1
      area += cross
      time += (t1 + t2) * cross
      period += (p1 + p2) * cross
      (t1, p1) = (t2, p2)
    }
    if area > 1e-12 || area < -1e-12 { return (t0 + time / (3 * area), p0 + period / (3 * area)) }
    (time, period) = (0, 0)
    for index in 0..<count {
      time += times[index] - t0
      period += periods[index] - p0
    }
    return (t0 + time / Nanoseconds(count), p0 + period / Nanoseconds(count))
  }

  /// The shortest and the longest possible sample period.
  var periodLimits: (Nanoseconds, Nanoseconds) {
    let periods = periods.span
    var (low, high) = (periods[0], periods[0])
    for index in 1..<max(count, 1) {
      low = min(low, periods[index])
      high = max(high, periods[index])
    }
    return (low, high)
  }

  /// Returns the uncertainty of the time of the sample that comes `samples` periods after the
  /// newest sample: the difference between the latest and the earliest possible time.
  func timeWidth(after samples: Nanoseconds) -> Nanoseconds {
    let (times, periods) = (times.span, periods.span)
    var (low, high) = (Nanoseconds.infinity, -Nanoseconds.infinity)
    for index in 0..<count {
      let time = times[index] + samples * periods[index]
      low = min(low, time)
      high = max(high, time)
    }
    return count > 0 ? high - low : 0
  }

  /// Advances the possible sample times by `samples` periods. Widens the polygon by `timeSlack` and
  /// `periodSlack` in both directions, for an oscillator that may have drifted.
  mutating func advance(_ samples: Nanoseconds, timeSlack: Nanoseconds, periodSlack: Nanoseconds) {
    for index in 0..<count { times[index] += samples * periods.span[index] }
    let middle = centre
    for index in 0..<count {
      times[index] += times.span[index] < middle.time ? -timeSlack : timeSlack
      periods[index] += periods.span[index] < middle.period ? -periodSlack : periodSlack
    }
  }

  mutating func moveAnchor(by time: Nanoseconds) { for index in 0..<count { times[index] -= time } }

  /// Removes the part of the polygon whose times are before `bound`, or after `bound` if
  /// `keepsLater` is false.
  mutating func clip(_ bound: Nanoseconds, keepsLater: Bool) {
    guard !isEmpty else { return }
    let sign: Nanoseconds = keepsLater ? 1 : -1
    // In most calls no corner of the polygon is cut off, so the polygon stays as it is.
    guard (0..<count).contains(where: { (times.span[$0] - bound) * sign < 0 }) else { return }
    let (oldTimes, oldPeriods) = (times, periods)
    let (oldTime, oldPeriod) = (oldTimes.span, oldPeriods.span)
    var kept = 0
    var (time, period) = (oldTime[count - 1], oldPeriod[count - 1])
    var depth = (time - bound) * sign
    for index in 0..<count {
      let (nextTime, nextPeriod) = (oldTime[index], oldPeriod[index])
      let nextDepth = (nextTime - bound) * sign
      if (depth >= 0) != (nextDepth >= 0), kept < Self.capacity {
        times[kept] = bound
        periods[kept] = period + depth / (depth - nextDepth) * (nextPeriod - period)
        kept += 1
      }
      if nextDepth >= 0, kept < Self.capacity {
        (times[kept], periods[kept]) = (nextTime, nextPeriod)
        kept += 1
      }
      (time, period, depth) = (nextTime, nextPeriod, nextDepth)
    }
    count = kept
    while count > Self.capacity - 4 { removeShortestSide() }
  }

  /// Removes the side of the polygon whose removal adds the least area. The two neighbouring sides
  /// are extended until they meet, so no possible pair is cut off.
  private mutating func removeShortestSide() {
    var (chosen, least) = (-1, Nanoseconds.infinity)
    var corner: (time: Nanoseconds, period: Nanoseconds) = (0, 0)
    do {
      let (times, periods) = (times.span, periods.span)
      func side(to index: Int) -> (time: Nanoseconds, period: Nanoseconds) {
        let from = index > 0 ? index - 1 : count - 1
        return (times[index] - times[from], periods[index] - periods[from])
      }
      var (before, here) = (side(to: 0), side(to: 1))
      for index in 0..<count {
        // The consecutive corners are a, b, c and d; b is corner `index`, and `here` is the side
        // from b to c.
        let after = side(to: index + 2 < count ? index + 2 : index + 2 - count)
        let (t1, p1) = before
        let (t2, p2) = (-after.time, -after.period)
        let (t3, p3) = here
        (before, here) = (here, after)
        // The extended sides meet where b + first * (b - a) = c + second * (c - d).
        let determinant = t2 * p1 - t1 * p2
        guard determinant < 0 || determinant > 0 else { continue }
        let first = (t2 * p3 - t3 * p2) / determinant
        let second = (t1 * p3 - t3 * p1) / determinant
        guard first >= 0, second >= 0, first < 1e6 else { continue }
        let cross = first * (t1 * p3 - t3 * p1)
        let area = cross < 0 ? -cross : cross
        if area < least {
          (chosen, least) = (index, area)
          corner = (times[index] + first * t1, periods[index] + first * p1)
        }
      }
    }
    guard chosen >= 0 else {
      count -= 1
      return
    }
    (times[chosen], periods[chosen]) = corner
    let removed = (chosen + 1) % count
    for index in removed..<max(removed, count - 1) {
      let (time, period) = (times.span[index + 1], periods.span[index + 1])
      (times[index], periods[index]) = (time, period)
    }
    count -= 1
  }
}

/// A time or period of a clock in nanoseconds, or a product of such values. Single precision is not
/// enough: with its seven digits, times within a second would have steps of 60 ns, and areas would
/// have no meaningful digits.
typealias Nanoseconds = Double  // single precision has too few digits
