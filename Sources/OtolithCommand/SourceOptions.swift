// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Otolith

/// The source of live motion: a board, or the service that has one.
struct SourceOptions: ParsableArguments {
  @OptionGroup var board: BoardOptions

  /// True where nothing is said of it.
  var isEmpty: Bool { board.path == nil && board.simulation.isEmpty }

  /// Says which board it is, and why.
  func choose() throws(Failure) -> any MotionSource { try chooseAndExplain().source }

  /// The same, for a caller that repeats the sentence elsewhere.
  func chooseAndExplain() throws(Failure) -> (source: any MotionSource, sentence: String) {
    let selection = try select()
    Terminal.complain("board: \(selection.sentence)")
    for remark in selection.remarks { Terminal.complain(remark) }
    return (selection.makeSource(), selection.sentence)
  }

  private func select() throws(Failure) -> SourceSelection {
    guard board.path == nil else { return .board(try board.select()) }
    let selection: SourceSelection
    do throws(SessionError) { selection = try SourceSelection.choose() } catch {
      throw Failure(error)
    }
    switch selection {
    case .board(var chosen):
      try board.simulation.apply(to: &chosen)
      return .board(chosen)
    case .service(_, let place):
      guard board.simulation.isEmpty else {
        throw Failure(
          "--simulate, --hold and --fault change a board of this process, and the otolith service "
            + "at \(place.path) has this one: name a board with --board", Failure.usage)
      }
      return selection
    }
  }
}
