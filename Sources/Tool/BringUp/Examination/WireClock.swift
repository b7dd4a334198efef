// SPDX-License-Identifier: Apache-2.0
internal import Simulation
internal import Boards
internal import LinuxSystem
internal import Quantities
internal import Runtime

/// The machine's clock, with the transfers of a simulated bus taking as long as on a real one: a
/// model's instant responses would otherwise count as more transfers than a bus can do. Transfers
/// on a real bus do not use it.
final class WireClock: SimulationClock {
  /// The time at which the bus is free again.
  private var free = Timestamp.zero

  var now: Timestamp { monotonicNow() }

  func spend(_ span: TimeSpan) {
    let present = monotonicNow()
    free = max(free, present) + span
    // A short sleep takes longer than requested, so several transfers are waited for together.
    guard free - present > .milliseconds(2) else { return }
    var waiter = Poller()
    _ = try? waiter.wait(until: free)
  }
}
