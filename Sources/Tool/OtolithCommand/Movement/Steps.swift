// SPDX-License-Identifier: Apache-2.0
import MotionViews
import BoardCommands
import CommandOutput
import ArgumentParser
import Foundation
import History
import Otolith
import Recognition
import Service
import Text

struct Steps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract: "Count steps, live.",
    discussion: """
      Shows a table on a terminal, otherwise one line per change, at most one per second. Counts \
      are kept for seven days; --from includes them. With a service, the service counts and \
      stores. Ctrl-C quits.
      """)

  @OptionGroup var place: BoardOptions

  @Flag(help: "One JSON object per line.")
  var json = false

  @OptionGroup var end: DurationOption

  @Option(
    help: ArgumentHelp(
      "Start of counting: 'today', 2026-11-22, 2026-11-22T08:00 or 2026-11-22T07:00:00Z. (default: "
        + "now)", valueName: "date"), transform: Moment.read)
  var from: Moment?

  func run() throws {
    let feed = PedometerStore(MotionHub(try place.choose(to: json)))
    let isTable = Terminal.isInteractive && !json
    // In JSON the time differs in each line, so only the counts decide whether a line is printed.
    let essence: (@Sendable (MovementSnapshot) -> String)? = if json { { $0.row } } else { nil }
    let view = try MovementView(
      feed, since: from?.date ?? feed.now, isTable: isTable, essence: essence
    ) { [json] update in
      json ? update.json : isTable ? update.table : update.line
    }
    try view.run(for: end.seconds)
  }
}

extension MovementSnapshot {
  private var counts: MovementCounts { total.counts }

  private var floors: String? {
    total.hasFloors ? "\(counts.floorsAscended) up, \(counts.floorsDescended) down" : nil
  }

  private func text(_ number: Double?, _ format: String) -> String {
    number.map { String(format: format, $0) } ?? "-"
  }

  private var cadence: String { text(movement.currentCadence, "%.2f steps/s") }
  private var pace: String { text(movement.currentPace, "%.2f s/m") }

  fileprivate var table: String {
    var rows = [
      ("steps", "\(counts.steps)"), ("distance", text(counts.distance, "%.1f m")),
      ("time on foot", text(counts.activeTime, "%.0f s")), ("cadence", cadence), ("pace", pace),
    ]
    if let floors { rows.append(("floors", floors)) }
    rows.append(("activity", movement.activity.activities.text))
    return rows.map { $0.0.padded(to: 14) + $0.1 }
      .joined(separator: "\n")
  }

  /// The counts as one line; empty if nothing has been counted yet.
  fileprivate var line: String {
    counts.steps + counts.floorsAscended + counts.floorsDescended > 0 ? row : ""
  }

  fileprivate var row: String {
    var parts = ["\(counts.steps) steps", text(counts.distance, "%.1f m"), cadence, pace]
    if let floors { parts.append("floors " + floors) }
    return parts.joined(separator: "   ")
  }

  fileprivate var json: String {
    var members: [JSON.Member] = [
      .init("from", .text(total.start.iso)),
      .init("timestamp", .number(movement.timestamp.seconds)),
      .init("steps", .count(counts.steps)), .init("distance", .number(counts.distance)),
      .init("activeTime", .number(counts.activeTime)),
    ]
    if total.hasFloors {
      members.append(.init("floorsAscended", .count(counts.floorsAscended)))
      members.append(.init("floorsDescended", .count(counts.floorsDescended)))
    }
    if let cadence = movement.currentCadence { members.append(.init("cadence", .number(cadence))) }
    if let pace = movement.currentPace { members.append(.init("pace", .number(pace))) }
    return JSON.object(members).description
  }
}
