// SPDX-License-Identifier: Apache-2.0
package import Boards
import MotionSources
import Otolith
package import Runtime

extension MotionSource {
  /// Returns the remarks about the chip at `index`: that it is a different part from the one in the
  /// board file, that its samples are faulty, or that fusion does not use it.
  package func notes(ofChip index: Int) -> [String] {
    guard pipeline.chips.indices.contains(index) else { return [] }
    return remarks(ofChip: index) + [unusedNote(ofChip: index)].compactMap(\.self)
  }

  /// The remarks about all chips of the source.
  package var notes: [String] { pipeline.chips.indices.flatMap(notes(ofChip:)) }

  /// The remarks about chips that fusion does not use. They are known before the source starts.
  package var unusedNotes: [String] { pipeline.chips.indices.compactMap(unusedNote(ofChip:)) }

  /// The remarks about the roles of the chips, for users who start the source: which chips are
  /// combined, and which are not used.
  package var roleNotes: [String] { roles.combinedNotes(rest) + unusedNotes }

  private func unusedNote(ofChip index: Int) -> String? { roles.unusedNote(of: index, rest) }

  private var roles: NamedRoles {
    NamedRoles(pipeline.roles, names: pipeline.roles.indices.map(name(ofChip:)))
  }

  private var rest: String { "otolith record writes each" }
}

extension Board {
  /// The remarks about the roles of the board's chips: which are combined, and which are not used.
  package var notes: [String] {
    let roles = NamedRoles(ChipRole.roles(of: pipelineChips), names: chips.map(\.name))
    let rest = "otolith record writes each"
    return roles.combinedNotes(rest) + chips.indices.compactMap { roles.unusedNote(of: $0, rest) }
  }
}

/// The roles of a board's chips, with their names.
private struct NamedRoles {
  private let roles: [ChipRole]
  private let names: [String]

  init(_ roles: [ChipRole], names: [String]) {
    self.roles = roles
    self.names = names
  }

  private func words(_ channels: ChannelSet) -> String {
    Channel.allCases.filter { channels.contains($0) }.map { "\($0.row.words)" }
      .joined(separator: " and ")
  }

  /// Returns a remark, followed by `more`, for each set of chips that are combined.
  func combinedNotes(_ more: String) -> [String] {
    var sets: [(chips: [Int], channels: ChannelSet)] = []
    for channel in Channel.allCases {
      let chips = roles.indices.filter { roles[$0].combined.contains(channel) }
      guard !chips.isEmpty else { continue }
      if let index = sets.firstIndex(where: { $0.chips == chips }) {
        sets[index].channels.insert(ChannelSet(channel))
      } else {
        sets.append((chips, ChannelSet(channel)))
      }
    }
    return sets.map { chips, channels in
      "motion combines \(words(channels)) of \(chips.map { names[$0] }.joined(separator: " and ")); "
        + more
    }
  }

  /// Returns a remark, followed by `more`, if fusion does not use all channels of the chip at
  /// `index`. The remark names the chips that are used instead, if there are any.
  func unusedNote(of index: Int, _ more: String) -> String? {
    let unused = roles[index].unused.subtracting(.temperature)
    guard !unused.isEmpty else { return nil }
    let others = roles.indices.filter { !roles[$0].used.isDisjoint(with: unused) }
      .map { names[$0] }
    return others.isEmpty
      ? "\(names[index]): fusion does not use its \(words(unused)); \(more)"
      : "\(names[index]): fusion uses \(words(unused)) from "
        + "\(others.joined(separator: " and ")), not from this chip; \(more)"
  }
}
