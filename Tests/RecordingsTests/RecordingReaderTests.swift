// SPDX-License-Identifier: Apache-2.0
import Quantities
import Recordings
import SeededRandom
import Testing

@Suite struct RecordingReaderTests {
  @Test func `every quantity is read, in any order of columns`() throws {
    let rows = try samples(
      """
      humidity,magneticField.z,rotationRate.x,rotationRate.y,rotationRate.z,timestamp,note,\
      acceleration.x,acceleration.y,acceleration.z,magneticField.x,magneticField.y,pressure,temperature
      45,-42,0.5,-0.25,+1,1.5,hello,0.1,-2e-1,-.97,20.,-5E0,98.7,31.5

      """)
    var expected = Sample(timestamp: Timestamp(nanoseconds: 1_500_000_000))
    expected.channels = [
      .acceleration, .rotationRate, .magneticField, .pressure, .temperature, .humidity,
    ]
    expected.acceleration = Vector3(0.1, -0.2, -0.97)
    expected.rotationRate = Vector3(0.5, -0.25, 1)
    expected.magneticField = Vector3(20, -5, -42)
    expected.pressure = 98.7
    expected.temperature = 31.5
    expected.humidity = 45
    #expect(rows == [expected])
  }

  @Test func `light and nearness are columns as any other, written and read again`() throws {
    let text = "timestamp,illuminance,proximity\n1,320.5,\n2,,0.25\n"
    var reader = try RecordingReader(bytes: Array(text.utf8), file: "light.csv")
    #expect(reader.channels == [.illuminance, .proximity])
    var written = Array(SampleFormat.csvHeader(reader.channels).utf8)
    let first = try #require(try reader.next())
    let second = try #require(try reader.next())
    #expect(first.channels == .illuminance && first.scalars[.illuminance] == 320.5)
    #expect(second.channels == .proximity && second.scalars[.proximity] == 0.25)
    SampleFormat.appendCSV(first, reader.channels, to: &written)
    SampleFormat.appendCSV(second, reader.channels, to: &written)
    #expect(
      String(decoding: written, as: UTF8.self)
        == "timestamp,illuminance,proximity\n1,320.5,\n2,,0.25\n")
  }

  @Test func `empty cells are not sampled`() throws {
    let rows = try samples(
      """
      timestamp,acceleration.x,acceleration.y,acceleration.z,pressure
      0,,,,
      1,0,0,-1,
      1, , ,\t,98.5
      2,0,0,-1
      3

      """)
    #expect(rows.map(\.channels) == [[], .acceleration, .pressure, .acceleration, []])
    #expect(rows.map(\.timestamp.seconds) == [0, 1, 1, 2, 3])
    #expect(rows[2].acceleration == .zero)
  }

  @Test func `the header says which quantities exist`() throws {
    let bytes = Array("timestamp,pressure,truth.pressure\n".utf8)
    var reader = try RecordingReader(bytes: bytes, file: "baro.csv")
    #expect(reader.channels == .pressure)
    #expect(reader.file == "baro.csv")
    #expect(throws: RecordingError.self) { try reader.next() }
    #expect(try reader.next() == nil)
  }

  @Test func `columns of the truth and unknown columns are never read`() throws {
    let rows = try samples(
      """
      ,timestamp,truth.attitude.w,pressure,truth.label,"a ""quoted"", name",
      0,1,not a number,98,walking,"x, ""y""
      z",nan
      1,2,,99,,,

      """)
    #expect(rows.map(\.pressure) == [98, 99])
  }

  @Test func `forms that other programs write are accepted`() throws {
    let text =
      "\u{FEFF}timestamp , \"pressure\"\r\n\r\n1.0, 98.5 \r\n  \r\n\"2.0\",\"99.5\"\r\n\r\n"
    #expect(try samples(text).map(\.pressure) == [98.5, 99.5])
  }

  @Test(arguments: [
    ("0", 0), ("-0.00125", -1_250_000), ("1.0000000005", 1_000_000_001),
    ("1.00000000049999999999999", 1_000_000_000),
    ("1700000000.123456789", 1_700_000_000_123_456_789),
    ("1700000000.1234567895", 1_700_000_000_123_456_790),
    ("1700000000.12345678949", 1_700_000_000_123_456_789), ("1.7e9", 1_700_000_000_000_000_000),
    ("17e-10", 2), ("1e-400", 0), ("0e99999999999", 0),
    ("000000000000000000000000001", 1_000_000_000),
    ("9223372036.854775807", Int64.max),
  ])
  func `timestamps are exact to the nanosecond`(text: String, nanoseconds: Int64) throws {
    let rows = try samples("timestamp,pressure\n\(text),98\n")
    #expect(rows.first?.timestamp.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "0", "-0.0", "0.1", "1e-5", "123456789012345678", "0.30000000000000004", "9007199254740993",
    "9007199254740993.0000000000000000000000001", "2.2250738585072011e-308", "5e-324", "1e-999",
    "1.7976931348623157e308", "8.98846567431158e307", "1e22", "1e23", "123456789e-22",
    ".1234567890123456789012345", "5.", "+12.50", "0000000000000000000000000000000000.5",
    "6.02214076e23", "1.00000000000000011102230246251565",
  ])
  func `numbers are rounded once`(text: String) throws {
    let rows = try samples("timestamp,pressure\n0,\(text)\n")
    let expected = try #require(Double(text))
    #expect(rows.first?.pressure.bitPattern == expected.bitPattern)
  }

  @Test func `random doubles are read back exactly`() throws {
    var random = SplitMix(state: 1)
    var text = "timestamp,pressure\n"
    var numbers: [Double] = []
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      if !number.isFinite { continue }
      numbers.append(number)
      text += "0,\(number)\n"
    }
    #expect(try samples(text).map(\.pressure) == numbers)
  }
}
