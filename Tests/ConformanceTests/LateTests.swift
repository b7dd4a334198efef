// SPDX-License-Identifier: Apache-2.0
import Simulation
import ChipCatalog
import Quantities
import Sensors
import Boards
import Testing

/// Data-ready edges that are handled late, for chips with a FIFO.
@Suite struct LateTests {
  /// Returns settings with the fastest rate up to 1 kHz, which a bus at 400 kHz can transfer sample
  /// by sample.
  static func settings(_ way: Way) -> SensorSettings {
    var settings = way.settings(rate: way.row.description.rates.first { $0 <= 1001 })
    settings.bandwidth = 8000
    return settings
  }

  @Test(arguments: Way.kept, [-0.02, 0.02])
  func `a reader that stops for 20 ms a second loses nothing`(_ way: Way, _ clockError: Double)
    throws
  {
    let rig = Rig(way.row, clockError: clockError)
    let chosen = try rig.start(Self.settings(way), tellsTime: true)
    #expect(chosen.acquisition == .dataReady && chosen.keepsLateSamples)
    let ramp = try #require(rig.input.ramp)
    for second in 0..<12 {
      rig.run(for: .milliseconds(980) + .microseconds(Int64(second * 83)))
      rig.clock.advance(to: rig.clock.now + .milliseconds(20))
    }
    rig.run(for: .milliseconds(100))
    let health = rig.driver.health
    #expect(rig.collector.isMonotonic && rig.collector.errors.isEmpty)
    #expect(rig.collector.missing == 0 && health.missing == 0 && health.overflows == 0)
    #expect(rig.taken.rounded() == Double(rig.collector.count))
    // The time is that of the edge, or a whole number of periods from it.
    let begin = rig.collector.first?.timestamp ?? .zero
    let learned = rig.collector.samples.drop { $0.timestamp < begin + .seconds(2) }
    let worst = learned.reduce(0.0) { worst, sample in
      max(worst, abs(sample.timestamp.secondsSinceEpoch / ramp.period - ramp.truth(sample)))
    }
    #expect(worst < 0.05)
  }

  @Test(arguments: Way.kept)
  func `a late reader of registers loses what was replaced, and counts it`(_ way: Way) throws {
    let rig = Rig(way.row)
    var settings = Self.settings(way)
    settings.keepsLateSamples = false
    _ = try rig.start(settings, tellsTime: true)
    rig.run(for: .seconds(1))
    rig.clock.advance(to: rig.clock.now + .milliseconds(20))
    rig.run(for: .seconds(1))
    #expect(rig.collector.missing >= 10)
    #expect(rig.taken.rounded() == Double(rig.collector.count + rig.collector.missing))
  }

  @Test(arguments: Way.kept)
  func `on time a sample is one transfer of the bus, or two`(_ way: Way) throws {
    let rig = Rig(way.row)
    let chosen = try rig.start(Self.settings(way))
    rig.run(for: .seconds(1))
    let (transactions, samples) = (rig.bus.transactions, rig.collector.count)
    rig.run(for: .seconds(10))
    let each = Double(rig.bus.transactions - transactions) / Double(rig.collector.count - samples)
    // For ST's chips and the BMI270 the FIFO's level is read first; comparisons and the temperature
    // are read ten times per second.
    let family = way.row.description.family
    let limit = family.hasPrefix("LSM") || family == "BMI270" ? 2.0 : 1
    #expect(each < limit + 60 / chosen.rate)
    #expect(rig.driver.health.missedInterrupts == 0 && rig.driver.health.missing == 0)
  }

  @Test(arguments: Way.kept)
  func `a line that falls silent delays samples and loses none`(_ way: Way) throws {
    let rig = Rig(way.row, hasEdges: { $0 < .seconds(3) || $0 > .seconds(6) })
    _ = try rig.start(Self.settings(way), tellsTime: true)
    rig.run(for: .seconds(9))
    #expect(rig.driver.health.missedInterrupts > 0)
    #expect(rig.collector.missing == 0 && rig.collector.isMonotonic)
    #expect(rig.taken.rounded() == Double(rig.collector.count))
    #expect(rig.collector.longestGap < .milliseconds(3))
  }
}
