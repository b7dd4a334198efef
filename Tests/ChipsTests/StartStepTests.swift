// SPDX-License-Identifier: Apache-2.0
import BusTesting
import Chips
import Quantities
import Registers
import Sensors
import Testing

@Suite struct StartStepTests {
  /// The reset bit of the LIS3MDL is bit 2 of register 0x21 (DocID024204, section 7.7).
  @Test func `a driver names the step in which its chip hangs`() {
    let polls = [Transaction](repeating: .read(0x21, [0x04]), count: 11)
    let script = Script([.read(0x0F, [0x3D]), .write(0x21, 0x04)] + polls) {
      Issue.record("\($0)")
    }
    var driver = LIS3MDL(script.bus)
    #expect(name(driver.startStep) == "none")
    driver.start()
    #expect(name(driver.startStep) == "identity")
    var batch = RawBatch()
    for _ in 0..<11 {
      #expect(step(&driver, &batch) == .wake(.after(.milliseconds(10))))
      #expect(name(driver.startStep) == "resetOver")
    }
    #expect(step(&driver, &batch) == .error(.resetTimedOut))
    #expect(name(driver.startStep) == "identity")
    #expect(script.finish() == [])
  }

  private func name(_ step: LIS3MDLChip.StartStep?) -> String { step.map { "\($0)" } ?? "none" }
}
