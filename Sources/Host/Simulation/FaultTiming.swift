// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The times at which one fault occurs. The same seed always gives the same times.
struct FaultTiming {
  let fault: Fault
  /// The time of the fault's next start; `nil` if the fault never starts again.
  private var start: Timestamp?
  private var end: Timestamp
  /// The number of pending occurrences, at most one, of a fault without a duration. Such a fault
  /// affects only the next event.
  private var remaining = 0
  private var noise: Noise

  /// Creates the times of a fault relative to `origin`.
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

  /// Returns the next start of the fault if it is not after `now`, and advances to the start after
  /// that; otherwise `nil`.
  mutating func begin(until now: Timestamp) -> Timestamp? {
    guard let time = start, time <= now else { return nil }
    if case .every(let span) = fault.occurrence { start = time + span } else { start = nil }
    if let duration = fault.duration {
      if duration > .zero { end = time + duration } else { remaining = 1 }
    } else {
      end = .distantFuture
    }
    return time
  }

  /// Returns true if the fault is active at `now`.
  mutating func holds(at now: Timestamp) -> Bool {
    while begin(until: now) != nil {}
    return now < end
  }

  /// Returns true if the fault affects an event at `now`.
  mutating func strikes(at now: Timestamp) -> Bool {
    if holds(at: now) { return true }
    if remaining > 0 {
      remaining -= 1
      return true
    }
    guard case .probability(let probability) = fault.occurrence else { return false }
    return noise.uniform() < probability
  }

  /// Returns a reproducible random whole number in 0..<limit.
  mutating func number(below limit: Int) -> Int {
    min(Int(saturating: (noise.uniform() * Double(limit)).rounded(.towardZero)), limit - 1)
  }
}
