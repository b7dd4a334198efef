// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Testing

/// Clocks that are set, machines that restart, and old samples.
@Suite struct ClockTests {
  /// Samples recorded while the clock was set are returned in order of recording, and all are
  /// found.
  @Test func `samples of a clock set back and forth come in order, none hidden`() throws {
    let rig = try Rig()
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    var x = 0.0
    for step in [0.0, -7200, 86_400, -86_400, 0.4, -0.4, 3600, -3599] {
      rig.setWall(by: step)
      for _ in 0..<10 {
        x += 1.0 / 256
        try writer.append(rig.second(x))
      }
    }
    let all = try rig.all()
    #expect(all.count == 8 * 500)
    #expect(try rig.story() == (1...80).map { Double($0) / 256 })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.identifier <= $1.identifier })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
    // Every sample is found by its own date.
    for sample in all where sample.timestamp.nanoseconds % 1_000_000_000 == 0 {
      let found = Array(try rig.store.samples(after: sample.date - 0.001, through: sample.date))
      #expect(found.contains(sample))
    }
    // After the clock is set back two hours, it shows 23:00 again, which was not recorded before;
    // computed by hand.
    let evening = Date(timeIntervalSince1970: 1_767_225_600 - 7200 + 10)
    let part = Array(try rig.store.samples(after: evening, through: evening + 10))
    #expect(part.count == 500 && part.allSatisfy { (11...20).contains($0.acceleration.x * 256) })
  }

  @Test func `identifiers go on across restarts`() throws {
    let rig = try Rig()
    var last: UInt64 = 0
    for _ in 0..<5 {
      do {
        var writer = try SampleWriter(rig.store, clocks: rig.clocks)
        for _ in 0..<3 { try writer.append(rig.second(0.5)) }
      }
      let newest = try #require(try rig.all().last)
      #expect(newest.identifier == last + 3)
      last = newest.identifier
      // Four days later all earlier samples are too old.
      rig.restart(after: 4 * 86_400)
    }
    #expect(try rig.all().count == 150, "the last run, which nobody has found too old yet")
  }

  /// Consecutive runs between two restarts of the machine share a segment.
  @Test func `many short runs share a segment`() throws {
    let rig = try Rig()
    for _ in 0..<50 {
      var writer = try SampleWriter(rig.store, clocks: rig.clocks)
      try writer.append(rig.second(0.5))
    }
    #expect(try rig.files().count == 1)
    #expect(try rig.all().count == 2500)
  }

  @Test func `three days are kept`() throws {
    let rig = try Rig()
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    // Five days with a sample every half hour, each in its own block.
    for index in 0..<240 {
      rig.pass(1799)
      try writer.append([rig.second(Double(index) / 1024, rate: 1)[0]])
    }
    let all = try rig.all()
    let oldest = try #require(all.first)
    let age = Double(rig.now.wall - oldest.wall) / 1e9
    // A segment is deleted as a whole; it and its last sample are at most an hour apart.
    #expect((259_200.0...266_400).contains(age), "\(age)")
    #expect(all.last?.acceleration.x == 239.0 / 1024)
  }

  /// A clock set forward by a year and back again deletes nothing recorded since the machine's
  /// start.
  @Test func `a clock of the wrong year deletes nothing`() throws {
    let rig = try Rig()
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    try writer.append(rig.second(0.25))
    rig.setWall(by: 366 * 86_400)
    try writer.append(rig.second(0.5))
    rig.setWall(by: -366 * 86_400)
    try writer.append(rig.second(0.75))
    #expect(try rig.story() == [0.25, 0.5, 0.75])
  }

  /// Samples with a date in the future are deleted once three days have been recorded after them.
  @Test func `samples from the future do not stay for ever`() throws {
    let rig = try Rig()
    do {
      rig.setWall(by: 366 * 86_400)
      var writer = try SampleWriter(rig.store, keeping: .seconds(600), clocks: rig.clocks)
      try writer.append(rig.second(0.25))
    }
    rig.restart(after: -366 * 86_400)
    var writer = try SampleWriter(rig.store, keeping: .seconds(600), clocks: rig.clocks)
    for index in 0..<620 {
      if index % 10 == 0 { rig.setWall(by: -2) }  // begins a segment
      try writer.append(rig.second(0.5, rate: 2))
    }
    #expect(try rig.story() == [0.5])
  }

  /// While the machine is suspended CLOCK_MONOTONIC stops, but samples still age.
  @Test func `time asleep counts`() throws {
    let rig = try Rig()
    var reading = rig.now
    let asleep = { (seconds: Int64) in
      let now = ClockReading(
        wall: reading.wall + seconds * 1_000_000_000, boot: reading.boot,
        suspended: .seconds(seconds))
      return HostClocks(boot: BootIdentifier(high: 1, low: 1)) { now }
    }
    do {
      var writer = try SampleWriter(rig.store, clocks: asleep(0))
      try writer.append([
        TimedAcceleration(timestamp: reading.boot, acceleration: Vector3(0.5, 0, 0))
      ])
    }
    reading.boot = reading.boot + .seconds(1)
    for (day, story) in [(2, [0.5, 0.25]), (4, [0.25, 0.125])] as [(Int64, [Double])] {
      var writer = try SampleWriter(rig.store, clocks: asleep(day * 86_400))
      try writer.append([
        TimedAcceleration(
          timestamp: reading.boot, acceleration: Vector3(try #require(story.last), 0, 0))
      ])
      #expect(try rig.story() == story)
      reading.boot = reading.boot + .seconds(1)
    }
  }

  @Test func `a request is extended by a longer one, up to twelve hours`() throws {
    let rig = try Rig()
    let store = rig.store
    func left() -> Double? { store.request(rig.clocks)?.remaining(rig.clocks).seconds }
    #expect(left() == nil)
    try store.extendRequest(by: .seconds(100), clocks: rig.clocks)
    #expect(left() == 100)
    rig.pass(30)
    // A shorter request changes nothing, a longer one extends it, and a day is limited to twelve
    // hours.
    try store.extendRequest(by: .seconds(50), clocks: rig.clocks)
    #expect(left() == 70)
    try store.extendRequest(by: .seconds(200), clocks: rig.clocks)
    #expect(left() == 200)
    try store.extendRequest(by: .seconds(86_400), clocks: rig.clocks)
    #expect(left() == 43_200)
    // The wall clock is ignored while the machine runs, and used if it was off.
    rig.setWall(by: -86_400)
    #expect(left() == 43_200)
    rig.setWall(by: 86_400)
    rig.restart(after: 3600)
    #expect(left() == 39_600)
    try store.extendRequest(by: .zero, clocks: rig.clocks)
    rig.setWall(by: 50_000)
    #expect(left() == 39_600, "reported again by the clock of this run")
    rig.pass(39_600)
    #expect(left() == nil)
    try store.extendRequest(by: .seconds(10), clocks: rig.clocks)
    try store.endRequest()
    #expect(left() == nil)
    try store.endRequest()
  }
}

/// Clocks that show years far away.
@Suite struct FarClockTests {
  @Test(arguments: [
    (1_767_225_600, 5, 1_767_225_600_000_000_005), (-1, 500_000_000, -500_000_000),
    // 2262-04-11 and later, and as far before 1970, are limited to 2255 and 1684.
    (9_223_372_036, 854_775_807, 9_000_000_000_000_000_000),
    (9_223_372_037, 0, 9_000_000_000_000_000_000), (Int64.max, 0, 9_000_000_000_000_000_000),
    (-9_223_372_037, 0, -9_000_000_000_000_000_000), (Int64.min, 0, -9_000_000_000_000_000_000),
  ]) func `a clock is read in every year`(_ seconds: Int64, _ rest: Int64, _ expected: Int64) {
    #expect(HostClocks.nanoseconds(seconds: seconds, and: rest) == expected)
  }

  /// 2150, 2250 and 1689; the seconds are from `date -u -d 2150-01-01 +%s`.
  @Test(arguments: [5_680_281_600.0, 8_835_955_200, -8_835_955_200])
  func `what was recorded in a far year is found again`(_ year: Double) throws {
    let rig = try Rig()
    rig.setWall(by: year - 1_767_225_600)
    do {
      var writer = try SampleWriter(rig.store, clocks: rig.clocks)
      for _ in 0..<3 { try writer.append(rig.second(0.5)) }
    }
    #expect(try rig.all().count == 150)
    try rig.store.extendRequest(by: .seconds(60), clocks: rig.clocks)
    #expect(rig.store.request(rig.clocks) != nil)
    // The machine restarts with the clock at the other end of time.
    rig.restart(after: -2 * year)
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    try writer.append(rig.second(0.5))
    _ = rig.store.request(rig.clocks)
    #expect(try rig.all().count >= 50)
  }

  /// The first is 2026-01-01T00:00:00.123456789Z; the others are far from 2001, where a Double is
  /// coarse.
  @Test(arguments: [
    1_767_225_600_123_456_789, 8_214_565_719_323_785_340, -7_421_932_186_906_577_622, -1, 0,
    9_000_000_000_000_000_000, -9_000_000_000_000_000_000,
  ])
  func `a date is the same after it was converted to nanoseconds and back`(_ wall: Int64) {
    let date = Date(wall: wall)
    #expect(Date(wall: date.wall) == date)
    // Half of the last place of a Double at 10^10 s.
    #expect(abs(date.wall - wall) < 1000)
  }
}
