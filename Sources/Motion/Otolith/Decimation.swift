// SPDX-License-Identifier: Apache-2.0

/// Selects items by time. An item is selected once the time since the last selected item is within
/// half a sensor period of the interval. With an interval of ten periods, for example, every tenth
/// item is selected. An interval of zero or less, or NaN, selects all items. So does an interval
/// within 2 percent of the sensor's own interval, because this is the usual error of chip clocks.
package struct Decimation: Sendable {
  /// The requested time between two items in seconds.
  package var interval: Double {
    didSet {
      // Do not restart if a program sets the interval to its current value, for instance in its
      // handler.
      if interval != oldValue { nextDue = -.infinity }
    }
  }
  private var nextDue = -Double.infinity
  private var lastTime = -Double.infinity
  /// The sensor's mean interval in seconds; 0 before the second item.
  private var period = 0.0
  /// The number of intervals from which `period` is averaged.
  private var seen = 1.0

  package init(interval: Double) { self.interval = interval }

  /// Clears the time of the last item and the learned interval.
  package mutating func restart() { self = Decimation(interval: interval) }

  /// Returns true if the item with this time stamp, in seconds, is selected. An item that is not
  /// newer than the previous one is never selected.
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
    // Step from the due time and not from the time of the item, so that the rate does not drift.
    // After a gap, step from the time of the item.
    nextDue = nextDue + step > time ? nextDue + step : time + step
    return true
  }

  /// The time in seconds before which no item will be selected; -infinity if the next item may be
  /// selected. It is a quarter of a period earlier than in `takes`, because the item itself changes
  /// the measured period.
  package var due: Double {
    // The sensor's period is known well enough only after eight intervals.
    guard seen >= 8, interval > 1.02 * period else { return -.infinity }
    return nextDue - 0.75 * period
  }

  /// Updates the sensor's period: at first the mean of all intervals, later a slow average, so that
  /// a corrected time stamp or a gap does not count as a change of rate.
  private mutating func learn(_ interval: Double) {
    guard period > 0 else { return period = interval }
    seen = min(seen + 1, 64)
    period += (min(max(interval, period / 2), 2 * period) - period) / seen
  }
}
