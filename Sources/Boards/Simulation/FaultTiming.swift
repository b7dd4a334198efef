// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// One fault of a plan as time passes: says when it strikes. Two of one seed strike alike.
struct FaultTiming {
  let fault: Fault
  /// The time at which it begins next; `nil`: never again.
  private var start: Timestamp?
  /// It lasts until then.
  private var end: Timestamp
  /// Opportunities that it takes because its time has come and it has no duration; it strikes once
  /// at most.
  private var owed = 0
  private var noise: Noise

  /// A fault whose times count from `origin`.
  init(_ fault: Fault, origin: Timestamp, seed: UInt64) {
    self.fault = fault
    end = origin
    noise = Noise(seed: seed)
    switch fault.occurrence {
    case .probability: start = nil
    case .always:
      start = nil
      end = .distantFuture
    case .every(let span), .at(let span): start = origin + span
    }
  }

  /// Takes the next moment until `now` at which it begins; `nil` where there is none.
  mutating func begin(until now: Timestamp) -> Timestamp? {
    guard let time = start, time <= now else { return nil }
    if case .every(let span) = fault.occurrence { start = time + span } else { start = nil }
    if let duration = fault.duration {
      if duration > .zero { end = time + duration } else { owed = 1 }
    } else {
      end = .distantFuture
    }
    return time
  }

  /// Returns true where it lasts at `now`.
  mutating func holds(at now: Timestamp) -> Bool {
    while begin(until: now) != nil {}
    return now < end
  }

  /// Returns true where it strikes at an opportunity at `now`.
  mutating func strikes(at now: Timestamp) -> Bool {
    if holds(at: now) { return true }
    if owed > 0 {
      owed -= 1
      return true
    }
    guard case .probability(let probability) = fault.occurrence else { return false }
    return noise.uniform() < probability
  }

  /// A whole number from 0 on below `limit`.
  mutating func number(below limit: Int) -> Int {
    min(Int(saturating: (noise.uniform() * Double(limit)).rounded(.towardZero)), limit - 1)
  }
}
