// SPDX-License-Identifier: Apache-2.0
package import Quantities
internal import Text

/// The columns of a file for chips that measure the same quantities as other chips of the board.
/// The columns of chips that fusion does not use begin with the chip's name:
/// `imu-b.acceleration.x`.
package struct ChipColumns: Sendable {
  package struct Chip: Sendable {
    /// The index of the chip in the board.
    package var source: Int
    /// The name of the chip in the board file. The name consists of letters, digits, '-' and '_',
    /// which need no quotation marks in CSV or JSON.
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

  /// Returns the names of a chip's columns, in the order of the file.
  private func columns(of chip: Chip) -> [(channel: Channel, slots: ClosedRange<Int>)] {
    RecordingColumns.channels.filter { chip.channels.contains($0.channel) }
  }

  private static func name(_ slot: Int, of chip: Chip) -> String {
    "\(chip.name).\(RecordingColumns.names[slot])"
  }

  /// The names of all columns, each after a comma.
  var csvHeader: String {
    chips.flatMap { chip in
      columns(of: chip).flatMap(\.slots).map { "," + Self.name($0, of: chip) }
    }.joined()
  }

  /// Appends the cells of all chips, each after a comma. For the chip `source` the cells hold the
  /// values of `sample`; the cells of other chips are empty, as are all cells without a sample.
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

  /// Appends the members of a JSON object for `sample` of the chip `source`, each after a comma.
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

  /// Returns the values of a channel; `nil` if the channel was not sampled or a value is not
  /// finite.
  private static func values(_ sample: Sample?, _ channel: Channel, _ count: Int) -> [Double]? {
    guard let sample, sample.channels.contains(channel) else { return nil }
    let value = sample[channel]
    let values = Array([value.x, value.y, value.z].prefix(count))
    return values.allSatisfy(\.isFinite) ? values : nil
  }
}

extension ChipColumns {
  /// Returns the chip and the channel of a column: `b` and acceleration for `b.acceleration.x`.
  /// Returns `nil` if the name has no chip.
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
