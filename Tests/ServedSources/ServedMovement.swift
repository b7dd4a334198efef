// SPDX-License-Identifier: Apache-2.0
public import MotionServer
public import Otolith
internal import Service
internal import Synchronization

extension MovementService {
  /// Counts what `hub` hears, as `otolith service` does.
  public init(_ hub: MotionHub) {
    let count = Mutex<MovementCount?>(nil)
    self.init { isWanted in
      let old = count.withLock { count in
        defer { count = isWanted ? try? MovementDesk(hub).count() : nil }
        return count
      }
      old?.stop()
    } answer: { question in
      MovementDesk(hub).answer(question)
    }
  }
}
