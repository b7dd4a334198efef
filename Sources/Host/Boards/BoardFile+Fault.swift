// SPDX-License-Identifier: Apache-2.0
public import Simulation
internal import ChipCatalog
internal import Text

extension BoardFile {
  /// Parses a fault for `board`'s list of faults. The text is the kind of the fault, followed by
  /// the fault's board-file keys in the form `key=value`: `nack probability=0.01 chip=imu`. Error
  /// messages name `option` instead of a file.
  public static func fault(_ text: String, for board: Board, option: String)
    throws(BoardErrors) -> Fault
  {
    let name = "\(option) '\(text)'"
    var reader = BoardReader(file: name, catalogue: [], seeksCalibration: false)
    guard let kind = text.split(whereSeparator: \.isWhitespace).first, !kind.contains("=") else {
      throw BoardErrors(
        BoardError(
          file: name, line: 0, column: 0, found: "no kind of fault comes first",
          expected: NearestWord.list(FaultKind.allCases.map(\.rawValue)),
          hint: "such as 'nack probability=0.01'"))
    }
    let tree = tree(text, &reader)
    let fault = reader.fault(
      tree, buses: board.buses.map(\.name), chips: board.chips.map(\.name))
    guard reader.errors.isEmpty, let fault else {
      // A command-line option has no line numbers.
      throw BoardErrors(
        reader.errors.map { error in
          var error = error
          error.line = 0
          error.column = 0
          return error
        })
    }
    return fault
  }

  /// Returns the words of `text` as the keys of a fault.
  private static func tree(_ text: String, _ reader: inout BoardReader) -> YAMLTree {
    var pairs: [YAMLTree.Pair] = []
    for (index, word) in text.split(whereSeparator: \.isWhitespace).enumerated() {
      let place = SourcePosition(line: 1, column: index + 1)
      func scalar(_ text: Substring) -> YAMLTree {
        YAMLTree(content: .scalar(String(text), plain: true), position: place)
      }
      let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if index == 0 {
        pairs.append(YAMLTree.Pair(key: scalar("fault"), value: scalar(word)))
      } else if halves.count == 1 {
        reader.report(
          place, "'\(word)' is not a key with a value", expected: "such as 'probability=0.01'")
      } else if pairs.contains(where: { $0.key.text == String(halves[0]) }) {
        reader.report(place, "'\(halves[0])' occurs twice", hint: "keep one")
      } else {
        pairs.append(YAMLTree.Pair(key: scalar(halves[0]), value: scalar(halves[1])))
      }
    }
    return YAMLTree(content: .mapping(pairs), position: .start)
  }
}
