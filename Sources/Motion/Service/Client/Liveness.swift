// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Distinguishes an idle service from one that hangs: after a silence the client sends a request
/// and waits for an answer. The timeouts are two seconds in all.
struct Liveness {
  enum Step: Equatable {
    /// Nothing to do until then.
    case wait(until: Timestamp)
    case ask
    case lost
  }
  private static let silence = TimeSpan.milliseconds(700)
  private static let patience = TimeSpan.milliseconds(1200)
  /// The time of the last sign of activity.
  private var heard: Timestamp
  private var asked: Timestamp?

  init(at now: Timestamp) { heard = now }

  /// Restarts the silence: the service was active, or nothing is expected from it.
  mutating func hear(at now: Timestamp) {
    heard = now
    asked = nil
  }

  mutating func step(at now: Timestamp) -> Step {
    if let asked {
      return now < asked + Self.patience ? .wait(until: asked + Self.patience) : .lost
    }
    guard now >= heard + Self.silence else { return .wait(until: heard + Self.silence) }
    asked = now
    return .ask
  }
}
