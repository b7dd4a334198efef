// SPDX-License-Identifier: Apache-2.0
import Chips
import Quantities
import Sensors
import Testing

// Product specification revision 3.4, sections 6.1 and 6.2; register map 4.17 to 4.19.
@Suite struct MPU6050DecodingTests {
  func decode(_ bytes: [UInt8], accel: UInt8 = 0, gyro: UInt8 = 0) -> ChipReading {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 14
    batch.format[0] = accel
    batch.format[1] = gyro
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    return MPU6050Decoder.decode(batch, frame: 0)
  }

  @Test func `each code of the accelerometer decodes to its full scale`() {
    let bytes: [UInt8] = [0x40, 0x00, 0xC0, 0x00, 0x00, 0x01, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(decode(bytes).specificForce == Vector3(1, -1, 1.0 / 16384))
    #expect(decode(bytes, accel: 1).specificForce == Vector3(2, -2, 1.0 / 8192))
    #expect(decode(bytes, accel: 2).specificForce == Vector3(4, -4, 1.0 / 4096))
    #expect(decode(bytes, accel: 3).specificForce == Vector3(8, -8, 1.0 / 2048))
    let ends: [UInt8] = [0x80, 0x00, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(decode(ends).specificForce == Vector3(-2, 32767.0 / 16384, -1.0 / 16384))
    #expect(decode(ends, accel: 3).specificForce.x == -16)
  }

  @Test(arguments: [(0, 131), (1, 65.5), (2, 32.8), (3, 16.4)] as [(UInt8, Double)])
  func `each code of the gyroscope decodes to its full scale`(code: UInt8, countsPerDegree: Double)
  {
    let bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x83, 0x80, 0x00, 0x7F, 0xFF]
    let rate = decode(bytes, gyro: code).rotationRate
    let expected = [131, -32768, 32767].map { $0 / countsPerDegree * Double.pi / 180 }
    for (value, wanted) in zip([rate.x, rate.y, rate.z], expected) {
      #expect(abs(value - wanted) < 1e-12 * max(1, abs(wanted)))
    }
  }

  @Test(
    arguments: [
      (0x00, 0x00, 36.53), (0x01, 0x54, 37.53), (0xFE, 0xAC, 35.53), (0xF0, 0xB0, 25.0),
      (0x80, 0x00, -59.846470588235295), (0x7F, 0xFF, 132.90352941176472),
    ] as [(UInt8, UInt8, Double)])
  func `temperatures decode as the register map says`(high: UInt8, low: UInt8, degrees: Double) {
    let reading = decode([0, 0, 0, 0, 0, 0, high, low, 0, 0, 0, 0, 0, 0])
    #expect(abs(reading.temperature - degrees) < 0.006)
  }
}
