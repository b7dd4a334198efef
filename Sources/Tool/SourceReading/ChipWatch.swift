// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
import Boards
import MotionSources
import Otolith
package import Runtime
import Sensors

/// Reports chips that stop delivering samples while a source runs.
package struct ChipWatch {
  private let source: any MotionSource
  private var silent: Set<Int> = []
  /// The notes already reported, including those at the start.
  private var notes: Set<String>

  package init(of source: any MotionSource) {
    self.source = source
    notes = Set(source.unusedNotes)
  }

  /// Prints each change once: which chip stopped, which recovered (not while it restarts), and
  /// which is a different part from the one in the board file.
  package mutating func report() {
    var said: [String] = []
    for note in source.notes where notes.insert(note).inserted { Terminal.complain(note) }
    for (index, state) in source.pipeline.chips.enumerated() {
      switch state {
      case .failed(let error):
        // Print a line only for a lasting error; short ones are in the counters.
        guard silent.insert(index).inserted else { continue }
        let sentence = source.sentence(for: error, ofChip: index)
        // Print a lost service once, however many chips it has.
        if !said.contains(sentence) { Terminal.complain(sentence) }
        said.append(sentence)
      case .delivering:
        guard silent.remove(index) != nil else { continue }
        Terminal.complain("\(source.name(ofChip: index)): delivers samples again")
      case .starting: break
      }
    }
  }

  /// The failure for a source that delivered no samples at all.
  package var silence: Failure {
    for (index, state) in source.pipeline.chips.enumerated() {
      if case .failed(let error) = state {
        return Failure(
          "no motion: \(source.sentence(for: error, ofChip: index))", Failure.unavailable)
      }
    }
    for chip in source.report where chip.losses.isWithoutValue {
      return Failure("no motion: \(chip.name): \(ChipPlacement.withoutValue)", Failure.unavailable)
    }
    return Failure(
      "no motion: no chip of \(source.place) gives samples", Failure.unavailable)
  }
}
