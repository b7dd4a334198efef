// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Samples as the text that `RecordingReader` reads. Numbers are written in the shortest form that reads back as the same
/// double, times to the nanosecond.
public enum SampleFormat {
  /// The header row for samples of `channels`, with its line end.
  public static func csvHeader(_ channels: ChannelSet) -> String {
    var names = [RecordingColumns.names[0]]
    for (channel, slots) in RecordingColumns.channels where channels.contains(channel) {
      names += RecordingColumns.names[slots]
    }
    return names.joined(separator: ",") + "\n"
  }

  /// Appends `sample` to `buffer` as one row of a recording of `channels`. What it has not sampled, or is not finite, is an
  /// empty cell; a vector is there as a whole or not at all.
  public static func appendCSV(
    _ sample: Sample, _ channels: ChannelSet, to buffer: inout [UInt8]
  ) {
    buffer += MotionFormat.seconds(sample.timestamp).utf8
    for (channel, slots) in RecordingColumns.channels where channels.contains(channel) {
      let values = values(of: channel, in: sample)
      let isThere = sample.channels.contains(channel) && values.allSatisfy(\.isFinite)
      for index in slots.indices {
        buffer.append(UInt8(ascii: ","))
        let place = slots.distance(from: slots.startIndex, to: index)
        if isThere { buffer += values[place].description.utf8 }
      }
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  private static func values(of channel: Channel, in sample: Sample) -> [Double] {
    switch channel {
    case .acceleration: components(sample.acceleration)
    case .rotationRate: components(sample.rotationRate)
    case .magneticField: components(sample.magneticField)
    case .pressure: [sample.pressure]
    case .temperature: [sample.temperature]
    case .humidity: [sample.humidity]
    }
  }

  private static func components(_ vector: Vector3) -> [Double] { [vector.x, vector.y, vector.z] }
}
