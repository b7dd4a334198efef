// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension BoardFormat {
  /// The channels that a simulated board can measure without a chip.
  static let sensedChannels = Channel.allCases.filter { !$0.isVector }

  static let senses = BoardSection(
    name: "senses", title: "what is sensed without a chip",
    summary:
      "What a simulated board samples without a chip, straight from its world: for a quantity of "
      + "which no chip has a model, or that no chip of the board measures.",
    keys: sensedChannels.map { channel in
      BoardKey(
        key(ofSensed: channel), .number(0.01...1000), noun: "a number of samples per second",
        "Samples of the \(channel.row.words), \(channel.row.unitWords).", fallback: "none",
        example: "10", alsoCalled: ["\(channel.row.key)", "\(channel.row.key)-rate-hz"])
    })

  fileprivate static func key(ofSensed channel: Channel) -> String { "\(channel.row.key)-hz" }
}

extension BoardReader {
  /// Returns the sample rates in Hz of the channels that are measured without a chip.
  mutating func senses(_ simulation: Fields) -> [Channel: Double] {
    guard let field = simulation["senses"],
      let fields = fields(
        field.value, BoardFormat.senses, owner: "'senses'", at: field.keyPosition)
    else { return [:] }
    var senses: [Channel: Double] = [:]
    for channel in BoardFormat.sensedChannels {
      senses[channel] = number(fields, BoardFormat.key(ofSensed: channel))
    }
    return senses
  }
}
