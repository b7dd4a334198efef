// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A clock of time stamps that is not CLOCK_MONOTONIC: that of a sensor hub, which begins at any
/// time, or CLOCK_REALTIME if the process may not choose the kernel's clock.
///
/// A sample arrives after it was taken, so the smallest difference between arrival and time stamp
/// is the best estimate of the difference between the clocks. It may grow slowly, since the hub's
/// oscillator drifts.
package struct ForeignClock: Equatable, Sendable {
  /// The largest drift of a hub's oscillator that is followed, 200 ppm.
  private static var drift: Int64 { 5_000 }
  private var difference: Int64?
  private var newest: Int64 = 0

  package init() {}

  /// Returns the time on CLOCK_MONOTONIC of the time stamp `stamp` in ns, which arrived at
  /// `arrival`. Returned times increase as the time stamps do.
  package mutating func time(of stamp: Int64, arrivingAt arrival: Timestamp) -> Timestamp {
    let observed = arrival.nanoseconds &- stamp
    if let known = difference, stamp > newest {
      let elapsed = stamp &- newest
      let grown = known &+ elapsed / Self.drift
      difference = min(observed, grown)
    } else if difference == nil || stamp <= newest {
      // The clock was set back, or the hub restarted.
      difference = observed
    }
    newest = stamp
    return Timestamp(nanoseconds: stamp &+ (difference ?? observed))
  }
}
