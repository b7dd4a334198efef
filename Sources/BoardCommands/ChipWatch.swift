// SPDX-License-Identifier: Apache-2.0
import Boards
import MotionSources
import Otolith
package import Runtime
import Sensors

/// Tells of chips that fall silent while a source is followed.
package struct ChipWatch {
  private let source: any MotionSource
  private var silent: Set<Int> = []
  /// The notes that were told, those of the start among them.
  private var notes: Set<String>

  package init(of source: any MotionSource) {
    self.source = source
    notes = Set(source.unusedNotes)
  }

  /// Says, once for each change, which chip fell silent and which came back (one that is starting
  /// again has not yet), and which is another part than the board file says.
  package mutating func report() {
    var said: [String] = []
    for note in source.notes where notes.insert(note).inserted { Terminal.complain(note) }
    for (index, state) in source.pipeline.chips.enumerated() {
      switch state {
      case .failed(let error):
        // Counters tell of hiccups; a line is for what lasts.
        guard silent.insert(index).inserted else { continue }
        let sentence = source.sentence(for: error, ofChip: index)
        // A service that is gone is one line, however many chips it has.
        if !said.contains(sentence) { Terminal.complain(sentence) }
        said.append(sentence)
      case .delivering:
        guard silent.remove(index) != nil else { continue }
        Terminal.complain("\(source.name(ofChip: index)): gives samples again")
      case .starting: break
      }
    }
  }

  /// The reason why nothing came at all.
  package var silence: Failure {
    for (index, state) in source.pipeline.chips.enumerated() {
      if case .failed(let error) = state {
        return Failure(
          "no motion: \(source.sentence(for: error, ofChip: index))", Failure.unavailable)
      }
    }
    for chip in source.report where chip.quality.isWithoutValue {
      return Failure("no motion: \(chip.name): \(ChipPlacement.withoutValue)", Failure.unavailable)
    }
    return Failure(
      "no motion: no chip of \(source.place) gives samples", Failure.unavailable)
  }
}
