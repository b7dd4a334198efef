// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
import Boards
import MotionSources
import Otolith
package import Runtime
import Sensors

/// A watch that reports chips that stop delivering samples while a source runs.
package struct ChipWatch {
  private let source: any MotionSource
  private var silent: Set<Int> = []
  /// The notes that were already reported, including those at the start.
  private var notes: Set<String>
  /// The conditions of combined chips that were reported and have not ended.
  private var conditions: [Int: [String]] = [:]
  private var ended: Set<String> = []

  package init(of source: any MotionSource) {
    self.source = source
    notes = Set(source.unusedNotes)
  }

  /// Prints each change once: which chip stopped, which chip recovered (except during a restart),
  /// and which chip is a different part from the one in the board file.
  package mutating func report() {
    var said: [String] = []
    for note in source.notes where notes.insert(note).inserted { Terminal.complain(note) }
    let chips = source.pipeline.chips
    for (index, state) in chips.enumerated() {
      reportCondition(ofChip: index)
      switch state {
      case .failed(let error):
        // Print a line only for a lasting error; the counters contain short errors.
        guard silent.insert(index).inserted else { continue }
        let sentence = source.failure(error, ofChip: index, chips)
        // If the service is lost, print this only once, although all of its chips fail.
        if !said.contains(sentence) { Terminal.complain(sentence) }
        said.append(sentence)
      case .delivering:
        guard silent.remove(index) != nil else { continue }
        Terminal.complain("\(source.name(ofChip: index)): delivers samples again")
      case .starting: break
      }
    }
  }

  /// Prints once that a condition has ended, if the condition was reported as a note.
  private mutating func reportCondition(ofChip index: Int) {
    let present = source.conditionRemarks(ofChip: index)
    let before = conditions.updateValue(present, forKey: index) ?? []
    guard present.isEmpty, !before.isEmpty, !silent.contains(index),
      ended.insert(before.joined()).inserted
    else { return }
    Terminal.complain("\(source.name(ofChip: index)): agrees with the other chips again")
  }

  /// The failure for a source that delivered no samples.
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
