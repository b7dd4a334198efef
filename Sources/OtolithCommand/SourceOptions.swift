// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Otolith

/// The source of live motion.
struct SourceOptions: ParsableArguments {
  @Option(help: "The board file.")
  var board: String?

  @OptionGroup(title: "Of a simulated board") var simulation: SimulationOptions

  /// Says which board it is, and why. With a `log` to write, the simulated board has to be named: a
  /// program that reads the log must not take made-up motion for a sensor's.
  func choose(to log: Bool = false) throws(Failure) -> any MotionSource {
    try chooseAndExplain(to: log).source
  }

  /// The same, for a caller that repeats the sentence elsewhere.
  func chooseAndExplain(
    to log: Bool = false
  ) throws(Failure) -> (source: any MotionSource, sentence: String) {
    var selection: SourceSelection
    do throws(SessionError) { selection = try select() } catch { throw Failure(error) }
    if log, case .board(let board) = selection, board.reason == .nothingElse {
      for remark in selection.remarks { Terminal.complain(remark) }
      throw Failure.noSensor(to: "log")
    }
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
