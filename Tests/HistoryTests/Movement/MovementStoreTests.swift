// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Recognition
import Testing

/// Stored movement is read back unchanged.
@Suite struct MovementStoreTests {
  @Test func `a history that is not there is empty`() throws {
    let rig = try Rig()
    let store = rig.movement
    #expect(
      try store.total(from: .distantPast, to: .distantFuture)
        == MovementTotal(from: .distantPast, to: .distantFuture))
    #expect(try store.summary() == MovementStore.Summary())
    #expect(
      try store.activities(from: rig.date, to: rig.date + 60)
        == [RecordedActivity(start: rig.date, activities: .unknown, confidence: .low)])
    #expect(!FileManager.default.fileExists(atPath: rig.movement.folder), "reading makes nothing")
    // A query finds later entries.
    var writer = try rig.writer()
    try writer.append(rig.entry(steps: 2))
    #expect(try store.total(from: .distantPast, to: .distantFuture).counts.steps == 2)
  }

  @Test func `totals and intervals are parts of what was written`() throws {
    let rig = try Rig()
    var writer = try rig.writer()
    let start = rig.date
    for second in 0..<100 {
      try writer.append(
        rig.entry(steps: second % 3) {
          $0.hasFloors = true
          $0.counts.floorsAscended = second == 40 ? 1 : 0
          $0.counts.floorsDescended = second == 70 ? 2 : 0
        })
    }
    try writer.close()
    let store = rig.movement
    let total = try store.total(from: start, to: rig.date)
    // 33 times 0 + 1 + 2, and 0 again; 0.7 m each; 66 of the seconds had steps.
    #expect(total.counts.steps == 99)
    #expect(abs(total.counts.distance - 69.3) < 0.001, "\(total.counts.distance)")
    #expect(total.counts.activeTime == 66)
    #expect(
      total.hasFloors && total.counts.floorsAscended == 1 && total.counts.floorsDescended == 2)
    #expect(total.countedTime == .seconds(100))
    let level = try store.total(from: start + 41, to: start + 71)
    #expect(level.hasFloors && level.counts.floorsAscended == 0)
    #expect(try store.total(from: start - 9, to: start).hasFloors == false, "none counted")
    let seconds = try store.intervals(from: start + 1.5, to: start + 3.5)
    #expect(seconds.map(\.counts.steps) == [1, 2])
    #expect(seconds.map { ($0.start.timeIntervalSince(start) * 1000).rounded() } == [1000, 2000])
    #expect(seconds.map { ($0.end.timeIntervalSince(start) * 1000).rounded() } == [2000, 3000])
    #expect(seconds.allSatisfy { $0.hasFloors && $0.countedTime == .seconds(1) })
  }

  /// Thirds of a millimetre are not lost by repeated rounding.
  @Test func `rounding does not drift`() throws {
    let rig = try Rig()
    var writer = try rig.writer()
    for _ in 0..<300 {
      try writer.append(
        rig.entry(0.1) {
          $0.counts.distance = 0.1 / 3
          $0.counts.activeTime = 0.1 / 3
        })
    }
    let total = try rig.movement.total(from: .distantPast, to: .distantFuture)
    #expect(
      abs(total.counts.distance - 10) < 0.0011 && abs(total.counts.activeTime - 10) < 0.0011,
      "\(total)")
  }

  /// Adjacent intervals add up wherever they meet, and each has its share by time.
  @Test func `adjacent intervals add up`() throws {
    let rig = try Rig()
    var writer = try rig.writer()
    let start = rig.date
    for second in 0..<60 { try writer.append(rig.entry(0.9 + Double(second % 5) / 20, steps: 7)) }
    let end = rig.date
    let store = rig.movement
    let all = try store.total(from: start, to: end)
    #expect(all.counts.steps == 420)
    var state: UInt64 = 1
    for _ in 0..<40 {
      // Knuth's MMIX generator.
      var borders = (0..<3).map { _ -> Date in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return start + Double(state >> 40) / Double(1 << 24) * end.timeIntervalSince(start)
      }
      borders = [start] + borders.sorted() + [end]
      let parts = try zip(borders, borders.dropFirst()).map { try store.total(from: $0, to: $1) }
      #expect(parts.map(\.counts.steps).reduce(0, +) == all.counts.steps)
      let millimetres = parts.map { Int(($0.counts.distance * 1000).rounded()) }
      #expect(millimetres.reduce(0, +) == 294_000)
      // A step every seventh of a second, and a partial one at each end.
      for (part, (begin, end)) in zip(parts, zip(borders, borders.dropFirst())) {
        #expect(abs(Double(part.counts.steps) - 7 * end.timeIntervalSince(begin)) < 2.8)
      }
    }
  }

  @Test func `activities and events are read as they were written`() throws {
    let rig = try Rig()
    var writer = try rig.writer()
    let start = rig.date
    let boot = rig.now.boot
    func at(_ seconds: Double) -> Timestamp { boot + TimeSpan(seconds: seconds) }
    try writer.append(rig.entry(10) { $0.activities = [ActivityEstimate(.stationary, at(4))] })
    try writer.append(
      rig.entry(10) {
        // An activity that becomes known later than it began, one reported twice, and one that is
        // corrected.
        $0.activities = [
          ActivityEstimate(.walking, at(12)), ActivityEstimate(.walking, at(13)),
          ActivityEstimate(.cycling, at(18)), ActivityEstimate(.automotive, at(17)),
        ]
        $0.events = [
          WalkingEvent(.resume, timestamp: at(12)), WalkingEvent(.pause, timestamp: at(16)),
        ]
      })
    try writer.close()
    rig.pass(100)
    let store = rig.movement
    func story(_ from: Double, _ to: Double) throws -> [String] {
      try store.activities(from: start + from, to: start + to).map {
        "\(($0.start.timeIntervalSince(start) * 1000).rounded() / 1000) \($0.activities.rawValue)"
      }
    }
    // 1 is stationary, 2 walking, 16 automotive, 32 unknown.
    #expect(try story(0, 60) == ["0.0 32", "4.0 1", "12.0 2", "17.0 16", "20.0 32"])
    #expect(try story(14, 15) == ["12.0 2"], "the one that began before")
    #expect(try story(15, 17) == ["12.0 2", "17.0 16"])
    #expect(try story(30, 60) == ["20.0 32"])
    #expect(try story(-10, 4) == ["-10.0 32", "4.0 1"])
    #expect(try story(9, 8) == [])
    let events = try store.events(from: start, to: start + 16)
    #expect(events.map(\.kind) == [.resume, .pause])
    #expect(try store.events(from: events[0].date, to: events[1].date) == [events[1]])
    #expect(throws: HistoryError.self) { try writer.append(rig.entry()) }
  }

  /// Without movement only one mark per minute is written to the disk.
  @Test func `an interval without movement is not written`() throws {
    let rig = try Rig()
    var writer = try rig.writer()
    func changes() throws -> [Int] {
      try FileManager.default.contentsOfDirectory(atPath: rig.movement.folder).sorted().map {
        let file = try FileManager.default.attributesOfItem(atPath: rig.movement.folder + "/" + $0)
        return try #require(file[.size] as? Int)
      }
    }
    try writer.append(rig.entry())
    let before = try changes()
    for _ in 0..<59 { try writer.append(rig.entry()) }
    #expect(try changes() == before)
    try writer.append(rig.entry())
    #expect(try changes() != before)
    #expect(try rig.sql("SELECT until - start FROM session") == "61000000000")
    // If it is read meanwhile, the last minute is not unknown.
    for _ in 0..<30 { try writer.append(rig.entry { $0.activities = [] }) }
    let known = try rig.movement.total(from: rig.date - 1, to: rig.date).countedTime
    #expect(known == .zero, "a sum is of what was written")
  }

  @Test func `a history has one writer, and is its user's alone`() throws {
    let rig = try Rig()
    do {
      var writer = try rig.writer()
      try writer.append(rig.entry(steps: 1))
      let error = #expect(throws: HistoryError.self) { _ = try rig.writer() }
      #expect(error?.kind == .inUse(process: getpid()))
      let names = try FileManager.default.contentsOfDirectory(atPath: rig.movement.folder)
      #expect(names.count == 4, "\(names)")
      for name in names + ["."] {
        let path = rig.movement.folder + "/" + name
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == (name == "." ? 0o700 : 0o600), "\(name)")
      }
    }
    var writer = try rig.writer()
    try writer.append(rig.entry(steps: 1))
    #expect(try rig.steps() == 2)
  }

  /// The history is also erased while a writer is active, which continues and stores its current
  /// activity again.
  @Test(arguments: [false, true])
  func `an erased history is empty, and its writer goes on`(_ isWritten: Bool) throws {
    let rig = try Rig()
    try FileManager.default.createDirectory(
      atPath: rig.movement.folder, withIntermediateDirectories: true)
    let aside = rig.movement.folder + "/movement-damaged-20260101T000000Z.sqlite"
    try "rot".write(toFile: aside, atomically: false, encoding: .utf8)
    func fill(_ writer: inout MovementWriter) throws {
      for _ in 0..<50 { try writer.append(rig.entry(steps: 3)) }
      let walking = ActivityEstimate(.walking, rig.now.boot)
      try writer.append(rig.entry(steps: 3) { $0.activities = [walking] })
    }
    // Remains of a row would be found by the identifier of the boot, 16 bytes.
    func remains() throws -> Bool {
      let needle = Data([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1])
      return try ["", "-wal"].contains {
        guard FileManager.default.fileExists(atPath: rig.database + $0) else { return false }
        return try Data(contentsOf: URL(fileURLWithPath: rig.database + $0)).range(of: needle)
          != nil
      }
    }
    if isWritten {
      var writer = try rig.writer()
      try fill(&writer)
      #expect(try remains())
      try rig.movement.erase()
      #expect(try !remains())
      #expect(try rig.steps() == 0)
      try writer.append(rig.entry(steps: 4))
      #expect(try rig.steps() == 4)
      let state = try rig.movement.activities(from: rig.date - 0.5, to: rig.date)
      #expect(state.first?.activities == .walking)
    } else {
      do {
        var writer = try rig.writer()
        try fill(&writer)
      }
      try rig.movement.erase()
      #expect(try FileManager.default.contentsOfDirectory(atPath: rig.movement.folder) == ["lock"])
    }
    #expect(!FileManager.default.fileExists(atPath: aside))
    try rig.movement.erase()
  }
}
