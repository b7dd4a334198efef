// SPDX-License-Identifier: Apache-2.0
import Quantities
import Redundancy
import Testing

struct LeadTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    var rates: [Scalar]
    var batches: [Int]
    var lead: Int
    var testDescription: String { "\(rates) Hz, \(batches) together" }
  }

  /// Worked out by hand from the longest time to arrival, an interval and a batch: 12 and 12.5 ms,
  /// 12.5 and 12 ms, 12 and 20 ms, 51 and 5 ms, 2 and 5 ms.
  static let pairs: [Pair] = [
    Pair(rates: [500, 400], batches: [5, 4], lead: 0),
    Pair(rates: [400, 500], batches: [4, 5], lead: 1),
    Pair(rates: [500, 400], batches: [5, 7], lead: 0),
    Pair(rates: [1000, 200], batches: [50, 1], lead: 1),
    Pair(rates: [200, 500], batches: [1, 1], lead: 1),
  ]

  @Test(arguments: pairs)
  func `the fastest of those that arrive about equally soon leads`(pair: Pair) {
    var bench = GroupBench(
      members: zip(pair.rates, pair.batches).enumerated().map { index, row in
        SimulatedMember(
          rate: row.0, phase: 0.37 * Scalar(index), noise: 0.1 * degree, batch: row.1)
      })
    var group = bench.group()
    var (count, led) = (0, 0)
    bench.run(&group, seconds: 6) { combined, group in
      guard combined.time.seconds > 1 else { return }
      count += 1
      if group.leadingMember == pair.lead { led += 1 }
    }
    #expect(count > 900)
    #expect(led > count * 95 / 100, "\(led) of \(count)")
  }

  /// Before anything is known of how late samples usually are.
  @Test(
    arguments: [[1660, 1600], [400, 500], [1000, 200]] as [[Scalar]], [0.01, 0.05] as [Scalar])
  func `sensors that are read in batches are not called slow`(rates: [Scalar], span: Scalar) {
    var bench = GroupBench(
      members: rates.enumerated().map { index, rate in
        SimulatedMember(
          rate: rate, phase: 0.37 * Scalar(index), noise: 0.1 * degree,
          batch: Int((span * rate).rounded()))
      })
    var group = bench.group()
    var called: Set<SensorCondition.State> = []
    bench.run(&group, seconds: 3) { _, group in
      for member in 0..<2 { called.insert(group.condition(of: member).worst) }
    }
    #expect(called == [.good])
  }
}
