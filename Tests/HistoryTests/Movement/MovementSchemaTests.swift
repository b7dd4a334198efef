// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Recognition
import Testing

/// The contents of the file, read by the program sqlite3.
@Suite struct MovementSchemaTests {
  /// docs/movement.md shows the statements that create the database, word for word.
  @Test func `the page on the history shows the statements that made the database`() throws {
    let rig = try Rig()
    _ = try rig.writer()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/movement.md"), encoding: .utf8)
    let schema = try rig.sql(
      "SELECT sql || char(59) FROM sqlite_schema WHERE sql > ''")
    #expect(schema.contains("CREATE TABLE walk"))
    #expect(page.contains("```sql\n\(schema)\n```"), "\(schema)")
    #expect(try rig.sql("PRAGMA user_version") == "1")
    #expect(try rig.sql("PRAGMA application_id") == "\(0x4F54_4D56)")
    #expect(try rig.sql("PRAGMA auto_vacuum") == "2", "incremental")
    #expect(try rig.sql("PRAGMA journal_mode") == "wal")
  }

  /// A file of version 1, from a dump committed at that time, is read and written by every later
  /// version.
  @Test func `a file of version 1 is read and written`() throws {
    let rig = try Rig()
    let dump = try #require(Bundle.module.url(forResource: "version-1", withExtension: "sql"))
    try FileManager.default.createDirectory(
      atPath: rig.movement.folder, withIntermediateDirectories: true)
    _ = try rig.sql(String(contentsOf: dump, encoding: .utf8))
    rig.restart(after: 3600)
    var writer = try rig.writer()
    try writer.append(rig.entry(steps: 3))
    let store = rig.movement
    // Computed by hand from the dump: boot clock 1000 s at New Year; three seconds with 2, 3 and 4
    // steps, a floor, a pause.
    let start = Date(timeIntervalSince1970: 1_767_225_600)
    let total = try store.total(from: start, to: start + 60)
    #expect(total.counts.steps == 9 && total.counts.distance == 6.3 && total.counts.activeTime == 3)
    #expect(total.counts.floorsAscended == 1 && total.counts.floorsDescended == 0)
    #expect(try store.total(from: start + 1, to: start + 2.5).counts.steps == 5)
    #expect(try store.events(from: start, to: start + 60).map(\.kind) == [.pause])
    #expect(
      try store.activities(from: start + 1, to: start + 3).map(\.activities)
        == [.walking, .stationary])
    #expect(try rig.steps() == 12)
  }
}
