// SPDX-License-Identifier: Apache-2.0
import History
import Quantities
import Recognition

/// A source of entries: anything that tells, second by second, what was counted.
protocol EntrySource {
  /// The entry of the second that begins at `begin`, which is `second` seconds after the first.
  mutating func entry(_ second: Int, begin: Timestamp) -> MovementEntry
}

/// A person's days, made up: eight hours of sleep, some 9000 steps in walks of half a minute to
/// forty minutes, a floor now and then, rides and rest between.
struct LifeSource: EntrySource {
  private var random: UInt64 = 1
  private var walkEnds = 0
  private var activity = ActivitySet.unknown
  private var carry = 0.0
  private(set) var cadence = 1.8

  /// Knuth's MMIX generator, 0 to 1.
  private mutating func draw() -> Double {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(random >> 11) / Double(1 << 53)
  }

  mutating func entry(_ second: Int, begin: Timestamp) -> MovementEntry {
    var entry = MovementEntry(begin: begin, end: begin + .seconds(1))
    entry.hasFloors = true
    let isAwake = second % 86_400 >= 8 * 3600
    // 57,600 s awake, of which some 5000 are on foot at 1.8 steps a second: walks of 4 minutes on
    // average, 16 a day.
    if isAwake, second >= walkEnds, draw() < 16.5 / 52_600 {
      let isLong = draw() < 0.1
      walkEnds = second + Int(isLong ? 600 + 1800 * draw() : 30 + 240 * draw())
      cadence = 1.6 + 0.4 * draw()
      entry.events = [WalkingEvent(.resume, timestamp: begin)]
    }
    let now: ActivitySet
    if second < walkEnds {
      carry += cadence
      entry.counts.steps = Int(carry)
      carry -= Double(entry.counts.steps)
      entry.counts.distance = Double(entry.counts.steps) * 0.7
      entry.counts.activeTime = 1
      // A floor is climbed each five minutes on foot.
      if draw() < 1.0 / 600 {
        entry.counts.floorsAscended = 1
      } else if draw() < 1.0 / 600 {
        entry.counts.floorsDescended = 1
      }
      if second + 1 == walkEnds { entry.events = [WalkingEvent(.pause, timestamp: begin)] }
      now = .walking
    } else if isAwake, activity == .walking || draw() < 1.0 / 300 {
      let kind = draw()
      now = kind < 0.6 ? .stationary : kind < 0.8 ? .automotive : kind < 0.9 ? [] : .cycling
    } else {
      now = isAwake ? activity : .stationary
    }
    if now != activity {
      activity = now
      entry.activities = [
        ActivityEstimate(timestamp: begin, activities: now, confidence: .high)
      ]
    }
    return entry
  }
}
