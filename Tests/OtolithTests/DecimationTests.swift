// SPDX-License-Identifier: Apache-2.0
import Otolith
import Testing

/// The items of a stream that are selected.
@Suite struct DecimationTests {
  /// Returns how many of `count` items at `rate` are selected, and the longest time between two.
  private func run(
    _ rate: Double, every interval: Double, _ count: Int = 10_000,
    shift: (Int) -> Double = { _ in 0 }
  ) -> (taken: Int, longest: Double) {
    var decimation = Decimation(interval: interval)
    var last: Double?
    var longest = 0.0
    var taken = 0
    for index in 0..<count {
      let time = 100 + Double(index) / rate + shift(index)
      guard decimation.takes(time) else { continue }
      taken += 1
      if let last { longest = max(longest, time - last) }
      last = time
    }
    return (taken, longest)
  }

  /// A request for the sensor's own rate gets every sample, whatever its clock error, and although
  /// time stamps jitter or are corrected by some milliseconds.
  @Test(arguments: [98.5, 100, 100.9, 101.5])
  func `a request for the sensor's own rate gets every sample`(rate: Double) {
    #expect(run(rate, every: 0.01).taken == 10_000)
    #expect(run(rate, every: 0.01, shift: { $0 % 2 == 0 ? 0.0005 : -0.0005 }).taken == 10_000)
    // A clock error of 1 percent leaves room for that too.
    guard rate < 101 else { return }
    #expect(run(rate, every: 0.01, shift: { $0 < 5000 ? 0.007 : 0 }).taken == 10_000)
  }

  @Test(arguments: [0, -1, .nan, 0.0001])
  func `an invalid interval takes every sample`(interval: Double) {
    #expect(run(100, every: interval).taken == 10_000)
  }

  /// Every tenth item is selected; if rates are not multiples, the requested rate is kept.
  @Test func `a slower request gets the rate asked for`() {
    let tenth = run(1000, every: 0.01)
    #expect(tenth.taken == 1000 && abs(tenth.longest - 0.01) < 1e-9)
    #expect(run(1000, every: 0.1).taken == 100)
    // 9.999 s contain 300 intervals of 1/30 s.
    #expect(run(1000, every: 1 / 30.0).taken == 300)
    #expect((961...962).contains(run(104, every: 0.01, 1000).taken))
  }

  /// After a gap no additional items are selected, and a changed rate is measured.
  @Test func `a gap is not made up for, and another rate is learned`() {
    var decimation = Decimation(interval: 0.05)
    var taken: [Int] = []
    for index in 0..<100
    where decimation.takes(index < 50 ? Double(index) / 100 : 10 + Double(index) / 100) {
      taken.append(index)
    }
    #expect(taken.count == 20)
    var changing = Decimation(interval: 0.02)
    var count = 0
    for index in 0..<1000 where changing.takes(Double(index) / 1000) { count += 1 }
    #expect(count == 50)
    // From then on the sensor is as slow as requested, so all items are selected.
    for index in 0..<100 where changing.takes(1 + Double(index) / 50) { count += 1 }
    #expect(count == 150)
  }

  @Test func `a sample at a time that does not pass is not taken`() {
    var decimation = Decimation(interval: 0)
    #expect([5, 5, 4, 5.001].map { decimation.takes($0) } == [true, false, false, true])
    decimation.restart()
    let again = decimation.takes(1)
    #expect(again)
  }
}
