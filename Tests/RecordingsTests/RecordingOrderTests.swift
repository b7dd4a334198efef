// SPDX-License-Identifier: Apache-2.0
import Quantities
import Recordings
import Testing

/// Rows that are not in order of time.
@Suite struct RecordingOrderTests {
  private static func reader(
    _ times: [String], _ order: RecordingReader.Order = .lenient
  ) throws(RecordingError) -> RecordingReader {
    let rows = times.map { $0 + ",98\n" }.joined()
    return try RecordingReader(
      bytes: Array(("timestamp,pressure\n" + rows).utf8), file: "walk.csv", order: order)
  }

  /// Returns the time stamps that are read, and the shift of each in seconds.
  private static func times(_ reader: inout RecordingReader) throws(RecordingError)
    -> [[Double]]
  {
    var times: [[Double]] = []
    while let sample = try reader.next() {
      times.append([sample.timestamp.seconds, Double(reader.shift.nanoseconds) / 1e9])
    }
    return times
  }

  @Test func `rows in order say nothing`() throws {
    var reader = try Self.reader(["1", "1", "2"])
    #expect(try Self.times(&reader) == [[1, 0], [1, 0], [2, 0]])
    #expect(reader.skippedRows == 0 && reader.stretches == 1 && reader.remark == nil)
  }

  /// A row is compared with the last one that was not omitted.
  @Test func `rows that are back by a second at most are left out`() throws {
    var reader = try Self.reader(["1", "3", "2.5", "2", "3", "4", "3.999999999"])
    #expect(try Self.times(&reader) == [[1, 0], [3, 0], [3, 0], [4, 0]])
    #expect(reader.skippedRows == 3 && reader.stretches == 1)
    #expect(
      reader.remark
        == "walk.csv: 3 rows are earlier than the previous one and skipped, the first in line 4")
  }

  @Test func `a single row that is left out is reported with its line`() throws {
    var reader = try Self.reader(["1", "2", "1.5"])
    #expect(try Self.times(&reader).count == 2)
    #expect(
      reader.remark == "walk.csv: a row is earlier than the previous one and skipped, in line 4")
  }

  /// 30 s later: 3 and 30 less 1.999999999; then 7.5 and 31.000000001 and 30 less -5.
  @Test func `a step back of more than a second begins a new stretch after a gap`() throws {
    var reader = try Self.reader(["1", "3", "1.999999999", "7.5", "7", "-5", "-4"])
    #expect(
      try Self.times(&reader) == [
        [1, 0], [3, 0], [1.999999999, 31.000000001], [7.5, 31.000000001], [-5, 73.500000001],
        [-4, 73.500000001],
      ])
    #expect(reader.skippedRows == 1 && reader.stretches == 3)
    #expect(
      reader.remark
        == "walk.csv: a row is earlier than the previous one and skipped, in line 6; time steps "
        + "back by more than a second 2 times, first in line 4; it continues after a gap")
  }

  @Test func `a strict reader refuses the first row that is back`() throws {
    var reader = try Self.reader(["1", "0.999"], .strict)
    #expect(try reader.next() != nil)
    let error = #expect(throws: RecordingError.self) { try reader.next() }
    #expect(
      error?.description
        == "walk.csv:3:1: 'timestamp' is '0.999' after 1, expected rows in time order")
  }

  /// An error in a row is reported even if the row would be omitted.
  @Test func `a malformed row is an error also where it would be left out`() throws {
    var reader = try Self.reader(["1", "0.5,x"], .strict)
    #expect(try reader.next() != nil)
    #expect(throws: RecordingError.self) { try reader.next() }
    #expect(try reader.next() == nil)
  }

  @Test func `steps back beyond the range of the clock are refused`() throws {
    var reader = try Self.reader(["9e9", "-9e9"])
    #expect(try reader.next() != nil)
    let error = #expect(throws: RecordingError.self) { try reader.next() }
    #expect(
      error?.description
        == "walk.csv:3:1: 'timestamp' is -9000000000 after 9000000000, expected steps back of at "
        + "most 292 years in all")
  }
}
