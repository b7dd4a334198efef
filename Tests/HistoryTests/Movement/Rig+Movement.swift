// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Recognition
import Testing

extension Rig {
  var movement: MovementStore { MovementStore(folder: root + "/state/movement", clocks: clocks) }

  var database: String { movement.folder + "/movement.sqlite" }

  func writer(keeping days: Double = 7) throws(HistoryError) -> MovementWriter {
    try MovementWriter(
      movement, keeping: TimeSpan(seconds: days * 86_400), isDurable: false)
  }

  /// Lets `seconds` pass, and returns the entry counted in them.
  func entry(
    _ seconds: Double = 1, steps: Int = 0, _ fill: (inout MovementEntry) -> Void = { _ in }
  ) -> MovementEntry {
    let begin = self.now.boot
    pass(seconds)
    var entry = MovementEntry(begin: begin, end: self.now.boot)
    entry.counts.steps = steps
    entry.counts.distance = Double(steps) * 0.7
    entry.counts.activeTime = steps > 0 ? seconds : 0
    fill(&entry)
    return entry
  }

  /// The date of the wall clock.
  var date: Date { Date(timeIntervalSince1970: Double(now.wall) / 1e9) }

  /// Returns the number of all steps.
  func steps() throws -> Int {
    try movement.total(from: .distantPast, to: .distantFuture).counts.steps
  }

  /// Runs a statement in the program sqlite3, which shares no code with the library; returns lines
  /// of cells.
  func sql(_ statement: String, on path: String? = nil) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      if ';' in sys.argv[2]: c.executescript(sys.argv[2])
      else:
        for r in c.execute(sys.argv[2]): print(*r, sep='|')
      """, path ?? database, statement,
    ]
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}

extension ActivityEstimate {
  init(_ activities: ActivitySet, _ timestamp: Timestamp) {
    self.init(timestamp: timestamp, activities: activities, confidence: .high)
  }
}
