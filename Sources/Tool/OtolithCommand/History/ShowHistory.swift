// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BoardCommands
import ArgumentParser
import Foundation
import History
import Otolith
import Text

extension HistoryCommand {
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Print steps, distance, floors and activities of each day.",
      discussion: "A dash marks a quantity that was not counted on that day.")

    @OptionGroup var options: HistoryOptions

    @Option(
      parsing: .unconditional, help: "The number of days up to today. (default: 7)",
      transform: NumberForm.whole("a whole number of days", 1...3660, example: 7))
    var days = 7

    @Flag(help: "Print one JSON object per day.")
    var json = false

    func run() throws {
      let store = try options.movement
      let calendar = Calendar.current
      let now = Date()
      let today = calendar.startOfDay(for: now)
      let first = calendar.date(byAdding: .day, value: 1 - days, to: today) ?? today
      do throws(HistoryError) {
        let days = try store.days(from: first, to: now, calendar: calendar)
        if json {
          for day in days { Terminal.say(Self.json(day)) }
          return
        }
        Terminal.say(Self.row(["date", "steps", "distance", "active", "up", "down"]))
        for day in days { Terminal.say(Self.row(Self.cells(day))) }
        let summary = try store.summary()
        Terminal.say("")
        Terminal.say(
          "\(store.folder): \(summary.rows) rows, \((summary.bytes + 1023) / 1024) KB"
            + (summary.begin.map { ", since " + Self.text($0) } ?? ""))
        if summary.begin == nil { options.hint() }
      } catch { throw Failure(error) }
    }

    private static func row(_ cells: [String]) -> String {
      zip(cells, [10, 8, 10, 9, 5, 5]).map { $0.leftPadded(to: $1) }.joined(separator: " ")
    }

    private static func cells(_ day: MovementTotal) -> [String] {
      let isCounted = day.countedTime > .zero || day.counts.steps > 0
      func floors(_ count: Int) -> String { day.hasFloors ? "\(count)" : "-" }
      return [
        day.start.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day()),
        isCounted ? "\(day.counts.steps)" : "-",
        isCounted ? "\(Int(day.counts.distance.rounded())) m" : "-",
        isCounted ? "\(Int((day.counts.activeTime / 60).rounded())) min" : "-",
        floors(day.counts.floorsAscended), floors(day.counts.floorsDescended),
      ]
    }

    private static func text(_ date: Date) -> String {
      date.formatted(Date.ISO8601FormatStyle(timeZone: .current))
    }

    private static func json(_ day: MovementTotal) -> String {
      func floors(_ count: Int) -> JSON { day.hasFloors ? .count(count) : .null }
      return JSON.object([
        .init("start", .text(text(day.start))), .init("end", .text(text(day.end))),
        .init("steps", .count(day.counts.steps)),
        .init("distance", .number(day.counts.distance)),
        .init("activeTime", .number(day.counts.activeTime)),
        .init("floorsAscended", floors(day.counts.floorsAscended)),
        .init("floorsDescended", floors(day.counts.floorsDescended)),
        .init("countedTime", .number(day.countedTime.seconds)),
      ]).description
    }
  }
}
