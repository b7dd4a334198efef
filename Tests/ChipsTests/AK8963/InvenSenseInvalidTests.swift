// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// Codes of InvenSense's parts and their magnetometers that are no measurement.
@Suite struct InvenSenseInvalidTests {
  static func batch(_ bytes: [UInt8], format: [UInt8] = []) -> RawBatch {
    var batch = RawBatch()
    (batch.frames, batch.frameSize) = (1, bytes.count)
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    for (index, code) in format.enumerated() { batch.format[index] = code }
    return batch
  }

  /// Fourteen zeros are an MPU-6050 that sleeps or was reset, 0xFF a line that no chip drives; 12 bytes without the
  /// temperature.
  @Test(arguments: [(0x00, .zeros), (0xFF, .ones)] as [(UInt8, ReadingFault)])
  func `a frame of equal bytes is no sample`(byte: UInt8, fault: ReadingFault) {
    for count in [14, 12] {
      let batch = Self.batch([UInt8](repeating: byte, count: count))
      let reading = MPU6050Decoder.decode(batch, frame: 0)
      #expect(reading.channels == [] && reading.fault == fault)
      #expect(reading.invalid == [.acceleration, .rotationRate, .temperature])
      #expect(MPU6050Decoder(batch).invalidFrames(batch) == 1)
    }
    let batch = Self.batch([UInt8](repeating: byte, count: 14))
    #expect(ICM20948Decoder.decode(batch, frame: 0).fault == fault)
    #expect(ICM20948Decoder(batch).invalidFrames(batch) == 1)
    let whole = Self.batch([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(MPU6050Decoder.decode(whole, frame: 0).fault == nil)
    #expect(MPU6050Decoder(whole).invalidFrames(whole) == 0)
  }

  /// -40 to 85 degrees (PS-MPU-6000A section 6.3): 0x8000 would be -59.8.
  @Test func `a temperature that the part cannot measure is left out`() {
    let reading = MPU6050Decoder.decode(
      Self.batch([0x40, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]), frame: 0)
    #expect(reading.channels == [.acceleration, .rotationRate] && reading.invalid == .temperature)
    #expect(reading.fault == .outside)
  }

  /// HOFL, bit 3 of the second status: MS1356-E-02 section 6.4.3.6, 015007392-E-02 section 9.4.3.5.
  @Test(arguments: [AK8963Part.ak8963, .ak09916])
  func `a field beyond the range is no sample`(part: AK8963Part) throws {
    let rig = Rig(at: 0x0C, WireFormat()) { AK8963Model($0, identity: part.rawValue) }
    rig.world.held.magneticField = Vector3(20, -5, -42)
    var driver = AK8963(rig.wire(), expecting: part)
    _ = try driver.configure(SensorSettings(rate: 100))
    driver.start()
    rig.run(&driver, for: .milliseconds(200))
    rig.world.held.magneticField = Vector3(2000, -2000, 912)
    let frames = rig.run(&driver, for: .milliseconds(200)).frames
    let over = frames.filter { $0.reading.fault == .overflow }
    #expect(over.count >= 18)
    #expect(over.allSatisfy { $0.reading.channels == [] && $0.reading.invalid == .magneticField })
    let invalid = driver.health.invalid
    #expect(invalid == UInt64(over.count))
  }

  @Test func `a field beyond the range is no sample by the IMU's master either`() throws {
    let rig = Rig(at: 0x68, WireFormat()) { MPU6050Model($0, identity: 0x71) }
    rig.world.held.specificForce = Vector3(0, 0, 1)
    rig.world.held.magneticField = Vector3(2000, -2000, 912)
    var driver = NineAxis(MPU6050(rig.wire(), expecting: 0x71))
    _ = try driver.configure(NineAxisTests.settings(.fifo, 500))
    driver.start()
    let frames = rig.run(&driver, for: .seconds(1)).frames
    let over = frames.filter { $0.reading.fault == .overflow }
    #expect(over.count > 50 && over.allSatisfy { $0.reading.channels == [] })
    #expect(!frames.contains { $0.reading.channels.contains(.magneticField) })
    let invalid = driver.health.invalid
    #expect(invalid == UInt64(over.count))
  }
}
