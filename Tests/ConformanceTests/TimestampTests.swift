// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Sensors
import Testing

/// Whether the times of samples are when they were taken.
@Suite struct TimestampTests {
  /// By a clock that is 2 % off either way: times run forwards and, once the rate is learned, lie within 5 % of a period of
  /// the truth; nothing is lost meanwhile.
  @Test(arguments: Way.distinct, [-0.02, 0.02]) func `timestamps are those of the true times`(
    _ way: Way, _ clockError: Double
  )
    throws
  {
    let all = way.row.description.rates
    // Of a slow chip the fastest.
    let rates = all.filter { $0 >= min(20, all[0]) }
    // Two of the rates that a reader of its kind can follow: each sample alone costs two transfers.
    let limit = way.acquisition == .fifo ? 10_000.0 : 500
    for rate in [rates.first { $0 <= limit }, rates.last].compactMap({ $0 }) {
      let rig = Rig(way.row, clockError: clockError)
      var settings = way.settings(rate: rate)
      if way.power == .low, (try? rig.driver.configure(settings)) == nil { continue }
      settings.batchInterval = .milliseconds(20)
      // Filters move the ramp.
      settings.bandwidth = 8000
      let chosen = try rig.start(settings, tellsTime: true)
      rig.run(for: .seconds(3) + TimeSpan(seconds: 150 / chosen.rate))
      let ramp = try #require(rig.surroundings.ramp)
      let place: Comment = "\(chosen.rate) Hz"
      #expect(rig.collector.isMonotonic, place)
      #expect(rig.driver.health.missing == 0, place)
      #expect(rig.collector.errors.isEmpty, place)
      let begin = rig.collector.first?.timestamp ?? .zero
      let learned = rig.collector.samples.dropFirst(100).drop { $0.timestamp < begin + .seconds(2) }
      #expect(learned.count > 20, place)
      let worst = learned.reduce(0.0) { worst, sample in
        max(worst, abs(sample.timestamp.secondsSinceEpoch / ramp.period - ramp.truth(sample)))
      }
      #expect(worst < 0.05, place)
    }
  }
}
