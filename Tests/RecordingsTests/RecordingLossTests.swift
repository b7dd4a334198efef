// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recordings
import Testing

/// Rows and cells that cannot be read are omitted, counted and reported.
@Suite struct RecordingLossTests {
  private func read(
    _ rows: String, _ order: RecordingReader.Order = .lenient
  ) throws(RecordingError) -> (times: [Double], remark: String?) {
    var reader = try RecordingReader(
      bytes: Array(
        ("timestamp,rotationRate.x,rotationRate.y,rotationRate.z,pressure\n" + rows).utf8),
      file: "walk.csv", order: order)
    var times: [Double] = []
    while let sample = try reader.next() { times.append(sample.timestamp.seconds) }
    return (times, reader.remark)
  }

  @Test(arguments: [
    (
      "1,0,0,0,98\n,,,,\n2,0,0,0,98\n",
      "an unreadable row was skipped, in line 3 ('timestamp' is empty)"
    ),
    (
      "x,,\n1,0,0,0,98\n1.5,0,0\n2,0,0,0,98\n",
      "2 unreadable rows were skipped, the first in line 2 ('timestamp' is 'x')"
    ),
    (
      "1,0,0,0,98\n1.5,0,\"0,0,98\n2,0,0,0,98\n",
      "an unreadable row was skipped, in line 3 (a cell in quotes is not closed, or goes on after "
        + "its quotes)"
    ),
    (
      "1,0,0,0,98\n2,0,NaN,0,null\n",
      "2 cells are not numbers and were read as empty, the first in line 3 ('NaN')"
    ),
    (
      "1,0,0,0,98\n2,-inf,0,0,98\n",
      "a cell is not a number and was read as empty, in line 3 ('-inf')"
    ),
    (
      "1,0,0,0,98\n2,0,0,0,98\n3,0,0,0,10",
      "the last line, 4, has no line end and was skipped: the file may be cut off"
    ),
  ])
  func `what cannot be read is left out and reported`(rows: String, remark: String) throws {
    let (times, said) = try read(rows)
    #expect(times == [1, 2])
    #expect(said == "walk.csv: " + remark)
    #expect(throws: RecordingError.self) { try read(rows, .strict) }
  }

  @Test func `a cut number is not a number`() throws {
    let error = #expect(throws: RecordingError.self) {
      try read("1,0,0,0,101.3\n2,0,0,0,10", .strict)
    }
    #expect(
      error?.description
        == "walk.csv:3: the last line has no end, expected a line feed; is the file cut off? "
        + "remove the line, or complete it")
  }

  @Test func `a file without a row that can be read is refused by its first`() throws {
    let rows = (0..<5).map { "\($0),5;3,0,0,98\n" }.joined()
    for text in [rows, String(repeating: rows, count: 50) + "9,0,0,0,98\n"] {
      let error = #expect(throws: RecordingError.self) { try read(text) }
      #expect(error?.line == 2 && error?.found == "'rotationRate.x' is '5;3'")
    }
  }

  /// The windows of a file may end anywhere in a row.
  @Test func `a file is read in parts as at once, by copies independently`() throws {
    try inFolder { folder in
      var text = "\u{FEFF}timestamp,pressure,note\r\n"
      for row in 0..<60_000 {
        text +=
          row % 7 == 3 ? "\(row),98.\(row),\"a, \"\"b\"\"\nand c\"\r\n" : "\(row),98.\(row),\r\n"
        if row % 1000 == 5 { text += "\r\n" }
      }
      text += "70000,x,\n"
      let path = "\(folder)/long.csv"
      try Data(text.utf8).write(to: URL(filePath: path))
      var first = try RecordingReader(path: path, order: .lenient)
      _ = try first.next()
      var second = first
      var whole = try RecordingReader(bytes: Array(text.utf8), file: path, order: .lenient)
      _ = try whole.next()
      while let sample = try whole.next() {
        let (a, b) = (try first.next(), try second.next())
        #expect(a == sample && b == sample)
        if a != sample { break }
      }
      #expect(try first.next() == nil && second.next() == nil)
      #expect(first.remark == whole.remark && whole.remark?.contains("in line 68633") == true)
    }
  }
}
