// SPDX-License-Identifier: Apache-2.0

/// Thinning by time: an item is taken when the interval since the last one taken is over to within half of the sensor's own
/// period, so that a request for a tenth of the rate gets each tenth item. An interval of zero or less, or not a number,
/// takes all.
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
  private var period = 0.0

  package init(interval: Double) { self.interval = interval }

  /// Forgets when the last item was.
  package mutating func restart() { self = Decimation(interval: interval) }

  /// Whether the item of this time, in seconds, is to be taken. One that is not newer than the last looked at is not.
  package mutating func takes(_ time: Double) -> Bool {
    guard time > lastTime else { return false }
    if lastTime > -.infinity { period = time - lastTime }
    lastTime = time
    guard time + period / 2 >= nextDue else { return false }
    let step = interval > 0 ? interval : 0
    // From the plan, not from the item, or the rate would drift; after a gap from the item.
    nextDue = nextDue + step > time ? nextDue + step : time + step
    return true
  }
}
