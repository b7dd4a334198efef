// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Otolith

/// The options that `otolith steps` and `otolith activity` have in common.
struct MovementOptions: ParsableArguments {
  @OptionGroup var place: BoardOptions

  @Flag(help: "One JSON object a line.")
  var json = false

  @OptionGroup var end: DurationOption

  var duration: Double? { end.seconds }

  /// Returns the movement of the board that is chosen.
  func feed() throws(Failure) -> MovementFeed {
    MovementFeed(MotionHub(try place.choose(to: json)))
  }
}

/// A moment as a person types it: `2026-11-22T08:00`, `2026-11-22`, both of the local time zone,
/// `2026-11-22T07:00:00Z`, also with the milliseconds that an export has, or `today`, which begins
/// at midnight.
struct Moment: ExpressibleByArgument {
  let date: Date

  init?(argument: String) {
    if argument == "today" {
      date = Calendar.current.startOfDay(for: Date())
      return
    }
    for format in [
      "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mmZZZZZ",
      "yyyy-MM-dd'T'HH:mm:ssZZZZZ", "yyyy-MM-dd'T'HH:mm:ss.SSSZZZZZ",
    ] {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.dateFormat = format
      formatter.isLenient = false
      if let date = formatter.date(from: argument) {
        self.date = date
        return
      }
    }
    return nil
  }
}

/// One JSON object with its names in order.
struct JSONLine {
  private var fields: [String] = []

  mutating func add(_ name: String, _ text: String) { fields.append("\"\(name)\":\"\(text)\"") }

  mutating func add(_ name: String, _ number: Double?) {
    // JSON has no word for what is no number.
    guard let number, number.isFinite else { return }
    fields.append("\"\(name)\":\(number)")
  }

  mutating func add(_ name: String, _ count: Int?) {
    if let count { fields.append("\"\(name)\":\(count)") }
  }

  mutating func add(_ name: String, list: [String]) {
    fields.append("\"\(name)\":[\(list.map { "\"\($0)\"" }.joined(separator: ","))]")
  }

  var text: String { "{\(fields.joined(separator: ","))}" }
}

extension Date {
  /// `2026-11-22T10:45:04Z`.
  var iso: String { ISO8601DateFormatter().string(from: self) }
}
