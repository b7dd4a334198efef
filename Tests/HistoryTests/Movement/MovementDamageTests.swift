// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Recognition
import Testing

/// Processes that are killed, full disks, damaged files.
@Suite struct MovementDamageTests {
  /// The writer is killed at random times: every step on disk counts once, and the file is valid.
  /// `OTOLITH_KILLS=100` runs longer.
  @Test func `of a writer that is killed every step on the disk is there once`() throws {
    let rig = try Rig()
    let kills = ProcessInfo.processInfo.environment["OTOLITH_KILLS"].flatMap(Int.init) ?? 4
    var random = SystemRandomNumberGenerator()
    var acknowledged = 0
    for run in 1...kills {
      let output = try Victim.run(
        rig.movement.folder, mode: "movement",
        killedAfter: Double.random(in: 0.005...0.2, using: &random),
        ofOutput: run.isMultiple(of: 2))
      #expect(!output.contains("error"), "\(output)")
      // An incomplete last line was not reported.
      let last = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last
      acknowledged += last.flatMap { Int($0) } ?? 0
      // The last entry may have been written but not reported when the process was killed.
      #expect((acknowledged...acknowledged + run).contains(try rig.steps()), "run \(run)")
    }
    #expect(acknowledged > 0)
    #expect(try rig.sql("PRAGMA integrity_check") == "ok")
    #expect(try rig.sql("SELECT count(*) = sum(steps) FROM walk") == "1")
  }

  /// A log truncated anywhere by a power failure keeps everything checkpointed and the beginning of
  /// the rest.
  @Test func `a log that is cut off anywhere keeps what was checkpointed`() throws {
    let rig = try Rig()
    // The files are copied while the writer is open, as a power failure leaves them.
    var writer = try rig.writer()
    for _ in 0..<20 { try writer.append(rig.entry(steps: 1)) }
    _ = try rig.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    for _ in 0..<20 { try writer.append(rig.entry(steps: 1)) }
    let log = try Data(contentsOf: URL(fileURLWithPath: rig.database + "-wal"))
    let main = try Data(contentsOf: URL(fileURLWithPath: rig.database))
    var found: [Int] = []
    for part in 0...7 {
      let copy = MovementStore(folder: rig.root + "/cut\(part)", clocks: rig.clocks)
      try FileManager.default.createDirectory(
        atPath: copy.folder, withIntermediateDirectories: true)
      try main.write(to: URL(fileURLWithPath: copy.folder + "/movement.sqlite"))
      // Eight lengths, most of them within a page.
      try log.prefix(log.count * part / 7).write(
        to: URL(fileURLWithPath: copy.folder + "/movement.sqlite-wal"))
      var next = try MovementWriter(
        copy, keeping: .seconds(86_400), isDurable: false)
      let steps = try copy.total(from: .distantPast, to: .distantFuture).counts.steps
      found.append(steps)
      #expect(next.damaged == [])
      try next.append(rig.entry(steps: 100))
      #expect(try copy.total(from: .distantPast, to: .distantFuture).counts.steps == steps + 100)
    }
    #expect(found == found.sorted() && found.first == 20 && found.last == 40, "\(found)")
  }

  @Test func `on a full disk no step is lost, and the file stays whole`() throws {
    let rig = try Rig()
    let output = try Victim.run(rig.movement.folder, mode: "movement-full")
    let lines = output.split(separator: "\n").map(String.init)
    #expect(lines.count == 5 && lines[0] == "1" && lines[1] == "2" && lines[4] == "5", "\(lines)")
    #expect(lines[2].hasPrefix("error: \(rig.database): "), "\(lines)")
    // The fifth entry covers the time of those that failed.
    #expect(try rig.steps() == 3)
    #expect(try rig.sql("PRAGMA integrity_check") == "ok")
  }

  /// A damaged file loses its entries, but is kept for recovery; counting continues in a new one.
  @Test func `a damaged file is put aside`() throws {
    let rig = try Rig()
    do {
      var writer = try rig.writer()
      for _ in 0..<200 { try writer.append(rig.entry(steps: 1)) }
    }
    let file = try #require(FileHandle(forUpdatingAtPath: rig.database))
    try file.seek(toOffset: 0)
    file.write(Data("what is this?".utf8))
    try file.close()
    #expect(throws: HistoryError.self) { _ = try rig.steps() }
    var writer = try rig.writer()
    let aside = rig.movement.folder + "/movement-damaged-20260101T000320Z.sqlite"
    #expect(writer.damaged == [aside])
    #expect(FileManager.default.fileExists(atPath: aside))
    try writer.append(rig.entry(steps: 7))
    #expect(try rig.steps() == 7)
  }

  /// A user deletes the folder while it is being written.
  @Test func `a folder that is deleted by hand is created again`() throws {
    let rig = try Rig()
    var writer = try rig.writer()
    try writer.append(rig.entry(steps: 1))
    let store = rig.movement
    #expect(try store.total(from: .distantPast, to: .distantFuture).counts.steps == 1)
    try FileManager.default.removeItem(atPath: rig.movement.folder)
    #expect(try store.total(from: .distantPast, to: .distantFuture).counts.steps == 0)
    try writer.append(rig.entry(steps: 2))
    #expect(try store.total(from: .distantPast, to: .distantFuture).counts.steps == 2)
  }

  @Test func `a newer file or another's is refused, and may be erased`() throws {
    let rig = try Rig()
    do {
      var writer = try rig.writer()
      try writer.append(rig.entry(steps: 1))
    }
    _ = try rig.sql("PRAGMA user_version = 99")
    let newer = HistoryError(
      .failed, path: rig.database,
      reason: "written by a newer otolith (format 99, this one knows 1); update this one, or erase "
        + "the history")
    #expect(throws: newer) { _ = try rig.writer() }
    #expect(throws: newer) { _ = try rig.movement.summary() }
    _ = try rig.sql("PRAGMA user_version = 1; PRAGMA application_id = 5;")
    #expect(
      throws: HistoryError(.failed, path: rig.database, reason: "a database of another program")
    ) { _ = try rig.writer() }
    #expect(try rig.sql("SELECT steps FROM walk") == "1")
    try rig.movement.erase()
    #expect(try rig.steps() == 0)
  }

  @Test func `a folder without permission is an error with its path`() throws {
    let error = #expect(throws: HistoryError.self) {
      _ = try MovementWriter(MovementStore(folder: "/proc/otolith"))
    }
    #expect(error?.path.hasPrefix("/proc/otolith") == true)
    // Root is not restricted by permissions.
    guard geteuid() != 0 else { return }
    let rig = try Rig()
    try FileManager.default.createDirectory(
      atPath: rig.movement.folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o500])
    #expect(throws: HistoryError.self) { _ = try rig.writer() }
  }
}
