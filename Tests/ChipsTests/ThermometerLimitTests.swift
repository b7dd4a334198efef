// SPDX-License-Identifier: Apache-2.0
import Chips
import Quantities
import Sensors
import Testing

/// The thermometers inside accelerometers and gyroscopes measure -40 to 85 degrees, the operating
/// range of every sheet. Counts per degree and zeros are typed from DocID026899, DocID030071,
/// DS12140, DS13510 and DocID025715, table 4 or 5, DS-000347 section 4.13, BST-BMI160-DS000-07 section
/// 1.1 and QST 13-52-25, table 18.
@Suite struct ThermometerLimitTests {
  struct Row: Sendable {
    var name: String
    /// The size of a register frame, the place of the temperature, and the code of the part.
    var size: Int
    var place: Int
    var part: UInt8 = 0
    /// The bytes of the highest code that is a measurement, of the next code, of the lowest code
    /// that is a measurement, and of the code below.
    var bytes: [[UInt8]]
    var decode: @Sendable (borrowing RawBatch) -> ChipReading
  }

  static let rows: [Row] = [
    // 16 counts a degree, 0 at 25: 960 and -1040.
    Row(
      name: "LSM6DS3", size: 14, place: 0, part: 0x69,
      bytes: [[0xC0, 0x03], [0xC1, 0x03], [0xF0, 0xFB], [0xEF, 0xFB]],
      decode: { LSM6DS3Decoder.decode($0, frame: 0) }),
    // 256 counts a degree: 15360 and -16640.
    Row(
      name: "LSM6DS3TR-C", size: 14, place: 0, part: 0x6A,
      bytes: [[0x00, 0x3C], [0x01, 0x3C], [0x00, 0xBF], [0xFF, 0xBE]],
      decode: { LSM6DS3Decoder.decode($0, frame: 0) }),
    Row(
      name: "LSM6DSO", size: 14, place: 0,
      bytes: [[0x00, 0x3C], [0x01, 0x3C], [0x00, 0xBF], [0xFF, 0xBE]],
      decode: { LSM6DSODecoder.decode($0, frame: 0) }),
    Row(
      name: "LSM6DSV16X", size: 14, place: 0,
      bytes: [[0x00, 0x3C], [0x01, 0x3C], [0x00, 0xBF], [0xFF, 0xBE]],
      decode: { LSM6DSV16XDecoder.decode($0, frame: 0) }),
    Row(
      name: "LSM9DS1", size: 15, place: 0,
      bytes: [[0xC0, 0x03], [0xC1, 0x03], [0xF0, 0xFB], [0xEF, 0xFB]],
      decode: { LSM9DS1Decoder.decode($0, frame: 0) }),
    // 132.48 counts a degree: 7948.8 and -8611.2, high byte first.
    Row(
      name: "ICM-42688-P", size: 14, place: 0,
      bytes: [[0x1F, 0x0C], [0x1F, 0x0D], [0xDE, 0x5D], [0xDE, 0x5C]],
      decode: { ICM42688PDecoder.decode($0, frame: 0) }),
    // 512 counts a degree, 0 at 23: 31744 and -32256.
    Row(
      name: "BMI160", size: 22, place: 20,
      bytes: [[0x00, 0x7C], [0x01, 0x7C], [0x00, 0x82], [0xFF, 0x81]],
      decode: { BMI160Decoder.decode($0, frame: 0) }),
    // BST-BMI270-DS000-07, temperature sensor: as in the BMI160.
    Row(
      name: "BMI270", size: 24, place: 22, part: 1,
      bytes: [[0x00, 0x7C], [0x01, 0x7C], [0x00, 0x82], [0xFF, 0x81]],
      decode: { BMI270Decoder.decode($0, frame: 0) }),
    // 256 counts a degree, 0 at 0: 21760 and -10240.
    Row(
      name: "QMI8658", size: 14, place: 0,
      bytes: [[0x00, 0x55], [0x01, 0x55], [0x00, 0xD8], [0xFF, 0xD7]],
      decode: { QMI8658Decoder.decode($0, frame: 0) }),
  ]

  @Test(arguments: rows.indices)
  func `a temperature that a part cannot measure is left out`(index: Int) {
    let row = Self.rows[index]
    for (bytes, isMeasured) in zip(row.bytes, [true, false, true, false]) {
      var batch = RawBatch()
      (batch.frames, batch.frameSize) = (1, row.size)
      batch.format[2] = row.part
      for place in 0..<row.size { batch.bytes[place] = UInt8(place + 1) }
      for (offset, byte) in bytes.enumerated() { batch.bytes[row.place + offset] = byte }
      let reading = row.decode(batch)
      #expect(reading.channels.contains(.temperature) == isMeasured, "\(row.name) \(bytes)")
      #expect(reading.channels.isSuperset(of: [.acceleration, .rotationRate]))
      #expect(reading.fault == (isMeasured ? nil : .outside))
      #expect(reading.invalid == (isMeasured ? [] : .temperature))
    }
  }
}
