// SPDX-License-Identifier: Apache-2.0
import Chips
import Foundation
import Quantities
import ChipCatalog
import Sensors
import Testing

@Suite struct BMP280DecodingTests {
  /// The calibration words of the data sheet's example, and the humidity words of a real BME280
  /// (75, 338, 0, 370, 60, 30), as stored in 0x88 to 0x9F, 0xA1 and 0xE1 to 0xE7.
  static let trimBytes: [UInt8] = [
    0x70, 0x6B, 0x43, 0x67, 0x18, 0xFC, 0x7D, 0x8E, 0x43, 0xD6, 0xD0, 0x0B, 0x27, 0x0B, 0x8C, 0x00,
    0xF9, 0xFF, 0x8C, 0x3C, 0xF8, 0xC6, 0x70, 0x17, 0x4B, 0x52, 0x01, 0x00, 0x17, 0xC2, 0x03, 0x1E,
  ]

  static func reading(_ data: [UInt8], part: UInt8 = 1, trim: [UInt8] = trimBytes) -> ChipReading {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = part == 1 ? 8 : 6
    for (index, byte) in ([part] + trim).enumerated() { batch.format[index] = byte }
    for (index, byte) in data.enumerated() { batch.bytes[index] = byte }
    return BMP280Decoder.decode(batch, frame: 0)
  }

  static func rows(of name: String) throws -> [[Substring]] {
    let file = try #require(
      Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Vectors"))
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return lines.dropFirst().map { $0.split(separator: ",") }
  }

  static func words() throws -> [[Int64]] {
    try rows(of: "bmp280_vectors").map { $0.prefix(17).compactMap { Int64($0) } }
  }

  @Test func `every golden vector comes out to the last bit`() throws {
    let rows = try Self.words()
    #expect(rows.count == 75)
    for row in rows {
      #expect(row.count == 17)
      var trim = BMP280Trim()
      trim.t1 = UInt16(row[0])
      trim.t2 = Int16(row[1])
      trim.t3 = Int16(row[2])
      trim.p1 = UInt16(row[3])
      trim.p2 = Int16(row[4])
      trim.p3 = Int16(row[5])
      trim.p4 = Int16(row[6])
      trim.p5 = Int16(row[7])
      trim.p6 = Int16(row[8])
      trim.p7 = Int16(row[9])
      trim.p8 = Int16(row[10])
      trim.p9 = Int16(row[11])
      let fine = trim.fineTemperature(row[12])
      #expect(fine == row[15])
      #expect(BMP280Trim.centidegrees(fine) == row[14])
      #expect(trim.pressure(row[13], fine) == row[16])
    }
  }

  @Test func `the data sheet's example comes out of its bytes`() {
    let reading = Self.reading([0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00, 0x80, 0x00])
    #expect(reading.channels == [.pressure, .temperature])
    #expect(reading.temperature == 25.08)
    #expect(abs(reading.pressure - 100.65325390625) < 1e-9)
  }

  /// dig_P1, 0x8E and 0x8F, of 0: the sheet's code returns 0 instead of dividing by it (section
  /// 3.11.3).
  @Test func `a pressure whose formula divides by zero is no measurement`() {
    var trim = Self.trimBytes
    (trim[6], trim[7]) = (0, 0)
    let reading = Self.reading([0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00], part: 0, trim: trim)
    #expect(reading.channels == .temperature && reading.temperature == 25.08)
    #expect(reading.invalid == .pressure && reading.fault == .outside)
  }

  /// Computed by `Vectors/humidity.py` with exact fractions. 0.008 percent is the sensor's
  /// resolution (data sheet, table 2).
  @Test func `humidity follows Bosch's floating-point form`() throws {
    let rows = try Self.rows(of: "humidity_vectors")
    #expect(rows.count == 756)
    var between = 0
    for row in rows {
      let whole = row.prefix(8).compactMap { Int64($0) }
      let expected = try #require(row.last.flatMap { Double($0) })
      #expect(whole.count == 8)
      var trim = BMP280Trim()
      trim.h1 = UInt8(whole[0])
      trim.h2 = Int16(whole[1])
      trim.h3 = UInt8(whole[2])
      trim.h4 = Int16(whole[3])
      trim.h5 = Int16(whole[4])
      trim.h6 = Int8(whole[5])
      let percent = Double(trim.humidity(whole[7], whole[6])) / 1024
      #expect(abs(percent - expected) < 0.008, "\(row)")
      if expected > 0, expected < 100 { between += 1 }
    }
    #expect(between > 300)
  }

  /// A real BME280: its calibration words, its codes, and the results of another library
  /// (elixir-sensors/bmp280, tests of its BME280), whose pressure uses Bosch's 32-bit form,
  /// accurate to 5 Pa.
  struct Part: Sendable {
    var trim: [UInt8]
    var data: [UInt8]
    var celsius: Double
    var kilopascal: Double
    var percent: Double
  }

  static let parts = [
    // 28189 26285 50, 36635 -10696 3024 11092 -241 -7 12300 -12000 5000, 75 338 0 370 60 30; 284052 536368 35181.
    Part(
      trim: [
        0x1D, 0x6E, 0xAD, 0x66, 0x32, 0x00, 0x1B, 0x8F, 0x38, 0xD6, 0xD0, 0x0B, 0x54, 0x2B, 0x0F,
        0xFF, 0xF9, 0xFF, 0x0C, 0x30, 0x20, 0xD1, 0x88, 0x13, 0x4B, 0x52, 0x01, 0x00, 0x17, 0xC2,
        0x03, 0x1E,
      ],
      data: [0x45, 0x59, 0x40, 0x82, 0xF3, 0x00, 0x89, 0x6D], celsius: 26.7460,
      kilopascal: 100.39149, percent: 59.2),
    // 28297 26729 50, 37189 -10580 3024 8137 -87 -7 9900 -10230 4285, 75 394 0 242 56 30; 316593 516344 26270.
    Part(
      trim: [
        0x89, 0x6E, 0x69, 0x68, 0x32, 0x00, 0x45, 0x91, 0xAC, 0xD6, 0xD0, 0x0B, 0xC9, 0x1F, 0xA9,
        0xFF, 0xF9, 0xFF, 0xAC, 0x26, 0x0A, 0xD8, 0xBD, 0x10, 0x4B, 0x8A, 0x01, 0x00, 0x0F, 0x82,
        0x03, 0x1E,
      ],
      data: [0x4D, 0x4B, 0x10, 0x7E, 0x0F, 0x80, 0x66, 0x9E], celsius: 20.2649,
      kilopascal: 100.27840, percent: 64.4),
  ]

  @Test(arguments: parts)
  func `two real parts read as in another library`(part: Part) {
    let reading = Self.reading(part.data, trim: part.trim)
    #expect(abs(reading.temperature - part.celsius) < 0.0051)
    #expect(abs(reading.pressure - part.kilopascal) < 0.005)
    // The example has one decimal place.
    #expect(abs(reading.humidity - part.percent) < 0.051)
  }

  @Test func `the 12-bit words share 0xE5 and are signed; H3 is not`() {
    // H4 = -2 (0xFFE), H5 = -31 (0xFE1), H3 = 200, H6 = -5, compared with words set by name.
    var bytes = Self.trimBytes
    bytes.replaceSubrange(24..<32, with: [75, 0x72, 0x01, 200, 0xFF, 0x1E, 0xFE, 0xFB])
    var trim = BMP280Trim()
    trim.h1 = 75
    trim.h2 = 370
    trim.h3 = 200
    trim.h4 = -2
    trim.h5 = -31
    trim.h6 = -5
    let reading = Self.reading([0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00, 0x20, 0x00], trim: bytes)
    #expect(reading.humidity == Double(trim.humidity(0x2000, 128422)) / 1024)
    #expect(reading.humidity > 1 && reading.humidity < 99)
  }

  @Test func `a skipped word is no reading`() {
    let all: [UInt8] = [0x80, 0, 0, 0x80, 0, 0, 0x80, 0]
    #expect(Self.reading(all).channels == [])
    #expect(Self.reading([0x80, 0, 0, 0x7E, 0xED, 0, 0x80, 0]).channels == .temperature)
    // Without a temperature, pressure and humidity cannot be compensated.
    #expect(Self.reading([0x65, 0x5A, 0xC0, 0x80, 0, 0, 0x60, 0]).channels == [])
    let good: [UInt8] = [0x65, 0x5A, 0xC0, 0x7E, 0xED, 0, 0x60, 0]
    #expect(Self.reading(good).channels == [.pressure, .temperature, .humidity])
    #expect(Self.reading(good, part: 0).channels == [.pressure, .temperature])
    // The lowest four bits do not belong to the value.
    #expect(Self.reading([0x80, 0, 0x0F, 0x80, 0, 0x0F, 0x80, 0]).channels == [])
  }

  @Test func `no words and no codes trap`() {
    var state: UInt64 = 42
    func next() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
    for _ in 0..<20_000 {
      let reading = Self.reading(
        (0..<8).map { _ in next() }, trim: (0..<32).map { _ in next() })
      #expect(reading.pressure.isFinite && reading.temperature.isFinite)
    }
    let ends: [UInt8] = [0x00, 0xFF, 0x7F, 0x80]
    for trim in ends {
      for data in ends {
        let reading = Self.reading(
          [UInt8](repeating: data, count: 8), trim: [UInt8](repeating: trim, count: 32))
        #expect(reading.humidity >= 0 && reading.humidity <= 100)
      }
    }
  }

  @Test func `each register has the address, access and fields typed again`() {
    let rows = RegisterRow.rows(of: BMP280Map())
    let typed: [[UInt8]] = [
      Array(0x88...0x9F), [0xA1, 0xD0], Array(0xE0...0xE7), Array(0xF2...0xF5), Array(0xF7...0xFE),
    ]
    #expect(rows.map(\.address) == typed.flatMap(\.self))
    func row(_ address: UInt8) -> RegisterRow? { rows.first { $0.address == address } }
    #expect(row(0xD0)?.reset == 0x58)
    #expect(row(0xE0)?.isReadable == false)
    #expect(row(0xF2)?.fields.map(\.mask) == [0x07])
    #expect(row(0xF3)?.fields.map(\.mask) == [0x08, 0x01])
    #expect(row(0xF3)?.isWritable == false)
    #expect(row(0xF4)?.fields.map(\.mask) == [0xE0, 0x1C, 0x03])
    #expect(row(0xF5)?.fields.map(\.mask) == [0xE0, 0x1C, 0x01])
    #expect(row(0xE5)?.fields.map(\.mask) == [0xF0, 0x0F])
    for address: UInt8 in [0xF7, 0xFA, 0xFD] { #expect(row(address)?.reset == 0x80) }
    for address: UInt8 in [0xF2, 0xF3, 0xF4, 0xF5, 0xF8, 0xF9, 0xFB, 0xFC, 0xFE] {
      #expect(row(address)?.reset == 0x00)
    }
  }

  @Test func `measurement times are the sheet's`() {
    let fast = BMP280Conversion(temperature: 1, pressure: 1, humidity: 0)
    #expect(fast.typical == 5500 && fast.longest == 6425)
    let fine = BMP280Conversion(temperature: 2, pressure: 16, humidity: 0)
    #expect(fine.typical == 37_500 && fine.longest == 43_225)
    let humid = BMP280Conversion(temperature: 1, pressure: 1, humidity: 1)
    #expect(humid.typical == 8000 && humid.longest == 9300)
  }
}
