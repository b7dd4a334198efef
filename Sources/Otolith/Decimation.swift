// SPDX-License-Identifier: Apache-2.0

/// Thinning by time: an item is taken when the interval since the last one taken is over to within
/// half of the sensor's own period, so that a request for a tenth of the rate gets each tenth item.
/// An interval of zero or less, or not a number, takes all; so does one that is the sensor's own to
/// within 2 %, the usual error of chips' clocks: a request for 100 Hz from a chip that gives 100.9
/// gets each sample, and not one less in a second.
package struct Decimation: Sendable {
  /// Seconds between two items.
  package var interval: Double {
    didSet {
      // Programs set in their handler what is set already.
      if interval != oldValue { nextDue = -.infinity }
    }
  }
  private var nextDue = -Double.infinity
  private var lastTime = -Double.infinity
  /// The sensor's own, seconds; 0 before the second item.
  private var period = 0.0
  /// The count of intervals that it is the mean of.
  private var seen = 1.0

  package init(interval: Double) { self.interval = interval }

  /// Forgets the time of the last item.
  package mutating func restart() { self = Decimation(interval: interval) }

  /// Returns true where the item of this time, in seconds, is to be taken. One that is not newer
  /// than the last one examined is not.
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
    // From the plan, not from the item, or the rate would drift; after a gap from the item.
    nextDue = nextDue + step > time ? nextDue + step : time + step
    return true
  }

  /// Before this time no item is taken, in seconds; long ago where the next may be. A quarter of a
  /// period earlier than `takes` says, for what that learns with the item itself.
  package var due: Double {
    // What the period is has to be known well enough.
    guard seen >= 8, interval > 1.02 * period else { return -.infinity }
    return nextDue - 0.75 * period
  }

  /// Learns the interval as the mean of those seen, and later slowly on: a time stamp that is
  /// corrected, or a gap, is no other rate.
  private mutating func learn(_ interval: Double) {
    guard period > 0 else { return period = interval }
    seen = min(seen + 1, 64)
    period += (min(max(interval, period / 2), 2 * period) - period) / seen
  }
}
