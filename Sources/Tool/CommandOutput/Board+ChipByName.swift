// SPDX-License-Identifier: Apache-2.0
package import Boards
import ChipCatalog
import Text

extension Board {
  /// Returns the chip called `word` in the board file, or the chip of kind `word` if there is only
  /// one.
  package func chip(
    named word: String, among able: [ChipPlacement]? = nil, is what: String = ""
  ) throws(Failure) -> ChipPlacement {
    let able = able ?? chips
    if let chip = able.first(where: { $0.name == word }) { return chip }
    let kind = ChipCatalog.descriptions.meant(by: word)?.name
    let ofKind = able.filter { $0.chip == kind }
    if let chip = ofKind.first, ofKind.count == 1 { return chip }
    let names = able.map(\.name)
    let advice =
      NearestWord.to(word, among: names).map { "did you mean '\($0)'?" }
      ?? (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))")
    throw Failure("\(file) has no chip '\(word)'\(what); \(advice)", Failure.usage)
  }
}
