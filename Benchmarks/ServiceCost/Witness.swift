// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Otolith
internal import Synchronization

/// A record of what a program got, when, and what it was told of the rest. As a receiver it needs
/// nothing itself: it hears of losses and of sensors that fall silent.
final class Witness: MotionReceiver {
  private struct State: Sendable {
    var isMeasured = false
    var stamps: [Timestamp] = []
    var latencies: [Double] = []
    var missed = 0
    var failures = 0
    var isFailed = false
  }
  private let state = Mutex(State())

  let demand = SampleDemand.nothing
  let due = Timestamp.distantFuture

  func receive(_ sample: SourcedSample) {}
  func receive(_ motion: MotionSample) {}

  func missed(_ count: UInt64) {
    state.withLock { if $0.isMeasured { $0.missed += Int(count) } }
  }

  func chipsChanged(_ chips: [ChipState]) {
    let isFailed = chips.contains { if case .failed = $0 { true } else { false } }
    state.withLock { state in
      if isFailed, !state.isFailed { state.failures += 1 }
      state.isFailed = isFailed
    }
  }

  func begin() {
    state.withLock { state in
      state.isMeasured = true
      state.failures = 0
      // Nothing is allocated for ten minutes at 1 kHz.
      state.stamps.reserveCapacity(600_000)
      state.latencies.reserveCapacity(600_000)
    }
  }

  func take(_ stamp: Timestamp) {
    let now = Timestamp.now
    state.withLock { state in
      guard state.isMeasured else { return }
      state.stamps.append(stamp)
      state.latencies.append((now - stamp).seconds)
    }
  }

  /// Names and numbers. `period`: seconds between two items; `missing`: what the chips themselves
  /// lost.
  func report(period: Double, missing: Int) -> String {
    let state = state.withLock { $0 }
    let stamps = state.stamps
    guard let first = stamps.first, let last = stamps.last, last > first else { return "items 0" }
    let gaps = zip(stamps, stamps.dropFirst()).map { ($1 - $0).seconds }
    let disordered = gaps.count { $0 <= 0 }
    // Each failure was told, and explains one gap: the longest. In the others there are as many
    // periods as items: an edge whose stamp is late makes one gap longer and the next one shorter.
    let others = gaps.sorted().dropLast(state.failures)
    let periods = Int((others.reduce(0, +) / period).rounded(.down))
    let holes = max(0, periods - others.count)
    let unreported = max(0, holes - state.missed - missing)
    let sorted = state.latencies.sorted()
    func latency(_ part: Double) -> Double { sorted[Int(Double(sorted.count - 1) * part)] * 1e6 }
    let rate = Double(stamps.count - 1) / (last - first).seconds
    return "items \(stamps.count) rate \(rate) holes \(holes) missed \(state.missed) "
      + "chips \(missing) failures \(state.failures) unreported \(unreported) "
      + "disordered \(disordered) p50 \(latency(0.5)) p99 \(latency(0.99))"
  }
}
