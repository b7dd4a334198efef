// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

/// Configures every driver while its chip runs, and requests a self-test.
@Suite(TallyTrait()) struct ConfigurationTests {
  /// The new settings are not written to the chip yet: samples still have the old range, and the
  /// old configuration is compared.
  @Test(arguments: Way.distinct)
  func `settings that come while a chip runs wait for the next start`(
    _ way: Way
  ) throws {
    let rig = Rig(way.row, speed: 1_000_000)
    let first = try rig.start(way.settings())
    rig.run(for: .seconds(3), until: { rig.collector.count >= 4 })
    let second = try rig.driver.configure(Self.others(way, than: first))
    let before = rig.collector.count
    rig.run(for: .seconds(2))
    #expect(rig.collector.errors.isEmpty && rig.driver.health.restarts == 0)
    #expect(rig.collector.count > before)
    for sample in rig.collector.samples {
      ValueTests.expect(sample, rig.input.held, first, way)
    }
    let rate = Double(rig.collector.count - before) / 2
    #expect(abs(rate / first.rate - 1) < 0.2)

    rig.driver.start()
    rig.run(for: .seconds(1))
    let middle = rig.collector.count
    rig.run(for: .seconds(2))
    #expect(abs(Double(rig.collector.count - middle) / 2 / second.rate - 1) < 0.2)
    for sample in rig.collector.samples[middle...] {
      ValueTests.expect(sample, rig.input.held, second, way)
    }
    Tally.add(way, 1)
  }

  /// Returns other settings than `first`: the widest ranges and half of the rate, as far as the
  /// chip has them.
  private static func others(_ way: Way, than first: SensorSettings) -> SensorSettings {
    var settings = first
    settings.rate = first.rate / 2
    settings.bandwidth = nil
    way.setRanges(of: &settings, \.last)
    return settings
  }

  @Test(arguments: Row.distinct) func `a chip without a self-test refuses one at once`(_ row: Row)
    throws
  {
    let rig = Rig(row)
    do throws(ChipError) {
      try rig.driver.startSelfTest()
      #expect(row.description.hasSelfTest)
    } catch {
      #expect(error == .unsupportedSetting && !row.description.hasSelfTest)
    }
  }
}
