// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Sensors
import Testing

/// The samples' times compared with the true ones.
@Suite struct TimestampTests {
  /// With a clock error of 2 percent, times increase and, once the rate is learned, are within 5
  /// percent of a period of the truth; nothing is lost.
  @Test(arguments: Way.distinct, [-0.02, 0.02]) func `timestamps are those of the true times`(
    _ way: Way, _ clockError: Double
  )
    throws
  {
    let all = way.row.description.rates
    // A chip whose rates are all below 20 Hz runs at its fastest rate.
    let rates = all.filter { $0 >= min(20, all[0]) }
    // Two rates that a reader can follow with this acquisition; single samples need two transfers
    // each.
    let limit = way.acquisition == .fifo ? 10_000.0 : 500
    for rate in [rates.first { $0 <= limit }, rates.last].compactMap({ $0 }) {
      let rig = Rig(way.row, clockError: clockError)
      var settings = way.settings(rate: rate)
      if way.power == .low, (try? rig.driver.configure(settings)) == nil { continue }
      settings.batchInterval = .milliseconds(20)
      // Filters would delay the ramp.
      settings.bandwidth = 8000
      let chosen = try rig.start(settings, tellsTime: true)
      rig.run(for: .seconds(3) + TimeSpan(seconds: 150 / chosen.rate))
      let ramp = try #require(rig.input.ramp)
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
