// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// Addresses and bits are typed by hand, from the data sheet that the EX1 would have.
@Suite struct EX1Tests {
  @Test func `identity, reset and configuration, byte by byte, and samples to the count`() throws {
    let rig = Rig(at: 0x30, WireFormat()) { EX1Model($0) }
    rig.world.held.magneticField = Vector3(20, -45, 0.025)
    var driver = EX1(rig.wire())
    #expect(try driver.configure(SensorSettings(rate: 80, magneticFieldRange: 400)).rate == 100)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [] && outcome.frames.count > 95)
    let start = rig.log.transactions.prefix(5)
    #expect(
      Array(start) == [
        .read(0x00, [0xE1]), .write(0x01, 0x80), .read(0x01, [0x00]), .write(0x01, 0x06),
        .read(0x01, [0x06]),
      ])
    // 20, -45 and 0.025 microtesla are 800, -1800 and 1 counts, at 40 per microtesla.
    let burst = rig.log.transactions.last { if case .read(0x02, _) = $0 { true } else { false } }
    #expect(burst == .read(0x02, [0x01, 0x20, 0x03, 0xF8, 0xF8, 0x01, 0x00]))
    let field = try #require(outcome.frames.last).reading.magneticField
    #expect((field - Vector3(20, -45, 0.025)).norm < 1e-12)
  }
}
