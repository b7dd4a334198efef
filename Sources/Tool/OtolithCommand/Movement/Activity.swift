// SPDX-License-Identifier: Apache-2.0
import MotionViews
import BoardCommands
import CommandOutput
import ArgumentParser
import Foundation
import History
import Otolith
import Service
import Text

struct Activity: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activity",
    abstract: """
      Show the activity of the person who carries the board: stationary, walking, running, \
      cycling, or in a vehicle (automotive).
      """,
    discussion: """
      Prints the present activity, then one line per change. Several activities can apply at once: \
      a waiting car is automotive and stationary. Any other movement is 'moving'. Ctrl-C quits.
      """)

  @OptionGroup var place: BoardOptions

  @Flag(help: "One JSON object per line.")
  var json = false

  @OptionGroup var end: DurationOption

  @Option(
    help: ArgumentHelp(
      "Print the activities since this time first: 'today', 2026-11-22, 2026-11-22T08:00 or "
        + "2026-11-22T07:00:00Z.",
      valueName: "date"), transform: Moment.read)
  var from: Moment?

  func run() throws {
    let feed = PedometerStore(MotionHub(try place.choose(to: json)))
    // This is the last activity that was printed from the stored history. It may still continue,
    // and must not be printed again.
    var last: RecordedActivity?
    if let from {
      do throws(MovementError) {
        for activity in try feed.activities(from: from.date, to: feed.now) {
          let estimate = ActivityEstimate(
            timestamp: .zero, activities: activity.activities, confidence: activity.confidence)
          Terminal.say(Self.text(estimate, since: activity.start, json))
          last = activity
        }
      } catch { throw Failure(error) }
    }
    let known = last.map { Self.essence($0.activities, $0.confidence) }
    let view = try MovementView(
      feed, since: feed.now, isTable: false, after: known,
      essence: {
        Self.essence(
          $0.movement.activity.activities, $0.movement.activity.confidence)
      }
    ) { [json] update in
      let activity = update.movement.activity
      // Print nothing before the first sample, because the activity has no time yet.
      guard update.movement.timestamp > .zero else { return "" }
      return Self.text(activity, since: feed.clocks.now().date(of: activity.timestamp), json)
    }
    try view.run(for: end.seconds)
  }

  private static func essence(_ activities: ActivitySet, _ confidence: ActivityConfidence) -> String
  {
    "\(activities.rawValue) \(confidence)"
  }

  private static func text(_ activity: ActivityEstimate, since start: Date, _ isJSON: Bool)
    -> String
  {
    guard isJSON else {
      return "\(start.iso)   \(activity.activities.text)   confidence \(activity.confidence)"
    }
    return JSON.object([
      .init("start", .text(start.iso)), .init("activities", .texts(activity.activities.names)),
      .init("confidence", .text("\(activity.confidence)")),
    ]).description
  }
}
