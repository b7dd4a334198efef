// SPDX-License-Identifier: Apache-2.0
internal import BusTraces
internal import ChipCatalog
internal import Recordings
internal import Sensors

extension BoardFile {
  /// Returns true if `bytes` begin like a trace, with or without a byte order mark.
  static func isTrace(_ bytes: [UInt8]) -> Bool {
    bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).starts(with: Trace.opening.utf8)
  }

  /// Returns the board on which a trace was recorded, with its calibration. The trace replaces the
  /// board's buses. This board does not store learned values, because such values would come from
  /// old data.
  static func traced(_ bytes: [UInt8], file: String, catalogue: [ChipDescription])
    throws(BoardErrors) -> Board
  {
    let trace: Trace
    do throws(RecordingError) { trace = try Trace(bytes: bytes, file: file) } catch {
      throw BoardErrors(
        BoardError(
          file: file, line: error.line ?? 0, column: error.column ?? 1, found: error.found,
          expected: error.expected, hint: error.hint))
    }
    var board: Board
    do throws(BoardErrors) {
      board = try parse(trace.header.board, file: file, catalogue: catalogue)
    } catch { throw error.moved(by: trace.header.linesBeforeBoard) }
    if trace.header.version < 2 {
      for index in board.chips.indices { board.chips[index].settings.keepsLateSamples = false }
    }
    for index in board.buses.indices {
      board.buses[index].connection = .trace(board.buses[index].wire)
    }
    if let text = trace.header.calibration {
      var source = YAMLSource(text, file: file)
      let tree = source.tree()
      var reader = CalibrationReader(file: file, errors: source.errors)
      board.calibration = tree.flatMap { reader.calibration($0, chips: board.chips) }
      guard reader.errors.isEmpty else {
        throw BoardErrors(reader.errors).moved(by: trace.header.linesBeforeCalibration)
      }
    }
    board.learned = .off
    board.recordsHistory = false
    board.simulation = nil
    board.trace = trace
    return board
  }

  /// Returns the text of `board` for publication. This text leaves out the location and carrier,
  /// the names of other files, and lines that are only comments, because these may contain private
  /// data.
  public static func shareableText(of board: Board) -> String {
    var source = YAMLSource(board.text, file: board.file)
    var lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    guard case .mapping(let pairs)? = source.tree()?.content else { return board.text }
    let isRecorded = if case .recording? = board.simulation?.motion { true } else { false }
    let starts = pairs.map { $0.key.position.line - 1 } + [lines.count]
    for (index, pair) in pairs.enumerated().reversed() {
      let key = pair.key.text ?? ""
      guard BoardFormat.board[key]?.isPrivate == true || key == "simulation" && isRecorded else {
        continue
      }
      lines.removeSubrange(starts[index]..<max(starts[index], starts[index + 1]))
    }
    lines.removeAll { $0.drop { $0 == " " }.hasPrefix("#") }
    return lines.joined(separator: "\n")
  }
}

extension BoardErrors {
  /// Returns the errors with positions for a file that contains the text indented by two columns,
  /// after `lines` other lines.
  fileprivate func moved(by lines: Int) -> BoardErrors {
    BoardErrors(
      errors.map { error in
        var error = error
        if error.line > 0 {
          error.line += lines
          error.column += 2
        }
        return error
      })
  }
}
