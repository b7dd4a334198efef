// SPDX-License-Identifier: Apache-2.0
internal import Simulation
internal import Boards
internal import LinuxSystem
internal import Quantities
internal import Runtime

/// The machine's clock for a simulated bus, on which transfers take as long as on a real bus. With
/// an ordinary clock the bus would carry more transfers than a real bus can. Real buses do not use
/// this clock.
final class WireClock: SimulationClock {
  /// The time when the simulated bus is free again.
  private var free = Timestamp.zero

  var now: Timestamp { monotonicNow() }

  func spend(_ span: TimeSpan) {
    let present = monotonicNow()
    free = max(free, present) + span
    // A short sleep takes longer than requested, so wait only once several transfers have added up
    // to 2 ms.
    guard free - present > .milliseconds(2) else { return }
    var poller = Poller()
    _ = try? poller.wait(until: free)
  }
}
