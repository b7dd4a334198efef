// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A check that distinguishes an idle service from a service that hangs. If nothing arrives, the
/// client sends a request and waits for the answer; both timeouts together are about two seconds.
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
  private var lastSign: Timestamp
  private var asked: Timestamp?

  init(at now: Timestamp) { lastSign = now }

  /// Restarts the timeout, because data have arrived from the service, or because no data are
  /// expected.
  mutating func noteSign(at now: Timestamp) {
    lastSign = now
    asked = nil
  }

  mutating func step(at now: Timestamp) -> Step {
    if let asked {
      return now < asked + Self.timeout ? .wait(until: asked + Self.timeout) : .lost
    }
    guard now >= lastSign + Self.silence else { return .wait(until: lastSign + Self.silence) }
    asked = now
    return .ask
  }
}
