// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Boards
import Testing

// The magnetometer of an LSM9DS1, a relative of the LIS3MDL: differences are typed from DocID025715
// revision 3, table 3 and section 8.
@Suite struct LSM9DS1MagnetometerTests {
  static func rig() -> Rig {
    let rig = Rig(at: 0x1C, WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40)) {
      LIS3MDLModel($0, part: .lsm9ds1)
    }
    rig.world.held.magneticField = Vector3(14, -28, 42)
    return rig
  }

  @Test(arguments: [(UInt8(0), 0.014), (1, 0.029), (2, 0.043), (3, 0.058)])
  func `a count is 0.14, 0.29, 0.43 and 0.58 milligauss`(_ code: UInt8, _ microtesla: Double) {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 6
    batch.format[0] = code
    batch.format[1] = 1
    for (index, byte) in ([0x64, 0x00, 0x9C, 0xFF, 0x00, 0x80] as [UInt8]).enumerated() {
      batch.bytes[index] = byte
    }
    let field = LIS3MDLDecoder.decode(batch, frame: 0).magneticField
    #expect(abs(field.x - 100 * microtesla) < 1e-9 && abs(field.y + 100 * microtesla) < 1e-9)
    #expect(abs(field.z + 32768 * microtesla) < 1e-9)
  }

  @Test func `it has no temperature, and is not asked for one`() throws {
    let rig = Self.rig()
    var driver = LIS3MDL(rig.wire(), expecting: .lsm9ds1)
    let channels = driver.channels
    #expect(channels == .magneticField)
    _ = try driver.configure(SensorSettings(rate: 20))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(3))
    #expect(outcome.errors.isEmpty && outcome.frames.count > 50)
    #expect(outcome.frames.allSatisfy { $0.reading.channels == .magneticField })
    for frame in outcome.frames {
      #expect((frame.reading.magneticField - Vector3(14, -28, 42)).norm < 0.03)
    }
    // 1000, -2000 and 3000 counts; there is no register 0x2E.
    #expect((0x28...0x2D).map { rig.model.read($0) } == [0xE8, 0x03, 0x30, 0xF8, 0xB8, 0x0B])
    #expect(rig.model.read(0x2E) == 0)
  }

  @Test func `it stays one where the board names the identity that both say`() throws {
    let rig = Self.rig()
    var driver = LIS3MDL(rig.wire(), expecting: .lsm9ds1)
    var settings = SensorSettings(rate: 20)
    settings.assumedIdentity = 0x3D
    _ = try driver.configure(settings)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(300))
    let part = driver.part
    #expect(part == .lsm9ds1)
  }
}
