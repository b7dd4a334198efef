// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Sensors
import Testing

/// What `Health` counts of a thermometer whose codes are outside the range that its sheet gives.
@Suite(TallyTrait()) struct CountedTemperatureTests {
  /// Each way of each part whose sheet limits its temperature.
  static let ways = Way.all.filter { limits($0) != nil }

  static func limits(_ way: Way) -> ClosedRange<Double>? {
    way.row.description.channels.first { $0.channel == .temperature }?.limits
  }

  /// Two degrees outside, because the codes of some parts end there.
  @Test(arguments: ways)
  func `a temperature that the part cannot measure is left out and counted`(_ way: Way) throws {
    let limits = try #require(Self.limits(way))
    let rig = Rig(way.row)
    let chosen = try rig.start(way.settings())
    let settling = TimeSpan(seconds: 8 / chosen.rate) + chosen.batchInterval * 3 + .seconds(1)
    // In low power some thermometers measure once in 1.28 s.
    rig.run(for: settling + .seconds(1))
    #expect(rig.driver.health.invalid == 0)
    let all = rig.collector.samples
    let measured = all.filter { $0.channels.contains(.temperature) }.count
    #expect(all.count >= 8)

    rig.input.held.temperature = limits.upperBound + 2
    rig.run(for: settling)
    let (count, invalid) = (rig.collector.count, rig.driver.health.invalid)
    rig.run(for: settling)
    let later = rig.collector.samples[count...]
    #expect(!later.contains { $0.channels.contains(.temperature) })
    let counted = Int(rig.driver.health.invalid - invalid)
    if measured == all.count,
      way.row.description.channels.contains(where: { $0.channel == .acceleration })
    {
      // Every sample has a temperature, and only this is left out.
      #expect(later.count > 0 && counted == later.count)
    } else {
      #expect((counted > 0) == (measured > 0))
    }
    Tally.add(way, 1)
  }
}
