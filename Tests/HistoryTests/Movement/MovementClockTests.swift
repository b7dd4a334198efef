// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Recognition
import Testing

/// Clocks that are set, machines that are suspended or restarted, and old entries.
@Suite struct MovementClockTests {
  /// Entries are dated by the current clock: each step counts once, in order, and none is lost.
  @Test func `steps of a clock set back and forth count once, in order`() throws {
    let rig = try Rig()
    var writer = try rig.writer()
    let start = rig.date
    var set = 0.0
    for step in [0.0, -3600, 3600, 86_400, -90_000, 0.4, -0.4] {
      rig.setWall(by: step)
      set += step
      for _ in 0..<10 { try writer.append(rig.entry(steps: 2)) }
      let store = rig.movement
      #expect(try store.total(from: start + set, to: rig.date).counts.steps == (try rig.steps()))
      let last = try store.total(from: rig.date - 10, to: rig.date)
      #expect(last.counts.steps == 20)
    }
    #expect(try rig.steps() == 140)
    // A query uses the changed clock, even if nothing was written since.
    rig.setWall(by: 7200)
    #expect(try rig.movement.total(from: rig.date - 70, to: rig.date).counts.steps == 140)
  }

  /// A Raspberry Pi without a battery clock starts in 1970, until NTP sets it by decades in one
  /// step.
  @Test func `steps of a clock in 1970 move once it is set`() throws {
    let rig = try Rig()
    let really = rig.date
    rig.setWall(by: -really.timeIntervalSince1970)
    do {
      var writer = try rig.writer()
      for _ in 0..<20 { try writer.append(rig.entry(steps: 1)) }
      rig.setWall(by: really.timeIntervalSince1970)
      for _ in 0..<20 { try writer.append(rig.entry(steps: 1)) }
    }
    let store = rig.movement
    #expect(try store.total(from: really, to: really + 40).counts.steps == 40)
    #expect(try store.total(from: .distantPast, to: really).counts.steps == 0)
    // The next start shows 1970 again; earlier entries keep their date.
    rig.restart(after: 600 - rig.date.timeIntervalSince1970)
    var writer = try rig.writer()
    try writer.append(rig.entry(steps: 5))
    #expect(try rig.movement.total(from: really, to: really + 40).counts.steps == 40)
    #expect(try rig.movement.total(from: .distantPast, to: really).counts.steps == 5)
  }

  /// Runs of the machine that overlap in wall time: counts are added, and the activity is that of
  /// the later run.
  @Test func `of runs that overlap steps add up, and the later run's activity holds`() throws {
    let rig = try Rig()
    let start = rig.date
    for (activity, back) in [(ActivitySet.walking, -60.0), (.cycling, 0)] {
      var writer = try rig.writer()
      let begin = rig.now.boot
      for _ in 0..<100 {
        try writer.append(
          rig.entry(steps: 1) { $0.activities = [ActivityEstimate(activity, begin)] })
      }
      try writer.close()
      rig.restart(after: back)
    }
    // 0 to 100 s on foot, 40 to 140 s by bicycle.
    let store = rig.movement
    #expect(try store.total(from: start, to: start + 140).counts.steps == 200)
    #expect(try store.total(from: start + 40, to: start + 100).counts.steps == 120)
    let story = try store.activities(from: start, to: start + 200)
    #expect(story.map(\.activities) == [.walking, .cycling, .unknown])
    #expect(story.map { $0.start.timeIntervalSince(start).rounded() } == [0, 40, 140])
  }

  /// While the machine is suspended nothing is counted; the previous activity continues afterwards.
  @Test func `what the bearer did before a sleep holds again after it`() throws {
    let rig = try Rig()
    var writer = try rig.writer()
    let start = rig.date
    let begin = rig.now.boot
    try writer.append(
      rig.entry(10, steps: 9) { $0.activities = [ActivityEstimate(.walking, begin)] })
    rig.sleep(3600)
    try writer.append(rig.entry(10, steps: 9))
    let store = rig.movement
    #expect(try store.total(from: start, to: start + 10).counts.steps == 9)
    #expect(try store.total(from: start + 10, to: start + 3610).counts.steps == 0)
    #expect(try store.total(from: start + 3610, to: start + 3620).counts.steps == 9)
    #expect(try store.total(from: start, to: rig.date).countedTime == .seconds(20))
    let story = try store.activities(from: start, to: rig.date)
    #expect(story.map(\.activities) == [.walking, .unknown, .walking])
    #expect(story.map { $0.start.timeIntervalSince(start).rounded() } == [0, 10, 3610])
  }

  /// The times in a recording do not matter.
  @Test func `recordings have their own clock`() throws {
    let rig = try Rig()
    var writer = try rig.writer()
    let start = rig.date
    for second in 0..<10 {
      var entry = rig.entry(steps: 2)
      entry.begin = Timestamp(seconds: Double(second))
      entry.end = Timestamp(seconds: Double(second + 1))
      try writer.append(entry)
    }
    #expect(try rig.movement.total(from: start, to: rig.date).counts.steps == 20)
    #expect(try rig.movement.total(from: start + 5, to: rig.date).counts.steps == 10)
  }

  @Test func `seven days are kept`() throws {
    let rig = try Rig()
    var writer = try rig.writer()
    let walking = ActivityEstimate(.walking, rig.now.boot)
    try writer.append(rig.entry { $0.activities = [walking] })
    // Ten days with one step per hour.
    for _ in 0..<240 { try writer.append(rig.entry(3600, steps: 1)) }
    let summary = try rig.movement.summary()
    let age = rig.date.timeIntervalSince(try #require(summary.begin))
    #expect((604_800.0...609_000.0).contains(age), "\(age)")
    // 24 per day, plus those since the last check, which is up to an hour ago.
    #expect((168...169).contains(try rig.steps()))
    let state = try rig.movement.activities(from: rig.date - 604_800, to: rig.date)
    #expect(state.map(\.activities) == [.walking], "it began before, and holds")
  }

  /// The clock shows 2106 for ten minutes, or for a whole run of the machine.
  @Test func `a clock in the future deletes nothing`() throws {
    let rig = try Rig()
    do {
      var writer = try rig.writer()
      for _ in 0..<10 { try writer.append(rig.entry(steps: 1)) }
    }
    rig.restart(after: 60)
    let start = rig.date
    do {
      var writer = try rig.writer()
      rig.setWall(by: 80 * 365.25 * 86_400)
      for _ in 0..<10 { try writer.append(rig.entry(60, steps: 1)) }
      rig.setWall(by: -80 * 365.25 * 86_400)
      for _ in 0..<100 { try writer.append(rig.entry(60, steps: 1)) }
      #expect(try rig.steps() == 120)
      #expect(try rig.movement.total(from: start, to: rig.date).counts.steps == 110)
      rig.setWall(by: 80 * 365.25 * 86_400)
      try writer.append(rig.entry(60, steps: 1))
    }
    rig.restart(after: -80 * 365.25 * 86_400)
    var writer = try rig.writer()
    for _ in 0..<12 * 6 { try writer.append(rig.entry(7200)) }
    #expect(try rig.steps() == 121, "six days")
    for _ in 0..<14 { try writer.append(rig.entry(7200)) }
    #expect(try rig.steps() == 0, "so much was counted since")
    #expect(try rig.sql("SELECT count(*) FROM boot") == "1")
  }

  /// The machine was off for long, and the clock is right.
  @Test func `old movement is deleted once the clock is trusted`() throws {
    let rig = try Rig()
    do {
      var writer = try rig.writer()
      for _ in 0..<400 { try writer.append(rig.entry(steps: 1)) }
    }
    let size = try #require(Int(rig.sql("PRAGMA page_count")))
    rig.restart(after: 8 * 86_400)
    var writer = try rig.writer()
    for _ in 0..<50 { try writer.append(rig.entry(60)) }
    #expect(try rig.steps() == 400)
    for _ in 0..<80 { try writer.append(rig.entry(60)) }
    #expect(try rig.steps() == 0)
    #expect(try rig.sql("PRAGMA freelist_count") == "0")
    #expect(try #require(Int(rig.sql("PRAGMA page_count"))) < size, "the file shrinks")
  }

  /// Europe/Berlin in 2026: March 29th has 23 hours, October 25th has 25.
  @Test(arguments: [
    ("2026-03-28T23:00:00Z", 23), ("2026-10-24T22:00:00Z", 25), ("2026-06-30T22:00:00Z", 24),
  ])
  func `a day of the clock's change has 23 or 25 hours`(_ midnight: String, _ hours: Int) throws {
    let rig = try Rig()
    let start = try Date(midnight, strategy: .iso8601)
    rig.setWall(by: start.timeIntervalSince(rig.date) - 3600)
    var writer = try rig.writer()
    // One step per minute, from an hour before that day until an hour after it.
    for _ in 0..<(hours + 2) * 2 { try writer.append(rig.entry(1800, steps: 30)) }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let days = try rig.movement.days(from: start - 60, to: start + 26 * 3600, calendar: calendar)
    #expect(days.map(\.counts.steps) == [60, hours * 60, 60])
    #expect(days[1].start == start && days[1].end == start + Double(hours) * 3600)
  }
}
