// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Quantities
import Sensors
import Testing

/// The keys of a board file for channels that are sensed without a chip.
@Suite struct SensesTests {
  private static func senses(_ value: String) throws -> [Channel: Double]? {
    let text = """
      otolith-board: 1
      name: Test
      buses: { bus: { simulated: i2c } }
      chips: { imu: { chip: "invensense,mpu6050", on: bus, address: 0x68 } }
      simulation:
        \(value)

      """
    return try BoardFile.parse(text, file: "b.yaml", catalogue: ChipCatalog.descriptions)
      .simulation?.senses
  }

  @Test func `each quantity has the rate that is said`() throws {
    #expect(try Self.senses("seed: 1") == [:])
    #expect(
      try Self.senses("senses: { illuminance-hz: 10, proximity-hz: 0.5, pressure-hz: 25 }")
        == [.illuminance: 10, .proximity: 0.5, .pressure: 25])
  }

  @Test func `a wrong value is reported with its place`() throws {
    let wrong = [
      ("senses: { light-hz: 1 }", "unknown key 'light-hz'"),
      ("senses: { illuminance: 1 }", "did you mean 'illuminance-hz'?"),
      ("senses: { illuminance-hz: 0 }", "samples per second between 0.01 and 1000"),
      ("senses: true", "6:11: 'senses' is 'true'"),
      ("senses: { acceleration-hz: 10 }", "unknown key 'acceleration-hz'"),
    ]
    for (value, words) in wrong {
      let error = try #require(throws: BoardErrors.self) { _ = try Self.senses(value) }
      #expect(error.description.contains(words), "\(error.description)")
    }
  }

  /// The ranges are from Vishay document 84274: 65,535 counts of 0.1 to 0.0125 lx.
  @Test func `the range of a light sensor is one that it has`() throws {
    func range(_ keys: String) throws -> Double? {
      let text = """
        otolith-board: 1
        name: Test
        buses: { bus: { simulated: i2c } }
        chips: { light: { chip: "vishay,vcnl4040", on: bus, address: 0x60, \(keys) } }

        """
      return try BoardFile.parse(text, file: "b.yaml", catalogue: ChipCatalog.descriptions)
        .chips.first?.settings.illuminanceRange
    }
    let usual = try #require(try range("rate-hz: 5"))
    #expect(abs(usual - 6553.5) < 1e-6)
    let fine = try #require(try range("illuminance-range-lx: 819"))
    #expect(abs(fine - 819.1875) < 1e-6)
    let wrong = [
      ("illuminance-range-lx: 1000", "819.188, 1638.375, 3276.75 or 6553.5"),
      ("magnetic-field-range-ut: 400", "which measures no magnetic field"),
      ("rate-hz: 11", "between 0.017 and 10"),
    ]
    for (keys, words) in wrong {
      let error = try #require(throws: BoardErrors.self) { _ = try range(keys) }
      #expect(error.description.contains(words), "\(error.description)")
    }
  }
}
