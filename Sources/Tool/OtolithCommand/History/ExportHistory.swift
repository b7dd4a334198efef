// SPDX-License-Identifier: Apache-2.0
import SourceReading
import CommandOutput
import BoardCommands
import ArgumentParser
import Foundation
import History
import Otolith
import Recordings
import Text

extension HistoryCommand {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Print all stored history in time order.",
      discussion: """
        A row is about one second of walking (walk), a change of activity (activity), or a pause \
        or resumption of walking (pause, resume). Times are UTC, distance is in metres, activeTime \
        in seconds, confidence 0, 1 or 2.
        """)

    enum Format: String, RowFormat {
      case csv, jsonl

      static let usual = csv
      static let summary =
        "csv, or jsonl: one JSON object per line. (default: from the file's extension, else csv)"
    }

    @OptionGroup var options: HistoryOptions

    @OptionGroup var form: FormatOptions<Format>

    @Option(
      help: ArgumentHelp(
        "The start: 'today', 2026-11-22, 2026-11-22T08:00 or 2026-11-22T07:00:00Z. (default: the "
          + "first entry)",
        valueName: "date"), transform: Moment.read)
    var from: Moment?

    @Option(
      help: ArgumentHelp("The end; entries at or after this time are left out.", valueName: "date"),
      transform: Moment.read)
    var to: Moment?

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The output file; - is standard output.", valueName: "file"),
      completion: .file())
    var output: String?

    @OptionGroup var overwrite: OverwriteOption

    func run() throws {
      let format = try form.format(for: output ?? "-", "--output")
      let file = try output.map {
        try OutputFile($0, inputs: [options.movement.path], replaces: overwrite.force)
      }
      let store = try options.movement
      let rows: [HistoryRow]
      do throws(HistoryError) {
        rows = try HistoryRow.all(store, from: from?.date, to: to?.date)
      } catch { throw Failure(error) }
      var text = format == .csv ? HistoryRow.header + "\n" : ""
      for row in rows { text += (format == .csv ? row.csv : row.json) + "\n" }
      guard let file else {
        Terminal.write(text, to: 1)
        return
      }
      // The export has the same permissions as the history: only the owner may read it.
      try file.write(text, permissions: 0o600)
    }
  }
}

struct HistoryRow {
  var start: Date
  /// The values by column name, as listed in `columns`.
  var cells: [String: JSON] = [:]

  static let columns = [
    "kind", "start", "end", "steps", "distance", "activeTime", "floorsAscended", "floorsDescended",
    "activity", "confidence",
  ]
  static let header = columns.joined(separator: ",")

  /// Returns the rows from `start` up to `end`. The first row is the activity that is already in
  /// progress at `start`.
  static func all(
    _ store: MovementStore, from start: Date?, to end: Date?
  ) throws(HistoryError) -> [HistoryRow] {
    let summary = try store.summary()
    guard let first = summary.begin, let last = summary.end else { return [] }
    let start = start ?? first
    let end = end ?? max(first, last)
    var rows = try store.activities(from: start, to: end).map { activity in
      HistoryRow(
        "activity", activity.start,
        [
          "activity": .text(activity.activities.columnText),
          "confidence": .count(activity.confidence.rawValue),
        ])
    }
    rows += try store.intervals(from: start, to: end).map { walk in
      HistoryRow(
        "walk", walk.start,
        [
          "end": .text(text(walk.end)), "steps": .count(walk.counts.steps),
          "distance": .number(walk.counts.distance),
          "activeTime": .number(walk.counts.activeTime),
          "floorsAscended": .count(walk.counts.floorsAscended),
          "floorsDescended": .count(walk.counts.floorsDescended),
        ])
    }
    rows += try store.events(from: start, to: end).map { event in
      HistoryRow(event.kind == .pause ? "pause" : "resume", event.date, [:])
    }
    // Sort rows with equal times by kind, so that exports are reproducible.
    return rows.sorted { ($0.start, $0.csv) < ($1.start, $1.csv) }
  }

  private init(_ kind: String, _ start: Date, _ cells: [String: JSON]) {
    self.start = start
    self.cells = cells
    self.cells["kind"] = .text(kind)
    self.cells["start"] = .text(Self.text(start))
  }

  private static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  var csv: String {
    Self.columns.map { cell(cells[$0]) }.joined(separator: ",")
  }

  private func cell(_ value: JSON?) -> String {
    if case .text(let text) = value { CSVCell.text(text) } else { value?.description ?? "" }
  }

  var json: String {
    let members = Self.columns.compactMap { name in cells[name].map { JSON.Member(name, $0) } }
    return JSON.object(members).description
  }
}
