// SPDX-License-Identifier: Apache-2.0
internal import Simulation
internal import Boards
internal import LinuxSystem
internal import Quantities
internal import Runtime

/// The machine's clock, on which transfers of a simulated bus take as long as on a real bus.
/// Otherwise more transfers would be counted than a bus can carry. Real buses do not use it.
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
