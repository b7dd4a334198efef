// SPDX-License-Identifier: Apache-2.0

/// Decimation by time: an item is selected when the time since the last selected one reaches the
/// interval to within half of the sensor's own period, so that a request for a tenth of the rate
/// gets every tenth item. An interval of zero or less, or NaN, selects all items; so does one
/// within 2 % of the sensor's own interval, the usual error of chips' clocks: a request for 100 Hz
/// from a chip with 100.9 Hz gets every sample instead of one fewer per second.
package struct Decimation: Sendable {
  /// The seconds between two items.
  package var interval: Double {
    didSet {
      // Programs may set the current value again in their handler; that must not restart.
      if interval != oldValue { nextDue = -.infinity }
    }
  }
  private var nextDue = -Double.infinity
  private var lastTime = -Double.infinity
  /// The sensor's own interval in seconds; 0 before the second item.
  private var period = 0.0
  /// The number of intervals averaged in `period`.
  private var seen = 1.0

  package init(interval: Double) { self.interval = interval }

  /// Clears the time of the last item and the learned interval.
  package mutating func restart() { self = Decimation(interval: interval) }

  /// Returns true if the item with this time in seconds is selected. An item not newer than the
  /// previous one is not.
  package mutating func takes(_ time: Double) -> Bool {
    guard time > lastTime else { return false }
    if lastTime > -.infinity { learn(time - lastTime) }
    lastTime = time
    let step = interval > 0 ? interval : 0
    guard step > 1.02 * period else {
      nextDue = time + step
      return true
    }
    guard time + period / 2 >= nextDue else { return false }
    // Relative to the schedule, not to the item, so that the rate does not drift; after a gap,
    // relative to the item.
    nextDue = nextDue + step > time ? nextDue + step : time + step
    return true
  }

  /// The time in seconds before which no item will be selected; -infinity if the next one may be.
  /// It is a quarter of a period earlier than in `takes`, because the item itself changes the
  /// learned period.
  package var due: Double {
    // The period must be known well enough.
    guard seen >= 8, interval > 1.02 * period else { return -.infinity }
    return nextDue - 0.75 * period
  }

  /// Learns the period as the mean of the intervals, and later as a slow average: a corrected time
  /// stamp, or a gap, is not a change of rate.
  private mutating func learn(_ interval: Double) {
    guard period > 0 else { return period = interval }
    seen = min(seen + 1, 64)
    period += (min(max(interval, period / 2), 2 * period) - period) / seen
  }
}
