// SPDX-License-Identifier: Apache-2.0
import Quantities
import Simulation
import Boards

/// A clock that shows whole microseconds, as a microcontroller's does, whatever the time behind it.
final class MicrosecondClock: SimulationClock {
  let exact = VirtualClock()

  var now: Timestamp {
    Timestamp(nanoseconds: exact.now.nanoseconds / 1000 * 1000)
  }

  func spend(_ span: TimeSpan) { exact.spend(span) }

  /// Until this clock shows `time` or more.
  func advance(to time: Timestamp) {
    exact.advance(to: Timestamp(nanoseconds: (time.nanoseconds + 999) / 1000 * 1000))
  }
}
