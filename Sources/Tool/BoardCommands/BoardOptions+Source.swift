// SPDX-License-Identifier: Apache-2.0
import SourceReading
package import CommandOutput
import Boards
import MotionSources
import Otolith
package import Runtime

// Chooses the source of live motion: a board, or the service that runs it.
extension BoardOptions {
  /// True if neither a board nor a simulation option is given.
  package var isEmpty: Bool { path == nil && simulation.isEmpty }

  /// Chooses the source, and prints the board and the reason for the choice. If a `log` is written,
  /// the user must name a simulated board explicitly; otherwise a program that reads the log could
  /// mistake its motion for real motion.
  package func choose(
    to log: Bool = false, only: OnlyOption? = nil
  ) throws(Failure) -> any MotionSource {
    try chooseAndExplain(to: log, only: only).source
  }

  /// Chooses the source as `choose(to:only:)` does, and also returns the message that explains the
  /// choice.
  package func chooseAndExplain(
    to log: Bool = false, only: OnlyOption? = nil
  ) throws(Failure) -> (source: any MotionSource, sentence: String) {
    let selection = try selectSource(only)
    if log, simulation.isEmpty, case .board(let chosen) = selection,
      chosen.reason == .nothingElse
    {
      for remark in selection.remarks { Terminal.complain(remark) }
      throw Failure.noSensor
    }
    Terminal.complain("board: \(selection.sentence)")
    for remark in selection.remarks { Terminal.complain(remark) }
    let source = selection.makeSource()
    for note in source.roleNotes { Terminal.complain(note) }
    return (source, selection.sentence)
  }

  private func selectSource(_ only: OnlyOption?) throws(Failure) -> SourceSelection {
    guard path == nil else {
      var chosen = try select()
      try only?.apply(to: &chosen.board)
      return .board(chosen)
    }
    let selection: SourceSelection
    do throws(SessionError) { selection = try SourceSelection.choose() } catch {
      throw Failure(error)
    }
    switch selection {
    case .board(var chosen):
      try simulation.apply(to: &chosen)
      try only?.apply(to: &chosen.board)
      return .board(chosen)
    case .service(_, let place):
      guard simulation.isEmpty, only?.isEmpty ?? true else {
        let options =
          simulation.isEmpty ? "--only changes" : "--simulate, --hold and --fault change"
        throw Failure(
          "\(options) a board of this process, and the otolith service "
            + "at \(place.path) has this one: name a board with --board", Failure.usage)
      }
      return selection
    }
  }
}
