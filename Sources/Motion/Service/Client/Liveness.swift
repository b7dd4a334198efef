// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Distinguishes an idle service from one that hangs. If nothing arrives, the client sends a
/// request and waits for the answer; both timeouts together are two seconds.
struct Liveness {
  enum Step: Equatable {
    /// The service needs no check before this time.
    case wait(until: Timestamp)
    case ask
    case lost
  }
  private static let silence = TimeSpan.milliseconds(700)
  private static let timeout = TimeSpan.milliseconds(1200)
  /// The time when data from the service last arrived.
  private var heard: Timestamp
  private var asked: Timestamp?

  init(at now: Timestamp) { heard = now }

  /// Restarts the timeout, because data have arrived from the service, or because none are
  /// expected.
  mutating func hear(at now: Timestamp) {
    heard = now
    asked = nil
  }

  mutating func step(at now: Timestamp) -> Step {
    if let asked {
      return now < asked + Self.timeout ? .wait(until: asked + Self.timeout) : .lost
    }
    guard now >= heard + Self.silence else { return .wait(until: heard + Self.silence) }
    asked = now
    return .ask
  }
}
