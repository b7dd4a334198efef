// SPDX-License-Identifier: Apache-2.0
import Quantities
import Sensors
import Testing

/// Times against the truth of a chip whose oscillator is off.
@Suite struct SampleClockTests {
  @Test(
    "Polled every 7 to 20 ms, a chip 2 % off: within 5 % of a period after 500 looks",
    arguments: [(0.02, 10.0), (-0.02, 10), (0.02, 20), (0.0, 20), (-0.013, 7.3)])
  func polled(error: Double, interval: Double) {
    var clock = SampleClock(rate: 1000)
    let period = 1e6 / (1 + error)
    var generator = Generator()
    var now = 1e9
    var taken: Int64 = 0
    var last: Timestamp?
    var worst = 0.0
    var looks = 0
    while now < 31e9 {
      looks += 1
      // A thread wakes a little late, and never early; drivers keep their looks out of step with the chip.
      now += interval * 1e6 - 0.382 * Double(clock.measuredPeriod.nanoseconds)
      now += 2e5 * generator.next()
      let count = Int64((now - 1e9) / period) - taken
      guard count > 0 else { continue }
      taken += count
      let latest = Timestamp(nanoseconds: Int64(now))
      let (newest, spacing) = clock.observe(
        count, after: latest - clock.longestPeriod, notAfter: latest)
      let truth = 1e9 + Double(taken) * period
      if looks > 500 { worst = max(worst, abs(Double(newest.nanoseconds) - truth) / period) }
      if let last {
        #expect(newest > last)
        #expect(spacing.nanoseconds > 0)
      }
      last = newest
    }
    #expect(worst < 0.05)
  }

  @Test("Edges are believed")
  func edges() {
    var clock = SampleClock(rate: 100)
    for k in Int64(1)...1000 {
      let edge = Timestamp(nanoseconds: k * 10_100_000)
      let (newest, _) = clock.observe(1, after: edge - .microseconds(1), notAfter: edge)
      #expect((edge - newest).nanoseconds <= 1000)
    }
    #expect(abs(clock.measuredPeriod.nanoseconds - 10_100_000) < 2000)
  }

  @Test("Samples are counted through a gap")
  func gap() {
    var clock = SampleClock(rate: 1000)
    for k in Int64(1)...2000 {
      let edge = Timestamp(nanoseconds: k * 1_010_000)
      _ = clock.observe(1, after: edge - .microseconds(1), notAfter: edge)
    }
    #expect(clock.samplesElapsed(at: Timestamp(nanoseconds: 2500 * 1_010_000)) == 500)
  }
}

/// Numbers between 0 and 1 that repeat themselves.
private struct Generator {
  private var state: UInt64 = 0x2545_F491_4F6C_DD1D

  mutating func next() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Double(state >> 11) / 9_007_199_254_740_992
  }
}
