// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation
import Fusion
import Otolith

/// The time of day of samples, in UTC.
struct UTCClock {
  /// From the samples' clock to this, nanoseconds.
  private var offset: Int64 = 0
  private var isFixed = false

  /// Looks at the machine's clock, which may be set at any time.
  mutating func set() {
    guard !isFixed else { return }
    offset = Self.now - Timestamp.now.nanoseconds
  }

  /// For samples by a clock of their own, which shows `time` now.
  mutating func start(at time: Timestamp) {
    offset = Self.now - time.nanoseconds
    isFixed = true
  }

  private static var now: Int64 {
    var time = timespec()
    // Written within the call alone; it fails for no clock that there is.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Nanoseconds since 1970.
  func nanoseconds(_ time: Timestamp) -> Int64 { time.nanoseconds + offset }

  /// `2026-11-24T15:20:00.123456Z`.
  func text(_ time: Timestamp) -> String {
    let microseconds = nanoseconds(time) / 1000
    let seconds = microseconds / 1_000_000
    let day = CivilDate(secondsSince1970: seconds)
    let ofDay = seconds % 86_400
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    return digits(Int64(day.year), 4) + "-" + digits(Int64(day.month), 2) + "-"
      + digits(Int64(day.day), 2) + "T" + digits(ofDay / 3600, 2) + ":"
      + digits(ofDay / 60 % 60, 2) + ":" + digits(ofDay % 60, 2) + "."
      + digits(microseconds % 1_000_000, 6) + "Z"
  }
}
