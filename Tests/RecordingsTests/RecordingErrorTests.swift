// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recordings
import Testing

@Suite struct RecordingErrorTests {
  private static let header = "timestamp,rotationRate.x,rotationRate.y,rotationRate.z,pressure\n"

  @Test(arguments: [
    ("0,0.1g,0,0,98", "2:3: 'rotationRate.x' is '0.1g', expected a number; leave units out"),
    (
      "0,0,0,0,98\r\n1,0,0,\"1,2\",98",
      "3:7: 'rotationRate.z' is '1,2', expected a number; decimals use '.', not ','"
    ),
    (
      "0,0,0,0,NaN",
      "2:9: 'pressure' is 'NaN', expected a number; leave the cell empty where nothing was sampled"
    ),
    (
      "0,0,0,0,-inf",
      "2:9: 'pressure' is '-inf', expected a number; leave the cell empty where nothing was sampled"
    ),
    ("0,0,0,0,0x1p3", "2:9: 'pressure' is '0x1p3', expected a number; write it in decimal"),
    ("0,0,0,0,1e", "2:9: 'pressure' is '1e', expected a number; leave units out"),
    ("0,0,0,0,1.2.3", "2:9: 'pressure' is '1.2.3', expected a number"),
    ("0,0,0,0,1e999", "2:9: 'pressure' is '1e999', expected at most 1.8e308"),
    ("0,0,0,0,\u{1B}[2J", "2:9: 'pressure' is '?[2J', expected a number"),
    ("0,0,0,0,--", "2:9: 'pressure' is '--', expected a number"),
    (
      "0,0,,0,98",
      "2:5: 'rotationRate.y' is empty, expected all three of .x .y .z in a row, or none"
    ),
    ("0,0", "2:3: 'rotationRate.y' is empty, expected all three of .x .y .z in a row, or none"),
    (",0,0,0,98", "2:1: 'timestamp' is empty, expected seconds"),
    (
      "inf,0,0,0,98",
      "2:1: 'timestamp' is 'inf', expected seconds, such as 12.345; "
        + "leave the cell empty where nothing was sampled"
    ),
    (
      "2026-11-20T12:00:00Z,0,0,0,98",
      "2:1: 'timestamp' is '2026-11-20T12:00:00Z', expected seconds, such as 12.345; "
        + "seconds on any clock, not a date or a time of day"
    ),
    (
      "1700000000123,0,0,0,98",
      "2:1: 'timestamp' is '1700000000123', expected seconds, at most 292 years of them; "
        + "are these milliseconds or nanoseconds? otolith replay takes --time-unit"
    ),
    (
      "2.5,,,,98\n2.5,,,,98\n\n2.499,,,,98",
      "5:1: 'timestamp' is '2.499' after 2.5, expected rows in time order"
    ),
    (
      "0,0,0,0,98,5,",
      "2:12: the row has 7 cells, expected 5 as in the header; decimals use '.', not ','"
    ),
    (
      "0,0,0,0,\"98",
      "2:9: a cell in quotes is not closed, or goes on after its quotes, "
        + "expected a comma or the end of the line after the closing quote"
    ),
  ])
  func `errors of rows name line and column`(rows: String, expected: String) {
    #expect(complaint(Self.header + rows) == "walk.csv:" + expected)
  }

  @Test(arguments: [
    ("pressure\n1", "1:1: no column 'timestamp', expected a header row with 'timestamp'"),
    (
      "pressure,Time\n1,2",
      "1:10: no column 'timestamp', expected a header row with 'timestamp'; "
        + "say --columns timestamp=Time"
    ),
    (
      "seconds_elapsed,acceleration.x,acceleration.y,acceleration.z\n",
      "1:1: no column 'timestamp', expected a header row with 'timestamp'; "
        + "say --columns timestamp=seconds_elapsed"
    ),
    (
      "timestamp,pressure,timestamp\n",
      "1:20: a second column 'timestamp', expected each name once"
    ),
    (
      "timestamp,acceleration.x,acceleration.y,Acceleration.Z\n",
      "1:1: no column 'acceleration.z', expected all three of .x .y .z, or none; "
        + "rename 'Acceleration.Z'"
    ),
    (
      "timestamp,ax,ay,az\n",
      "1:1: no column of a sensor, expected acceleration.x .y .z, rotationRate.x .y .z or others; "
        + "say --columns acceleration=a"
    ),
    (
      "größe,timestamp,\"x\n",
      "1:17: a column name in quotes is not closed, expected a closing quote"
    ),
  ])
  func `errors of headers name line and column`(text: String, expected: String) {
    #expect(complaint(text) == "walk.csv:" + expected)
  }

  @Test func `columns count characters, not bytes`() {
    #expect(
      complaint("\u{FEFF}größe,timestamp,pressure\nüü,0,x\n")
        == "walk.csv:2:6: 'pressure' is 'x', expected a number")
  }

  @Test(
    arguments: [
      ([], "the file is empty, expected a header row with 'timestamp'"),
      ([0x0A, 0x0A], "the file is empty, expected a header row with 'timestamp'"),
      (
        [0x1F, 0x8B, 0x08],
        "the file is packed by gzip, expected a recording's CSV text; "
          + "unpack it first: gunzip -k walk.csv"
      ),
      (
        [0x7F, 0x45, 0x4C, 0x46, 0x02, 0x00], "the file is binary, expected a recording's CSV text"
      ),
      (
        [0xFF, 0xFE, 0x74, 0x00],
        "the text is UTF-16, expected a recording's CSV text; save it as UTF-8"
      ),
    ] as [([UInt8], String)])
  func `a file that is no text is refused`(bytes: [UInt8], expected: String) {
    #expect(complaint(bytes) == "walk.csv: " + expected)
  }

  @Test(arguments: [
    ("/nowhere/walk.csv", "no such file"),
    ("/tmp", "is a directory, expected a recording's CSV file"),
    ("/dev/null/x", "cannot be read: Not a directory"),
  ])
  func `a missing file is reported with its path`(path: String, expected: String) {
    #expect(throws: RecordingError.self) { try RecordingReader(path: path) }
    do {
      _ = try RecordingReader(path: path)
    } catch {
      #expect(error.kind == .noInput)
      #expect(error.description == "\(path): \(expected)")
    }
  }

  @Test func `a file of 50000 rows is read`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    var text = "timestamp,pressure\n"
    for row in 0..<50_000 { text += "\(row).25,98.\(row)\n" }
    try text.write(to: file, atomically: true, encoding: .utf8)
    var reader = try RecordingReader(path: file.path)
    var count = 0
    while let sample = try reader.next() {
      #expect(sample.timestamp.nanoseconds == Int64(count) * 1_000_000_000 + 250_000_000)
      count += 1
    }
    #expect(count == 50_000)
  }

  @Test func `reading ends with the first error`() throws {
    var reader = try RecordingReader(
      bytes: Array("timestamp,pressure\n1,2\n1,x\n1,3\n".utf8), file: "walk.csv")
    #expect(try reader.next()?.pressure == 2)
    #expect(throws: RecordingError.self) { try reader.next() }
    #expect(try reader.next() == nil)
  }
}
