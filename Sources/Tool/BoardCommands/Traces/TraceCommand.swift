// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import BusTraces
import Boards
import ChipCatalog
import Otolith

package struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Record the traffic of a board's buses, and play it back.",
    discussion: """
      A trace is a text file that contains the board file, all transactions with time and bytes, \
      the edges of interrupt lines and the calls of drivers: a bug report that can be run without \
      the board. All commands accept a trace in place of a board file; its buses then answer from \
      the recording. docs/traces.md has the details.
      """,
    subcommands: [RecordTrace.self, PlayTrace.self, ShowTrace.self])
}

struct TraceArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The trace.", valueName: "file.trace"),
    completion: .file(extensions: ["trace"]))
  var file: String

  /// Loads the trace and its board, and prints the remarks about the trace.
  func load() throws(Failure) -> (board: Board, trace: Trace) {
    let board: Board
    do throws(BoardErrors) {
      board = try BoardFile.load(path: file, catalogue: ChipCatalog.descriptions)
    } catch {
      var failure = Failure(error)
      if failure.status == Failure.configuration { failure.status = Failure.badData }
      throw failure
    }
    guard let trace = board.trace else {
      throw Failure(
        "\(file): is a board file, not a trace; record one: otolith trace record --board \(file) "
          + "--output my.trace", Failure.badData)
    }
    for remark in trace.remarks { Terminal.complain(remark) }
    return (board, trace)
  }
}

extension TraceTransaction.Request {
  /// The transaction in the notation of trace files, such as `r 0x3B 14` or `w 0x6B 80`.
  var text: String {
    switch self {
    case .read(let register, let count): "r \(TraceFormat.hexadecimal(register)) \(count)"
    case .write(let register, let bytes):
      "w \(TraceFormat.hexadecimal(register)) "
        + bytes.map { TraceFormat.hexadecimal($0).dropFirst(2) }.joined()
    }
  }
}
