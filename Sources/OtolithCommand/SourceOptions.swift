// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Boards
import Otolith
import Runtime

/// The source of live motion.
struct SourceOptions: ParsableArguments {
  @Option(help: "The board file.")
  var board: String?

  @OptionGroup(title: "Of a simulated board") var simulation: SimulationOptions

  /// Says which board it is, and why.
  func choose() throws(Failure) -> any MotionSource { try chooseAndExplain().source }

  /// The same, for a caller that repeats the sentence elsewhere.
  func chooseAndExplain() throws(Failure) -> (source: any MotionSource, sentence: String) {
    var selection: SourceSelection
    do throws(SessionError) { selection = try select() } catch { throw Failure(error) }
    Terminal.complain("board: \(selection.sentence)")
    for remark in selection.remarks { Terminal.complain(remark) }
    switch selection {
    case .board(var board):
      try simulation.apply(to: &board.board)
      selection = .board(board)
    case .service(_, let place):
      guard simulation.isEmpty else {
        throw Failure(
          "--hold and --fault change a board of this process, and the otolith service at "
            + "\(place.path) has this one: name a board with --board", Failure.usage)
      }
    }
    return (selection.makeSource(), selection.sentence)
  }

  private func select() throws(SessionError) -> SourceSelection {
    guard let board else { return try SourceSelection.choose() }
    do throws(BoardErrors) { return .board(try BoardSelection.choose(path: board)) } catch {
      throw .board(error)
    }
  }
}
