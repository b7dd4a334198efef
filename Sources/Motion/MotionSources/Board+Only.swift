// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import Quantities

extension Board {
  /// Uses the chips called `names`, and no others, for the quantities that these chips measure. The
  /// other quantities still come from the other chips.
  package mutating func use(only names: [String]) {
    let chosen = chips.filter { names.contains($0.name) }
    let measured = chosen.reduce(into: ChannelSet()) { $0.formUnion(BoardSession.channels(of: $1)) }
    for index in chips.indices {
      if names.contains(chips[index].name) {
        chips[index].uses = .all
      } else {
        chips[index].uses.subtract(measured)
      }
    }
  }
}
