// SPDX-License-Identifier: Apache-2.0
package import Quantities
internal import Registers

// Queues whose line rises when they hold a watermark of samples: whether it is wired, which no chip
// can tell, and when to come.
extension RegisterDriver where Bus: ~Copyable {
  /// Learns from a look that found `waiting` samples whether the line is wired, of which `isWired`
  /// was known, and counts its silences.
  package mutating func noteLine(
    _ isWired: Bool?, _ event: Event, waiting: Int, watermark: Int
  ) -> Bool? {
    if event.edges > 0 { return true }
    // By now it should have risen.
    guard waiting >= watermark + 2 else { return isWired }
    if isWired == true { counters.missedInterrupts &+= 1 }
    return isWired ?? false
  }

  /// Returns the time of the next look at a queue that may wait for `interval`. Where its line is
  /// wired, a look just before it rises would keep it from rising, ever again.
  package func queueWake(_ isWired: Bool?, watermark: Int, interval: TimeSpan) -> Wake {
    if remaining > 0 { return .after(.zero) }
    let period = clock.measuredPeriod
    let fill = max(interval, period * Int64(watermark))
    let now = self.now
    guard isWired == false else { return .onInterrupt(until: now + (fill + fill / 8 + period * 2)) }
    let look = clock.look(after: now + (fill - period / 2), latency: lookSpan / 2)
    // What was lost is counted by time, which is sure between two samples.
    return .onInterrupt(until: look.map { $0 + (hasGap ? period / 2 : .zero) } ?? now + fill)
  }
}
