// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Testing

/// Stored samples are read back unchanged.
@Suite struct SampleStoreTests {
  @Test func `a store that is not there is empty`() throws {
    let rig = try Rig()
    #expect(try rig.all().isEmpty)
    #expect(try rig.store.summary() == SampleStore.Summary())
  }

  /// The store is also erased while a writer is active, which continues.
  @Test func `an erased store is empty, and its writer goes on`() throws {
    let rig = try Rig()
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    try writer.append(rig.second(0.5))
    try rig.store.erase()
    #expect(try rig.files().isEmpty)
    try writer.append(rig.second(0.25))
    #expect(try rig.story() == [0.25])
    let other = SampleStore(folder: rig.root + "/none")
    try other.erase()
    #expect(!FileManager.default.fileExists(atPath: other.folder))
  }

  @Test func `samples keep their values, dates and identifiers`() throws {
    let rig = try Rig()
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    let values = [0.5, -1.25, 1.999]
    for value in values { try writer.append(rig.second(value)) }
    let samples = try rig.all()
    try #require(samples.count == 150)
    for (index, sample) in samples.enumerated() {
      // 50 Hz from 2026-01-01 on, and from 1000 s after the machine's start.
      let elapsed = Int64(index + 1) * 20_000_000
      #expect(sample.wall == Rig.newYear + elapsed)
      #expect(sample.timestamp.nanoseconds == 1_000_000_000_000 + elapsed)
      // Up to 2 g a step is 2^-14 g, and the largest error is half of it.
      #expect(abs(sample.acceleration.x - values[index / 50]) <= 0.5 / 16_384)
      #expect(sample.acceleration.z == -1)
      #expect(sample.identifier == UInt64(index / 50 + 1))
    }
    #expect(samples[0].date.timeIntervalSince1970 == 1_767_225_600.02)
  }

  @Test(arguments: [1.0, 2, 4, 16, 200]) func `stored digits follow the range`(_ range: Double)
    throws
  {
    let rig = try Rig()
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    let start = rig.now.boot
    rig.pass(1)
    let given = (1...50).map { index in
      TimedAcceleration(
        timestamp: start + .milliseconds(Int64(index) * 20),
        acceleration: Vector3(
          range * sin(Double(index)), range * cos(Double(index)), -range * 0.999))
    }
    try writer.append(given)
    let got = try rig.all()
    try #require(got.count == 50)
    for (a, b) in zip(given, got) {
      // 16 bits cover at most four times the range.
      let limit = 2 * range / 32_768
      #expect((a.acceleration - b.acceleration).norm < limit)
    }
  }

  /// A board below 50 Hz has irregular times.
  @Test func `uneven times are exact`() throws {
    let rig = try Rig()
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    let offsets: [Int64] = [0, 38_400_123, 77_000_001, 115_383_999, 3_900_000_000]
    rig.pass(5)
    let start = rig.now.boot - .seconds(4)
    try writer.append(
      offsets.map {
        TimedAcceleration(
          timestamp: start + TimeSpan(nanoseconds: $0), acceleration: Vector3(0, 0, -1))
      }, lost: 7)
    #expect(try rig.all().map { ($0.timestamp - start).nanoseconds } == offsets)
    #expect(try rig.store.summary().lost == 7)
  }

  @Test func `samples that are not finite, or not in order, are left out`() throws {
    let rig = try Rig()
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    var samples = rig.second(0.25)
    samples[3].acceleration.y = .nan
    samples[7].timestamp = samples[6].timestamp
    try writer.append(samples)
    #expect(try rig.all().count == 48)
    try writer.append([])
    #expect(try rig.all().count == 48)
  }

  /// The interval is (from, to]; the date of a sample is the start of the next query.
  @Test func `intervals that meet have each sample once`() throws {
    let rig = try Rig()
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    for second in 0..<7300 { try writer.append(rig.second(Double(second % 8) / 8, rate: 2)) }
    let all = try rig.all()
    try #require(all.count == 14_600)
    #expect(try rig.files().count == 3, "7300 s are three segments of at most an hour")
    var tiled: [RecordedSample] = []
    var start = Date(timeIntervalSince1970: 1_767_225_600)
    while true {
      // Some ends are at samples, others in between.
      let end = start + (tiled.count % 2 == 0 ? 997.5 : 1003.123)
      let part = Array(try rig.store.samples(after: start, through: end))
      tiled += part
      guard let last = part.last else { break }
      start = last.date
    }
    #expect(tiled == all)
    let at = all[9000].date
    #expect(Array(try rig.store.samples(after: at, through: at)).isEmpty)
    #expect(
      Array(try rig.store.samples(after: all[8999].date, through: at)) == [all[9000]])
  }

  @Test func `the files are readable to their user alone`() throws {
    let rig = try Rig()
    var writer = try SampleWriter(rig.store, clocks: rig.clocks)
    try writer.append(rig.second(0))
    try rig.store.extendRequest(by: .seconds(5), clocks: rig.clocks)
    func mode(_ path: String) throws -> Int? {
      (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?
        .intValue
    }
    #expect(try mode(rig.root + "/state") == 0o700)
    #expect(try mode(rig.store.folder) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: rig.store.folder)
    #expect(Set(names) == ["0000000000000001.samples", "lock", "request"])
    for name in names { #expect(try mode(rig.store.folder + "/" + name) == 0o600) }
  }

  @Test func `a store has one writer at a time`() throws {
    let rig = try Rig()
    do {
      var writer = try SampleWriter(rig.store, clocks: rig.clocks)
      try writer.append(rig.second(0.5))
      let error = try #require(throws: HistoryError.self) {
        _ = try SampleWriter(rig.store, clocks: rig.clocks)
      }
      #expect(error.kind == .inUse(process: getpid()))
      #expect(
        error.description == "\(rig.store.folder): already written by process \(getpid())")
      try writer.append(rig.second(0.25))
    }
    var next = try SampleWriter(rig.store, clocks: rig.clocks)
    try next.append(rig.second(0.75))
    #expect(try rig.story() == [0.5, 0.25, 0.75])
  }

  @Test func `the folder goes by environment and user`() throws {
    let state = ["XDG_STATE_HOME": "/data/state", "HOME": "/home/ada"]
    #expect(try HistoryPlace.folder(environment: state, user: 1000) == "/data/state/otolith")
    #expect(
      try HistoryPlace.folder(environment: ["HOME": "/home/ada"], user: 1000)
        == "/home/ada/.local/state/otolith")
    #expect(
      try HistoryPlace.folder(environment: ["XDG_STATE_HOME": "x", "HOME": "/root"], user: 0)
        == "/var/lib/otolith")
    let error = try #require(throws: HistoryError.self) {
      try HistoryPlace.folder(environment: [:], user: 1000)
    }
    #expect(error.kind == .noPlace)
    let rig = try Rig()
    #expect(HistoryPlace.isWritable(rig.root + "/a/b"))
    #expect(!HistoryPlace.isWritable("/dev/null/otolith"))
    try Data().write(to: URL(fileURLWithPath: rig.root + "/file"))
    #expect(!HistoryPlace.isWritable(rig.root + "/file/a"))
  }
}
