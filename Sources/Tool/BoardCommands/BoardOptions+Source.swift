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
  /// a simulated board must be named: a program that reads the log must not mistake it for real
  /// motion.
  package func choose(to log: Bool = false) throws(Failure) -> any MotionSource {
    try chooseAndExplain(to: log).source
  }

  /// Chooses the source, and returns the sentence about the choice instead of printing it.
  package func chooseAndExplain(
    to log: Bool = false
  ) throws(Failure) -> (source: any MotionSource, sentence: String) {
    let selection = try selectSource()
    if log, simulation.isEmpty, case .board(let chosen) = selection,
      chosen.reason == .nothingElse
    {
      for remark in selection.remarks { Terminal.complain(remark) }
      throw Failure.noSensor
    }
    Terminal.complain("board: \(selection.sentence)")
    for remark in selection.remarks { Terminal.complain(remark) }
    let source = selection.makeSource()
    for note in source.unusedNotes { Terminal.complain(note) }
    return (source, selection.sentence)
  }

  private func selectSource() throws(Failure) -> SourceSelection {
    guard path == nil else { return .board(try select()) }
    let selection: SourceSelection
    do throws(SessionError) { selection = try SourceSelection.choose() } catch {
      throw Failure(error)
    }
    switch selection {
    case .board(var chosen):
      try simulation.apply(to: &chosen)
      return .board(chosen)
    case .service(_, let place):
      guard simulation.isEmpty else {
        throw Failure(
          "--simulate, --hold and --fault change a board of this process, and the otolith service "
            + "at \(place.path) has this one: name a board with --board", Failure.usage)
      }
      return selection
    }
  }
}
