// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities
internal import Text

/// The keys that describe how fusion combines a chip with other chips of the board.
extension BoardFormat {
  static let combining = [
    BoardKey(
      "uses", .choices(Channel.allCases.map { "\($0.row.key)" }),
      noun: "a list of quantities in brackets",
      "The quantities for which motion uses this chip. Chips that measure the same quantity are combined; `[]` keeps the chip "
        + "out of motion, and its samples are still recorded.",
      fallback: "all that it measures", example: "[acceleration, rotation-rate]",
      alsoCalled: ["use", "used-for", "channels"]),
    BoardKey(
      "position-mm", .vector, noun: "three numbers in mm, in brackets",
      "Where the chip sits along the device's x, y and z axes, from any point that is common to all chips: a turning device "
        + "accelerates two places differently.",
      fallback: "[0, 0, 0]", example: "[12, -30, 0]",
      alsoCalled: ["position", "lever-arm-mm", "offset-mm", "place-mm"]),
  ]
}

extension BoardReader {
  /// Reads the channels that motion uses from the chip; by default all.
  mutating func uses(_ fields: Fields, _ chip: ChipDescription?) -> ChannelSet {
    guard let field = fields["uses"] else { return .all }
    guard case .sequence(let items) = field.value.content else {
      refuse(field, hint: field.value.text.map { "write [\($0)]" })
      return .all
    }
    let measured = Channel.allCases.filter { channel in
      chip?.channels.contains { $0.channel == channel } ?? true
    }
    var set: ChannelSet = []
    for item in items {
      let word = item.text ?? ""
      if let channel = measured.first(where: { "\($0.row.key)" == word }) {
        set.insert(ChannelSet(channel))
        continue
      }
      let words = measured.map { "\($0.row.key)" }
      let guess = NearestWord.to(word, among: words)
      report(
        item.position, "'uses' has \(item.shown)",
        expected: "\(NearestWord.list(words)), which \(chip?.name ?? "the chip") measures",
        hint: guess.map { "did you mean '\($0)'?" })
    }
    return set
  }
}
