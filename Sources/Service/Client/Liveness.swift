// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Tells a service that has nothing to say from one that hangs: after a silence it is asked for a
/// word, and given a moment for it. Two seconds in all.
struct Liveness {
  enum Step: Equatable {
    /// Nothing to do until then.
    case wait(until: Timestamp)
    case ask
    case lost
  }
  private static let silence = TimeSpan.milliseconds(700)
  private static let patience = TimeSpan.milliseconds(1200)
  /// The time at which it last gave a sign of life.
  private var heard: Timestamp
  private var asked: Timestamp?

  init(at now: Timestamp) { heard = now }

  /// It has given a sign of life, or nothing is expected of it.
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
