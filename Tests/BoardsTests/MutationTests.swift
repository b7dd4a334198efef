// SPDX-License-Identifier: Apache-2.0
import Boards
import SeededRandom
import Testing

/// Any text gives a board or errors with positions, and never a trap.
@Suite struct MutationTests {
  static let texts: [String] = {
    let shipped = try? Fixtures.yamlFiles(in: Fixtures.root + "boards")
      .map { try Fixtures.text(Fixtures.root + "boards/" + $0) }
    let broken = try? Fixtures.yamlFiles(in: Fixtures.folder + "Broken")
      .map { try Fixtures.text(Fixtures.folder + "Broken/" + $0) }
    return (shipped ?? []) + (broken ?? [])
  }()

  static func check(_ text: String) {
    do {
      _ = try BoardFile.parse(text, file: "x.yaml", catalogue: Fixtures.catalogue)
    } catch {
      let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.count
      #expect(!error.errors.isEmpty)
      for error in error.errors {
        let isPlaced = (1...lines + 1).contains(error.line) && error.column >= 1
        let isOneLine = !error.description.contains { $0.isNewline }
        #expect(isPlaced && isOneLine, "\(error) of \(text)")
      }
    }
  }

  @Test func `every prefix of a board is read or refused`() {
    let text = ShippedBoard.simulated.text
    for end in text.indices { Self.check(String(text[..<end])) }
  }

  @Test func `random changes of a board are read or refused`() {
    var random = SplitMix(state: 2026)
    for _ in 0..<5000 { Self.check(Self.changed(&random)) }
  }

  private static let pieces = [
    "\t", "\n", " ", "  ", ":", ": ", "- ", "-", "{", "}", "[", "]", ",", "\"", "'", "#", "&a ",
    "*a", "!!int ", "? ", "| ", "> ", "%", "@", "`", "~", "null", "0x", "1e999", ".nan", "\u{0}",
    "\u{85}", "\u{2028}", "\u{E000}", "\u{FEFF}", "e\u{301}", "🧭", "---\n", "...\n", "<<: ",
    "on: ",
    "chip: ", "\\", "\r",
  ]

  /// Returns one of the texts with random changes.
  static func changed(_ random: inout SplitMix) -> String {
    var text = Array(texts[random.below(texts.count)].unicodeScalars)
    for _ in 0...random.below(4) {
      let from = random.below(text.count + 1)
      let to = min(text.count, from + random.below(6) * random.below(6))
      switch random.below(4) {
      case 0: text.removeSubrange(from..<to)
      case 1: text.insert(contentsOf: pieces[random.below(pieces.count)].unicodeScalars, at: from)
      case 2: text.insert(contentsOf: Array(text[from..<to]), at: random.below(text.count + 1))
      default:
        text.replaceSubrange(from..<to, with: pieces[random.below(pieces.count)].unicodeScalars)
      }
    }
    return String(String.UnicodeScalarView(text))
  }
}

extension SplitMix {
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}
