// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities
internal import Redundancy

/// Each fault on each chip at random moments, by fault and number of chips.
enum FaultReport {
  private struct Sum {
    var runs = 0.0
    var named = 0.0
    /// Runs in which a chip without a fault was left out for more than a second.
    var wronged = 0.0
    /// Runs whose error exceeds that of the best, and of the worst, healthy chip by 0.3 degrees.
    var beyondBest = 0.0
    var beyondWorst = 0.0
    /// Runs whose error exceeds that of the same board without the fault by 0.3 degrees.
    var beyondSame = 0.0
    var excess: [Double] = []
    var gap = 0.0
    var gapsBeyond = 0.0
    var delays: [Double] = []

    mutating func add(_ other: Sum) {
      runs += other.runs
      named += other.named
      wronged += other.wronged
      beyondBest += other.beyondBest
      beyondWorst += other.beyondWorst
      beyondSame += other.beyondSame
      excess += other.excess
      gap = max(gap, other.gap)
      gapsBeyond += other.gapsBeyond
      delays += other.delays
    }
  }

  static func print(runs: Int, seed: UInt64, only: Fault?, run chosen: (chips: Int, run: Int)?) {
    var tracks: [Track] = []
    for kind in Track.Kind.allCases where kind != .still && kind != .table {
      for k in 0..<4 { tracks.append(Track(kind, seed: seed &* 100 &+ UInt64(k))) }
    }
    Swift.print(
      "fault chips runs named% wronged% >best+.3% >worst+.3% >same+.3% excess95 gap/interval gaps>2% delay50 delay95"
    )
    var all: [Int: Sum] = [:]
    for fault in Fault.allCases where only == nil || fault == only {
      for number in [2, 3, 4] where chosen == nil || number == chosen?.chips {
        var sum = Sum()
        for run in 0..<runs where chosen == nil || run == chosen?.run {
          var draws = Draws(
            seed: seed &* 1_000_003 &+ UInt64(run) &* 64 &+ UInt64(number)
              &+ UInt64(Fault.allCases.firstIndex(of: fault) ?? 0) &* 7919)
          add(fault, number, tracks[draws.index(below: tracks.count)], &draws, to: &sum, run: run)
        }
        line(fault.rawValue, number, sum)
        all[number, default: Sum()].add(sum)
      }
    }
    for number in [2, 3, 4] { if let sum = all[number] { line("all", number, sum) } }
  }

  private static func add(
    _ fault: Fault, _ number: Int, _ track: Track, _ draws: inout Draws, to sum: inout Sum, run: Int
  ) {
    var run1 = Run(
      track: track, chips: RedundancyWorlds.chips(number, on: track, &draws))
    let sick = run % number
    let start = draws.uniform(4.5, 12)
    let same = run1
    run1.chips[sick].fault = fault
    run1.chips[sick].faultTime = start
    let outcome = run1.outcome(of: run1.readings(), fault: sick, from: start)
    let whole = same.outcome(of: same.readings(), fault: nil, from: start, hasSingles: false)
    let healthy = outcome.singles.indices.filter { $0 != sick }.map { outcome.singles[$0] }
    sum.runs += 1
    if outcome.isNamed {
      sum.named += 1
      sum.delays.append(outcome.delay)
    }
    let wronged = outcome.leftOut.indices.contains { $0 != sick && outcome.leftOut[$0] > 1 }
    if wronged { sum.wronged += 1 }
    let best = healthy.min() ?? 0
    let worst = healthy.max() ?? 0
    if outcome.virtual > best + 0.3 { sum.beyondBest += 1 }
    if outcome.virtual > worst + 0.3 { sum.beyondWorst += 1 }
    if outcome.virtual > whole.virtual + 0.3 { sum.beyondSame += 1 }
    sum.excess.append(outcome.virtual - best)
    let longest = run1.chips.map(\.interval).max() ?? 1
    sum.gap = max(sum.gap, outcome.gap / longest)
    if outcome.gap > 2.001 * longest { sum.gapsBeyond += 1 }
    if ProcessInfo.processInfo.environment["VERBOSE"] != nil,
      !outcome.isNamed || wronged || outcome.virtual > worst + 0.3 || outcome.gap > 2.001 * longest
    {
      Swift.print(
        fault.rawValue, number, run, track.kind, "sick", sick,
        run1.chips.map { "\($0.sheet.name)@\(Int($0.rate))" },
        "at", text(start), "named", outcome.isNamed, text(outcome.delay), "out",
        outcome.leftOut.map { text($0) }, "error", text(outcome.virtual), "same",
        text(whole.virtual), "singles", outcome.singles.map { text($0) })
    }
  }

  private static func line(_ name: String, _ number: Int, _ sum: Sum) {
    func percent(_ count: Double) -> String { text(100 * count / max(sum.runs, 1)) }
    func quantile(_ values: [Double], _ share: Double) -> Double {
      let sorted = values.sorted()
      return sorted.isEmpty
        ? .nan : sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
    }
    Swift.print(
      name, number, Int(sum.runs), percent(sum.named), percent(sum.wronged),
      percent(sum.beyondBest), percent(sum.beyondWorst), percent(sum.beyondSame),
      text(quantile(sum.excess, 0.95)),
      text(sum.gap), percent(sum.gapsBeyond), text(quantile(sum.delays, 0.5), 3),
      text(quantile(sum.delays, 0.95), 3))
  }
}
