// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation

/// A time that a person has typed: `2026-11-22T08:00` or `2026-11-22` in the local time zone, or
/// `2026-11-22T07:00:00Z`. Milliseconds may follow, because exports contain them. `today` means
/// midnight.
struct Moment: TypedArgument {
  let date: Date

  init?(argument: String) {
    if argument == "today" {
      date = Calendar.current.startOfDay(for: Date())
      return
    }
    let form =
      /(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3}))?)?(Z|[+-]\d\d:\d\d)?)?/
    guard let match = argument.wholeMatch(of: form) else { return nil }
    func number(_ text: Substring?) -> Int { text.flatMap { Int($0) } ?? 0 }
    var calendar = Calendar(identifier: .gregorian)
    if let zone = match.8 {
      let minutes =
        zone == "Z" ? 0 : 60 * number(zone.dropFirst().prefix(2)) + number(zone.suffix(2))
      guard let zone = TimeZone(secondsFromGMT: (zone.hasPrefix("-") ? -60 : 60) * minutes) else {
        return nil
      }
      calendar.timeZone = zone
    }
    let parts = DateComponents(
      year: number(match.1), month: number(match.2), day: number(match.3), hour: number(match.4),
      minute: number(match.5), second: number(match.6), nanosecond: 1_000_000 * number(match.7))
    guard parts.isValidDate(in: calendar), let date = calendar.date(from: parts) else { return nil }
    self.date = date
  }

  static func wrong(_ text: String) -> WrongValue {
    WrongValue(
      "a day or a time of one, of this time zone or with its own",
      example: "today, 2026-11-22, 2026-11-22T08:00 or 2026-11-22T07:00:00Z")
  }
}

extension Date {
  /// The date as text in UTC, such as `2026-11-22T10:45:04Z`.
  var iso: String { formatted(.iso8601) }
}
