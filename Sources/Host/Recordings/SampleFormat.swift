// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Text

/// Samples as text for `RecordingReader`. Numbers are written in the shortest form that is read
/// back as the same double, and times to the nanosecond.
public enum SampleFormat {
  /// Returns the header row for samples of `channels`, with its line end.
  public static func csvHeader(_ channels: ChannelSet) -> String {
    var names = [RecordingColumns.names[0]]
    for (channel, slots) in RecordingColumns.channels where channels.contains(channel) {
      names += RecordingColumns.names[slots]
    }
    return names.joined(separator: ",") + "\n"
  }

  /// Appends `sample` to `buffer` as a row of a recording of `channels`. Values that are missing or
  /// not finite are empty cells. A vector is written completely or not at all.
  public static func appendCSV(
    _ sample: Sample, _ channels: ChannelSet, to buffer: inout [UInt8]
  ) {
    buffer += MotionFormat.seconds(sample.timestamp).utf8
    for (channel, slots) in RecordingColumns.channels where channels.contains(channel) {
      let value = sample[channel]
      let values = [value.x, value.y, value.z].prefix(slots.count)
      let isThere = sample.channels.contains(channel) && values.allSatisfy(\.isFinite)
      for value in values {
        buffer.append(UInt8(ascii: ","))
        if isThere { buffer += value.description.utf8 }
      }
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Appends `sample` to `buffer` as a line with one JSON object that has the same names. Values
  /// that are missing or not finite are absent members.
  package static func appendJSON(
    _ sample: Sample, _ channels: ChannelSet, to buffer: inout [UInt8]
  ) {
    buffer.append(UInt8(ascii: "{"))
    JSON.append(name: RecordingColumns.names[0], to: &buffer)
    buffer += MotionFormat.seconds(sample.timestamp).utf8
    for (channel, slots) in RecordingColumns.channels
    where channels.contains(channel) && sample.channels.contains(channel) {
      let value = sample[channel]
      let values = [value.x, value.y, value.z].prefix(slots.count)
      guard values.allSatisfy(\.isFinite) else { continue }
      for (slot, value) in zip(slots, values) {
        buffer.append(UInt8(ascii: ","))
        JSON.append(name: RecordingColumns.names[slot], to: &buffer)
        JSON.append(value, to: &buffer)
      }
    }
    buffer += "}\n".utf8
  }
}
