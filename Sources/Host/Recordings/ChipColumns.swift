// SPDX-License-Identifier: Apache-2.0
package import Quantities
internal import Text

/// The columns for quantities that several chips of a board measure. Columns of chips that fusion
/// does not use are prefixed with the chip's name: `imu-b.acceleration.x`.
package struct ChipColumns: Sendable {
  package struct Chip: Sendable {
    /// The chip's place in the board.
    package var source: Int
    /// As in the board file: letters, digits, '-' and '_', which need no quotes in CSV or JSON.
    package var name: String
    package var channels: ChannelSet

    package init(source: Int, name: String, channels: ChannelSet) {
      self.source = source
      self.name = name
      self.channels = channels
    }
  }

  package let chips: [Chip]

  package init(_ chips: [Chip] = []) { self.chips = chips.filter { !$0.channels.isEmpty } }

  package var isEmpty: Bool { chips.isEmpty }

  /// The columns of each chip, in the order of the file.
  private func columns(of chip: Chip) -> [(channel: Channel, slots: ClosedRange<Int>)] {
    RecordingColumns.channels.filter { chip.channels.contains($0.channel) }
  }

  private static func name(_ slot: Int, of chip: Chip) -> String {
    "\(chip.name).\(RecordingColumns.names[slot])"
  }

  /// The names of the columns, a comma before each.
  var csvHeader: String {
    chips.flatMap { chip in
      columns(of: chip).flatMap(\.slots).map { "," + Self.name($0, of: chip) }
    }.joined()
  }

  /// Appends the cells of all chips, a comma before each: those of `sample` for the chip `source`,
  /// empty cells for the others and without a sample.
  func appendCSV(_ sample: Sample?, of source: Int, to line: inout [UInt8]) {
    for chip in chips {
      for (channel, slots) in columns(of: chip) {
        let values = chip.source == source ? Self.values(sample, channel, slots.count) : nil
        for index in slots.indices {
          line.append(UInt8(ascii: ","))
          let place = slots.distance(from: slots.startIndex, to: index)
          if let values { line += values[place].description.utf8 }
        }
      }
    }
  }

  /// Appends the members of `sample` of the chip `source`, a comma before each.
  func appendJSON(_ sample: Sample?, of source: Int, to line: inout [UInt8]) {
    for chip in chips where chip.source == source {
      for (channel, slots) in columns(of: chip) {
        guard let values = Self.values(sample, channel, slots.count) else { continue }
        for (slot, value) in zip(slots, values) {
          line.append(UInt8(ascii: ","))
          JSON.append(name: Self.name(slot, of: chip), to: &line)
          JSON.append(value, to: &line)
        }
      }
    }
  }

  /// `nil` if it was not sampled, or is not finite.
  private static func values(_ sample: Sample?, _ channel: Channel, _ count: Int) -> [Double]? {
    guard let sample, sample.channels.contains(channel) else { return nil }
    let value = sample[channel]
    let values = Array([value.x, value.y, value.z].prefix(count))
    return values.allSatisfy(\.isFinite) ? values : nil
  }
}

extension ChipColumns {
  /// The chip and the channel of the column `name`: `b` for `b.acceleration.x`; `nil` without a
  /// chip prefix.
  static func quantity(_ name: String) -> (chip: String, channel: Channel)? {
    for (channel, slots) in RecordingColumns.channels {
      for slot in slots where name.hasSuffix("." + RecordingColumns.names[slot]) {
        let chip = name.dropLast(RecordingColumns.names[slot].count + 1)
        if !chip.isEmpty { return (String(chip), channel) }
      }
    }
    return nil
  }
}
