// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Otolith

struct Steps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract: "Count steps, live.",
    discussion: """
      A table that stays in its place on a terminal, else a line whenever something has changed, \
      at most one a second. What is counted is kept for seven days; --from joins it. With a \
      service it is the service that counts and keeps. Ctrl-C ends it.
      """)

  @OptionGroup var options: MovementOptions

  @Option(
    help: ArgumentHelp(
      "Count from then on: 'today', 2026-11-22, 2026-11-22T08:00 or 2026-11-22T07:00:00Z. "
        + "(default: now)", valueName: "date"))
  var from: Moment?

  func run() throws {
    let desk = try options.desk()
    let isTable = Terminal.isInteractive && !options.json
    let json = options.json
    // A time of its own makes no news of a line.
    let essence: (@Sendable (MovementReading) -> String)? = if json { { $0.row } } else { nil }
    let view = try MovementView(
      desk, since: from?.date ?? desk.now, isTable: isTable, essence: essence
    ) { reading in
      json ? reading.json : isTable ? reading.table : reading.line
    }
    try view.run(for: options.duration)
  }
}

extension MovementReading {
  private var floors: String? {
    hasFloors ? "\(total.floorsAscended ?? 0) up, \(total.floorsDescended ?? 0) down" : nil
  }

  private func text(_ number: Double?, _ format: String) -> String {
    number.map { String(format: format, $0) } ?? "-"
  }

  private var cadence: String { text(counted.movement.currentCadence, "%.2f steps/s") }
  private var pace: String { text(counted.movement.currentPace, "%.2f s/m") }

  fileprivate var table: String {
    var rows = [
      ("steps", "\(total.steps)"), ("distance", text(total.distance, "%.1f m")),
      ("time on foot", text(total.activeTime, "%.0f s")), ("cadence", cadence), ("pace", pace),
    ]
    if let floors { rows.append(("floors", floors)) }
    rows.append(("activity", counted.movement.activity.names))
    return rows.map { $0.0.padding(toLength: 14, withPad: " ", startingAt: 0) + $0.1 }
      .joined(separator: "\n")
  }

  /// Nothing where nothing was counted yet.
  fileprivate var line: String {
    let floors = (total.floorsAscended ?? 0) + (total.floorsDescended ?? 0)
    return total.steps > 0 || floors > 0 ? row : ""
  }

  fileprivate var row: String {
    var parts = ["\(total.steps) steps", text(total.distance, "%.1f m"), cadence, pace]
    if let floors { parts.append("floors " + floors) }
    return parts.joined(separator: "   ")
  }

  fileprivate var json: String {
    var line = JSONLine()
    line.add("from", start.iso)
    line.add("timestamp", counted.movement.timestamp.seconds)
    line.add("steps", total.steps)
    line.add("distance", total.distance)
    line.add("activeTime", total.activeTime)
    line.add("floorsAscended", hasFloors ? total.floorsAscended ?? 0 : nil)
    line.add("floorsDescended", hasFloors ? total.floorsDescended ?? 0 : nil)
    line.add("cadence", counted.movement.currentCadence)
    line.add("pace", counted.movement.currentPace)
    return line.text
  }
}
