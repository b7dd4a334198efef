// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities
internal import Redundancy

/// The attitude of the virtual sensor and that of each chip, without faults.
enum WorldReport {
  static func print(runs: Int, seed: UInt64) {
    Swift.print("world chips: rms of virtual, best chip on average, ratio; left out s; longest gap")
    var (ratios, count) = (0.0, 0.0)
    for kind in Track.Kind.allCases where kind != .table {
      for number in [2, 3, 4] {
        var outcomes: [(chips: [String], outcome: Run.Outcome, slowest: Double)] = []
        for run in 0..<runs {
          let track = Track(kind, seed: seed &* 1000 &+ UInt64(run % 4))
          var draws = Draws(seed: seed &* 31 &+ UInt64(run) &* 8 &+ UInt64(number))
          let board = Run(track: track, chips: RedundancyWorlds.chips(number, on: track, &draws))
          outcomes.append(
            (
              board.chips.map(\.sheet.name),
              board.outcome(of: board.readings(), fault: nil, from: 2.5),
              board.chips.map(\.interval).max() ?? 1
            ))
        }
        // An owner can know which part of a board is the best in a world, but not which chip is the
        // best in one run.
        var sums: [String: (Double, Double)] = [:]
        for (chips, outcome, _) in outcomes {
          for (chip, rms) in zip(chips, outcome.singlesRMS) {
            let sum = sums[chip] ?? (0, 0)
            sums[chip] = (sum.0 + rms, sum.1 + 1)
          }
        }
        let means = sums.mapValues { $0.0 / $0.1 }
        var (virtual, best, luckiest, out, gap) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (chips, outcome, slowest) in outcomes {
          virtual += outcome.virtualRMS / Double(runs)
          let index = chips.indices.min {
            means[chips[$0], default: 0] < means[chips[$1], default: 0]
          }
          best += outcome.singlesRMS[index ?? 0] / Double(runs)
          luckiest += (outcome.singlesRMS.min() ?? 0) / Double(runs)
          out = max(out, outcome.leftOut.max() ?? 0)
          gap = max(gap, outcome.gap / slowest)
        }
        ratios += virtual / best
        count += 1
        Swift.print(
          kind.rawValue, number, text(virtual, 3), text(best, 3), text(virtual / best),
          "luckiest chip", text(luckiest, 3), "out", text(out), "gap", text(gap))
      }
    }
    Swift.print("mean ratio", text(ratios / count))
  }
}
