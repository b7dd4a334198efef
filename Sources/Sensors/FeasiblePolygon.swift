// SPDX-License-Identifier: Apache-2.0

/// The pairs (time of the newest sample, period) that everything seen so far allows: a convex polygon, both in nanoseconds,
/// times relative to an anchor of the owner's choice.
///
/// What is seen bounds times from below and above; between two looks the pairs move along with the samples. Nothing is
/// averaged that is not equally likely, so that the centre of what is left is as good as bounds can make it.
struct FeasiblePolygon: Sendable {
  private static var capacity: Int { 16 }
  private var times = InlineArray<16, Double>(repeating: 0)
  private var periods = InlineArray<16, Double>(repeating: 0)
  private var count = 4

  /// All times and periods within limits.
  init(times: (Double, Double), periods: (Double, Double)) {
    (self.times[0], self.periods[0]) = (times.0, periods.0)
    (self.times[1], self.periods[1]) = (times.1, periods.0)
    (self.times[2], self.periods[2]) = (times.1, periods.1)
    (self.times[3], self.periods[3]) = (times.0, periods.1)
  }

  /// Whether nothing is allowed.
  var isEmpty: Bool { count < 3 }

  /// The centre of mass; the mean of the corners of one without area.
  var centre: (time: Double, period: Double) {
    // Relative to a corner, or digits are lost in the products.
    let (t0, p0) = (times[0], periods[0])
    var (area, time, period) = (0.0, 0.0, 0.0)
    for index in 0..<count {
      let next = index + 1 < count ? index + 1 : 0
      let (t1, p1) = (times[index] - t0, periods[index] - p0)
      let (t2, p2) = (times[next] - t0, periods[next] - p0)
      let cross = t1 * p2 - t2 * p1
      area += cross
      time += (t1 + t2) * cross
      period += (p1 + p2) * cross
    }
    if area > 1e-12 || area < -1e-12 {
      return (t0 + time / (3 * area), p0 + period / (3 * area))
    }
    (time, period) = (0, 0)
    for index in 0..<count {
      time += times[index] - t0
      period += periods[index] - p0
    }
    return (t0 + time / Double(count), p0 + period / Double(count))
  }

  /// The shortest and the longest period allowed.
  var periodLimits: (Double, Double) {
    var (low, high) = (periods[0], periods[0])
    for index in 1..<max(count, 1) {
      low = min(low, periods[index])
      high = max(high, periods[index])
    }
    return (low, high)
  }

  /// How far apart the earliest and the latest time are that a sample so many periods later can have.
  func timeWidth(after samples: Double) -> Double {
    var (low, high) = (Double.infinity, -Double.infinity)
    for index in 0..<count {
      let time = times[index] + samples * periods[index]
      low = min(low, time)
      high = max(high, time)
    }
    return count > 0 ? high - low : 0
  }

  /// `samples` later, by an oscillator that may meanwhile have wandered: `timeSlack` and `periodSlack` to either side.
  mutating func advance(_ samples: Double, timeSlack: Double, periodSlack: Double) {
    for index in 0..<count { times[index] += samples * periods[index] }
    let middle = centre
    for index in 0..<count {
      times[index] += times[index] < middle.time ? -timeSlack : timeSlack
      periods[index] += periods[index] < middle.period ? -periodSlack : periodSlack
    }
  }

  /// Moves the anchor forwards.
  mutating func moveAnchor(by time: Double) {
    for index in 0..<count { times[index] -= time }
  }

  /// Keeps what is not before `bound`, or not after it.
  mutating func clip(_ bound: Double, keepsLater: Bool) {
    guard !isEmpty else { return }
    var (newTimes, newPeriods) = (times, periods)
    var kept = 0
    func depth(_ index: Int) -> Double {
      keepsLater ? times[index] - bound : bound - times[index]
    }
    for index in 0..<count {
      let next = index + 1 < count ? index + 1 : 0
      let (here, there) = (depth(index), depth(next))
      if here >= 0, kept < Self.capacity {
        (newTimes[kept], newPeriods[kept]) = (times[index], periods[index])
        kept += 1
      }
      if here >= 0 && there < 0 || here < 0 && there >= 0, kept < Self.capacity {
        let part = here / (here - there)
        newTimes[kept] = bound
        newPeriods[kept] = periods[index] + part * (periods[next] - periods[index])
        kept += 1
      }
    }
    (times, periods, count) = (newTimes, newPeriods, kept)
    while count > Self.capacity - 4 { removeShortestSide() }
  }

  /// Drops the side whose neighbours meet behind it with the least area more: nothing that is possible is cut off.
  private mutating func removeShortestSide() {
    var (chosen, least) = (-1, Double.infinity)
    var corner = (time: 0.0, period: 0.0)
    for index in 0..<count {
      let (a, b) = (index > 0 ? index - 1 : count - 1, index)
      let c = (index + 1) % count
      let d = (index + 2) % count
      let (t1, p1) = (times[b] - times[a], periods[b] - periods[a])
      let (t2, p2) = (times[c] - times[d], periods[c] - periods[d])
      let (t3, p3) = (times[c] - times[b], periods[c] - periods[b])
      // b + first * (b - a) = c + second * (c - d)
      let determinant = t2 * p1 - t1 * p2
      guard determinant < 0 || determinant > 0 else { continue }
      let first = (t2 * p3 - t3 * p2) / determinant
      let second = (t1 * p3 - t3 * p1) / determinant
      guard first >= 0, second >= 0, first < 1e6 else { continue }
      let cross = first * (t1 * p3 - t3 * p1)
      let area = cross < 0 ? -cross : cross
      if area < least {
        (chosen, least) = (index, area)
        corner = (times[b] + first * t1, periods[b] + first * p1)
      }
    }
    guard chosen >= 0 else {
      count -= 1
      return
    }
    (times[chosen], periods[chosen]) = corner
    let removed = (chosen + 1) % count
    for index in removed..<max(removed, count - 1) {
      times[index] = times[index + 1]
      periods[index] = periods[index + 1]
    }
    count -= 1
  }
}
