// SPDX-License-Identifier: Apache-2.0
import SeededRandom
import Testing

@testable import Boards

/// The reader of programs without the trait `Tool`, beside the library.
@Suite struct PlainYAMLTests {
  /// `nil` where the plain reader refuses the text, or leaves a repeated key out.
  static func plainTree(_ text: String) -> YAMLTree? {
    var plain = PlainYAML(text)
    let tree = try? plain.tree()
    return plain.repetitions.isEmpty ? tree : nil
  }

  static func fault(_ text: String) -> String? {
    var plain = PlainYAML(text)
    do throws(PlainYAML.Fault) { _ = try plain.tree() } catch {
      return "\(error.position.line):\(error.position.column): \(error.found)"
    }
    return nil
  }

  @Test func `every board that is shipped reads as with the library`() throws {
    for board in ShippedBoard.all {
      var source = YAMLSource(board.text, file: board.file)
      let tree = source.tree()
      let expected = try #require(tree)
      #expect(Self.plainTree(board.text) == expected, "\(board.file)")
    }
  }

  @Test(arguments: [
    #"{"otolith-board": 1, "name": "J \u00e4", "chips": {"imu": {"address": 104, "on": null}}}"#,
    """
    {
      "a": [1, -2.5e3, true],
      "b": {"c":"d"}
    }
    """,
    "list:\n- a\n-   b: c\n    d: e\n-\n  - f\n  - - g\n",
    "'it''s': \"a\\tb\" # comment\nnext: a#b ? - c\nlast:\n",
    "matrix: [[1, 0, 0],\n  # of three rows\n  [0, 1, 0], [0, 0, 1],\n  ]\n",
  ])
  func `the plain part reads as with the library`(_ text: String) throws {
    var source = YAMLSource(text, file: "x.yaml")
    let tree = source.tree()
    let expected = try #require(tree)
    #expect(Self.plainTree(text) == expected)
  }

  @Test func `what is not refused of changed boards reads as with the library`() throws {
    var random = SplitMix(state: 1979)
    var read = 0
    for text in MutationTests.texts + (0..<4000).map({ _ in MutationTests.changed(&random) }) {
      // What the source takes out of a text before either reads it is none of this.
      var source = YAMLSource(text, file: "x.yaml")
      let settled = source.text
      guard !settled.unicodeScalars.contains("\0"), let tree = Self.plainTree(settled) else {
        continue
      }
      read += 1
      let expected = source.tree()
      try #require(tree == expected, "\(source.errors) of \(settled)")
    }
    #expect(read > 1000)
  }

  @Test(arguments: [
    ("a: &x 1\n", "1:4: a value that begins with '&'"),
    ("a: *x\n", "1:4: a value that begins with '*'"),
    ("a: !!str 1\n", "1:4: a value that begins with '!'"),
    ("a: |\n  b\n", "1:4: a value that begins with '|'"),
    ("a: >\n  b\n", "1:4: a value that begins with '>'"),
    ("a: b\n  c\n", "2:3: a line that does not fit its neighbours"),
    ("a: \"b\n  c\"\n", "1:4: a quotation mark that is not closed"),
    ("---\na: b\n", "1:1: a mark between documents ('---' or '...')"),
    ("%YAML 1.2\n", "1:1: a line that begins with '%'"),
    ("? a\n: b\n", "1:1: a value that begins with '?'"),
    ("a: [b: c]\n", "1:6: a colon within a list"),
    ("a: {b}\n", "1:6: a key without a value"),
    ("a:\n\tb: c\n", "2:1: a tab"),
    ("a: b: c\n", "1:5: a colon where no key can be"),
    ("a: [b\n", "1:4: a '[' that is not closed"),
    (String(repeating: "[", count: 40), "1:32: more than 32 levels"),
    (String(repeating: "- ", count: 40), "1:65: more than 32 levels"),
  ])
  func `the rest of YAML is refused with its place`(_ text: String, _ expected: String) {
    #expect(Self.fault(text) == expected)
  }

  @Test func `a repeated key is told and left out`() throws {
    var plain = PlainYAML("a: 1\nb: 2\na: 3\n")
    let read = try plain.tree()
    let tree = try #require(read)
    let pairs: [YAMLTree.Pair] = if case .mapping(let pairs) = tree.content { pairs } else { [] }
    #expect(pairs.map(\.value.text) == ["1", "2"])
    #expect(plain.repetitions.map(\.found) == ["key 'a' is here for the second time"])
    #expect(plain.repetitions.map(\.hint) == ["the first is in line 1"])
  }
}
