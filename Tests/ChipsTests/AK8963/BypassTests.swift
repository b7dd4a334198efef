// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Simulation
import Testing

/// The magnetometer inside an IMU from both sides: by the IMU's master, and by the bypass, at 0x0C (RM-MPU-9250A-00
/// register 55, DS-000189 section 8.6; libdriver and RTIMULib2 use the bypass).
@Suite struct BypassTests {
  func read(_ register: UInt8, at address: UInt8, on bus: SimulatedBus) throws -> UInt8 {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    try SimulatedI2C(bus).read(&span, after: register, from: address)
    return bytes[0]
  }

  func write(_ value: UInt8, to register: UInt8, at address: UInt8, on bus: SimulatedBus) throws {
    try SimulatedI2C(bus).write(([register, value] as [UInt8]).span, to: address)
  }

  @Test func `an AK8963 answers by the bypass, and keeps what the master wrote`() throws {
    let rig = Rig(at: 0x68, WireFormat()) { MPU6050Model($0, identity: 0x71) }
    #expect(throws: BusError.noAcknowledge) { _ = try read(0x00, at: 0x0C, on: rig.bus) }
    // By the master: slave 4 writes CNTL1, 16 bits at 100 Hz.
    for (register, value) in [
      (0x6B, 0x01), (0x6A, 0x20), (0x31, 0x0C), (0x32, 0x0A), (0x33, 0x16), (0x34, 0x80),
    ] as [(UInt8, UInt8)] { try write(value, to: register, at: 0x68, on: rig.bus) }
    rig.clock.advance(to: rig.clock.now + .milliseconds(20))
    // While the master is on there is no bypass.
    try write(0x02, to: 0x37, at: 0x68, on: rig.bus)
    #expect(throws: BusError.noAcknowledge) { _ = try read(0x00, at: 0x0C, on: rig.bus) }
    try write(0x00, to: 0x6A, at: 0x68, on: rig.bus)
    #expect(try read(0x00, at: 0x0C, on: rig.bus) == 0x48)
    #expect(try read(0x0A, at: 0x0C, on: rig.bus) == 0x16)
    #expect(throws: BusError.noAcknowledge) { _ = try read(0x00, at: 0x0D, on: rig.bus) }
    // An MPU-6500 has none.
    let other = Rig(at: 0x68, WireFormat()) { MPU6050Model($0, identity: 0x70) }
    try write(0x02, to: 0x37, at: 0x68, on: other.bus)
    #expect(throws: BusError.noAcknowledge) { _ = try read(0x00, at: 0x0C, on: other.bus) }
  }

  @Test func `an AK09916 measures by the bypass, in its own axes`() throws {
    let rig = Rig(at: 0x69, WireFormat()) { ICM20948Model($0) }
    rig.world.held.magneticField = Vector3(15, 30, -45)
    try write(0x01, to: 0x06, at: 0x69, on: rig.bus)
    try write(0x02, to: 0x0F, at: 0x69, on: rig.bus)
    #expect(try read(0x01, at: 0x0C, on: rig.bus) == 0x09)
    var driver = AK8963(
      I2CConnection(SimulatedI2C(rig.bus), address: 0x0C, format: WireFormat()), expecting: .ak09916
    )
    _ = try driver.configure(SensorSettings(rate: 100))
    driver.start()
    let frames = rig.run(&driver, for: .milliseconds(300)).frames
    #expect(frames.count > 20)
    // y and z point the other way (DS-000189, section 5.1).
    for frame in frames {
      #expect((frame.reading.magneticField - Vector3(15, -30, 45)).norm < 0.15 * 1.8)
    }
  }
}
