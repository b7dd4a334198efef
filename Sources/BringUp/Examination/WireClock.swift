// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import LinuxBus
internal import Quantities
internal import Runtime

/// The machine's clock, on which a transfer of a simulated bus takes as long as its bits take on a
/// wire: what a model answers at once would be counted as transfers that no bus can make. A real
/// bus spends nothing of it.
final class WireClock: SimulationClock {
  /// The moment at which the bus is free again.
  private var free = Timestamp.zero

  var now: Timestamp { monotonicNow() }

  func spend(_ span: TimeSpan) {
    let present = monotonicNow()
    free = max(free, present) + span
    // A short sleep takes longer than it is asked to: several transfers are waited for at once.
    guard free - present > .milliseconds(2) else { return }
    var waiter = Waiter()
    _ = try? waiter.wait(until: free)
  }
}
