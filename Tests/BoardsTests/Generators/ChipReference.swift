// SPDX-License-Identifier: Apache-2.0
@testable import Boards
import ChipCatalog
import Text

/// The catalogue of chips as tables for documentation.
enum ChipReference {
  /// The text between `<!-- chips: begin -->` and `<!-- chips: end -->` in
  /// `docs/reference/chips.md`.
  static var markdown: String {
    var lines = [
      "| Part | Name in board files | Measures | Bus | Addresses | Says at register | Rates in Hz | Read by |",
      "|---|---|---|---|---|---|---|---|",
    ]
    for chip in ChipCatalog.descriptions {
      let identities = chip.identity.supported.map(\.hexadecimal)
      let cells = [
        "[\(chip.title)](chips/\(ChipPage.file(of: chip)))", "`\(chip.name)`", chip.summary,
        NearestWord.list(chip.wires.map { $0.title }),
        NearestWord.list(chip.addresses.map(\.hexadecimal)),
        "\(chip.identity.register.hexadecimal): \(NearestWord.list(identities))",
        "\((chip.rates.min() ?? 0).short) to \((chip.rates.max() ?? 0).short)",
        NearestWord.list(chip.acquisitions.map(\.boardName)),
      ]
      lines.append("| \(cells.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The text between `<!-- drives: begin -->` and `<!-- drives: end -->` in `README.md`: the
  /// chips by measured quantity, one line for each kind.
  static var overview: String {
    var kinds: [(summary: String, links: [String])] = []
    for chip in ChipCatalog.descriptions {
      let link = "[\(chip.title)](docs/reference/chips/\(ChipPage.file(of: chip)))"
      if let index = kinds.firstIndex(where: { $0.summary == chip.summary }) {
        kinds[index].links.append(link)
      } else {
        kinds.append((chip.summary, [link]))
      }
    }
    let rows = kinds.map { "| \($0.summary) | \($0.links.joined(separator: " · ")) |" }
    return (["| Measures | Chips |", "|---|---|"] + rows).joined(separator: "\n") + "\n"
  }

  /// The text between `<!-- known: begin -->` and its end mark: the chips that are known but not
  /// supported.
  static var knownMarkdown: String {
    var lines = [
      "| Part | Name in board files | Measures | Address: register holds | Next step |",
      "|---|---|---|---|---|",
    ]
    for chip in KnownChips.all {
      let places = chip.identities.map { identity in
        let addresses = NearestWord.list(identity.addresses.map(\.hexadecimal))
        guard let register = identity.register else {
          return "\(addresses): cannot be identified"
        }
        return
          "\(addresses): \(register.hexadecimal) holds \(NearestWord.list(identity.values.map(\.hexadecimal)))"
      }
      let cells = [
        chip.title, "`\(chip.name)`", chip.summary, places.joined(separator: "; "), chip.instead,
      ]
      lines.append("| \(cells.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
