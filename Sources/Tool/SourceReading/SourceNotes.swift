// SPDX-License-Identifier: Apache-2.0
import Boards
import MotionSources
import Otolith
package import Runtime

extension MotionSource {
  /// Returns the remarks about the chip at `index`: it is a different part from the one in the
  /// board file, its samples are faulty, or fusion uses another chip instead.
  package func notes(ofChip index: Int) -> [String] {
    guard pipeline.chips.indices.contains(index) else { return [] }
    return remarks(ofChip: index) + [unusedNote(ofChip: index)].compactMap(\.self)
  }

  /// The remarks about all chips of the source.
  package var notes: [String] { pipeline.chips.indices.flatMap(notes(ofChip:)) }

  /// The remarks about chips that fusion does not use; these are known before the source starts.
  package var unusedNotes: [String] { pipeline.chips.indices.compactMap(unusedNote(ofChip:)) }

  private func unusedNote(ofChip index: Int) -> String? {
    let chips = pipeline.chips.indices.map {
      (name: name(ofChip: $0), channels: channels(ofChip: $0))
    }
    return UnusedChips.note(
      of: index, among: chips,
      kind.isService
        ? "the service sends only the samples that fusion uses" : "otolith record writes both")
  }
}

extension Board {
  /// The remarks about chips whose samples fusion does not use.
  package var notes: [String] {
    let chips = chips.map { (name: $0.name, channels: BoardSession.channels(of: $0)) }
    return chips.indices.compactMap {
      UnusedChips.note(of: $0, among: chips, "otolith record writes both")
    }
  }
}

/// Finds the chips of a board whose channels another chip already provides.
private enum UnusedChips {
  /// Returns a remark, followed by `more`, if fusion does not use all channels of the chip at
  /// `index`; it names the chips used instead. Temperature is ignored, because each IMU measures
  /// its own.
  static func note(
    of index: Int, among chips: [(name: String, channels: ChannelSet)], _ more: String
  ) -> String? {
    let used = MotionPipeline.channelsUsed(of: chips.map(\.channels))
    let unused = chips[index].channels.subtracting(used[index]).subtracting(.temperature)
    guard !unused.isEmpty else { return nil }
    let words = Channel.allCases.filter { unused.contains($0) }.map { "\($0.row.words)" }
    let others = chips.indices.filter { !used[$0].isDisjoint(with: unused) }.map { chips[$0].name }
    return "\(chips[index].name): fusion uses \(words.joined(separator: " and ")) from "
      + "\(others.joined(separator: " and ")), not from this chip; \(more)"
  }
}
