// SPDX-License-Identifier: Apache-2.0
internal import BusTraces
public import ChipCatalog
package import KernelSensors
internal import Text

/// Functions that read board files.
public enum BoardFile {
  /// Parses a board from `text`. Error messages contain `file` as the name of the file, and
  /// relative paths start at its folder. Throws all errors at once.
  public static func parse(_ text: String, file: String, catalogue: [ChipDescription])
    throws(BoardErrors) -> Board
  {
    try parse(text, file: file, catalogue: catalogue, seeksCalibration: false)
  }

  /// Loads the board from the file at `path`, and the board's calibration. The calibration file is
  /// the file that the board names, or else the file in the folder `calibration/` with the same
  /// name as the board file. If the file is a trace (docs/traces.md), the result is the board on
  /// which the trace was recorded, with the trace instead of its buses.
  ///
  /// If `path` is neither a path nor the name of a file, it is the name of a shipped board, such as
  /// `raspberry-pi-gy521`. With `drivenOnly: false` the board may contain unsupported chips; such a
  /// board can be drawn but not run.
  public static func load(
    path: String, catalogue: [ChipDescription], drivenOnly: Bool = true
  ) throws(BoardErrors) -> Board {
    let reading: TextFile.Reading
    var beginning: [UInt8] = []
    let bytes = TextFile.bytes(path) { bytes in
      beginning = Array(bytes.prefix(ForeignFile.beginning))
      return isTrace(bytes) ? Trace.largest : YAMLSource.largest
    }
    if let error = ForeignFile.error(beginning, file: path) { throw BoardErrors(error) }
    switch bytes {
    case .success(let bytes):
      if isTrace(bytes) { return try traced(bytes, file: path, catalogue: catalogue) }
      reading = TextFile.text(bytes)
    case .failure(let failure): reading = failure.reading
    }
    switch reading {
    case .text(let text):
      return try parse(
        text, file: path, catalogue: catalogue, seeksCalibration: true, drivenOnly: drivenOnly)
    case .tooLarge(let most):
      let isTrace = most == Trace.largest
      throw BoardErrors(
        BoardError(
          file: path, line: 1, column: 1,
          found: "the \(isTrace ? "trace" : "file") has more than \(most) bytes",
          hint: isTrace
            ? "record a shorter one, with --duration"
            : beginning.contains(0)
              ? "it is binary, and a board file is text (YAML)" : "is this a board file?"))
    case .problem(let problem):
      if problem == "no such file", let board = ShippedBoard.named(path) {
        return try parse(
          board.text, file: board.file + " (built in)", catalogue: catalogue,
          seeksCalibration: false, drivenOnly: drivenOnly)
      }
      guard !path.isEmpty else {
        throw BoardErrors(
          BoardError(
            file: "''", line: 0, column: 0, found: "an empty name",
            hint: "is a shell variable unset? the built-in boards: otolith boards list"))
      }
      let isThere = problem != "no such file" && problem != "is a folder"
      var error = BoardError(
        file: path, line: 0, column: 0, found: problem,
        hint: isThere ? nil : otherBoards(than: path))
      error.isDenied = problem == "permission denied"
      throw BoardErrors(error)
    }
  }

  /// Returns the embedded simulated board, for programs that have no board file.
  public static func simulated(catalogue: [ChipDescription]) throws(BoardErrors) -> Board {
    let board = ShippedBoard.simulated
    return try parse(board.text, file: board.file + " (built in)", catalogue: catalogue)
  }

  /// Parses a board from `text`; `kernelSensors` returns the sensors that the kernel reads.
  package static func parse(
    _ text: String, file: String, catalogue: [ChipDescription], seeksCalibration: Bool,
    drivenOnly: Bool = true, kernelSensors: @escaping () -> [KernelSensor] = { KernelSensor.all() }
  ) throws(BoardErrors) -> Board {
    var source = YAMLSource(text, file: file)
    let tree = source.tree()
    var reader = BoardReader(
      file: file, catalogue: catalogue, seeksCalibration: seeksCalibration, errors: source.errors,
      kernelSensors: kernelSensors)
    if tree == nil, source.errors.isEmpty {
      // A file that contains only comments has no YAML tree.
      let empty = YAMLTree(content: .scalar("", plain: true), position: .start)
      _ = reader.board(empty)
    }
    let board = tree.flatMap { reader.board($0) }
    let errors = reader.errors.filter { drivenOnly || $0.unsupportedChip == nil }
    guard errors.isEmpty, var board else {
      throw BoardErrors(reader.errors)
    }
    board.text = text
    return board
  }

  /// Returns a hint for a board file that does not exist: a board with a similar name, the boards
  /// in the same folder, or the built-in boards.
  private static func otherBoards(than path: String) -> String? {
    var folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var name = String(path.dropFirst(folder.count))
    if case .problem("is a folder") = TextFile.kind(path) {
      folder = path.hasSuffix("/") ? path : path + "/"
      name = ""
    }
    let boards = TextFile.names(in: folder, endingIn: ".yaml")
    if !name.isEmpty, let guess = NearestWord.to(name, among: boards) {
      return "did you mean \(folder)\(guess)?"
    }
    let stem = name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name
    if folder.isEmpty, let guess = NearestWord.to(stem, among: ShippedBoard.all.map(\.name)) {
      return "did you mean the built-in board '\(guess)'?"
    }
    guard !boards.isEmpty else {
      return name.isEmpty
        ? "name a board file in it"
        : path.contains(".") || !folder.isEmpty
          ? nil : "the built-in boards: otolith boards list"
    }
    let shown = boards.prefix(12).joined(separator: ", ") + (boards.count > 12 ? ", ..." : "")
    return "boards in this folder: \(shown)"
  }
}
