// SPDX-License-Identifier: Apache-2.0
import Quantities
import Simulation
import Boards

/// A clock in whole microseconds, like a microcontroller's.
final class MicrosecondClock: SimulationClock {
  let exact = VirtualClock()

  var now: Timestamp {
    Timestamp(nanoseconds: exact.now.nanoseconds / 1000 * 1000)
  }

  func spend(_ span: TimeSpan) { exact.spend(span) }

  /// Advances until this clock shows `time` or more.
  func advance(to time: Timestamp) {
    exact.advance(to: Timestamp(nanoseconds: (time.nanoseconds + 999) / 1000 * 1000))
  }
}
