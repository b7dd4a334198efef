// SPDX-License-Identifier: Apache-2.0
import Boards
import Testing

/// What is committed is what the tables say. Written anew with OTOLITH_RECORD=1.
@Suite struct GeneratedTests {
  @Test(arguments: ["board", "calibration"]) func schema(_ name: String) throws {
    let text = name == "board" ? BoardSchema.board : BoardSchema.calibration
    let path = Fixtures.root + "boards/\(name).schema.json"
    if Fixtures.isRecording { try Fixtures.write(text, to: path) }
    let isEqual = try Fixtures.text(path) == text
    #expect(isEqual, "\(path) is not what BoardFormat says")
  }

  @Test func keyTables() throws {
    let path = Fixtures.root + "docs/board-files.md"
    let (begin, end) = ("<!-- keys: begin -->\n", "<!-- keys: end -->\n")
    let text = try Fixtures.text(path)
    let from = try #require(text.firstRange(of: begin)).upperBound
    let to = try #require(text.firstRange(of: end)).lowerBound
    if Fixtures.isRecording {
      let written = text[..<from] + BoardReference.markdown + text[to...]
      try Fixtures.write(String(written), to: path)
    } else {
      #expect(text[from..<to] == BoardReference.markdown)
    }
  }

  @Test func embeddedBoard() throws {
    #expect(
      BoardFile.embeddedSimulated == (try Fixtures.text(Fixtures.root + "boards/simulated.yaml")))
  }
}
