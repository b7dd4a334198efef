// SPDX-License-Identifier: Apache-2.0
import MotionServer
import Otolith
import Service
import Synchronization

/// Counts movement for the programs of a service, and keeps the history, while any of them wants
/// it.
final class MovementServing: Sendable {
  private let desk: MovementDesk
  private let token = Mutex<MovementCount?>(nil)

  init(_ hub: MotionHub) { desk = MovementDesk(hub) }

  /// The service that the server is given.
  var service: MovementService {
    MovementService(
      count: { self.count($0) },
      answer: { [desk] question in desk.answer(question) })
  }

  private func count(_ isWanted: Bool) {
    let old = token.withLock { token in
      // Without a thread or a descriptor left programs see that nothing counts.
      defer { token = isWanted ? try? desk.count() : nil }
      return token
    }
    old?.stop()
  }

  /// Everything is kept, and the board let go, when this returns.
  func end() {
    count(false)
    desk.finish()
  }
}
