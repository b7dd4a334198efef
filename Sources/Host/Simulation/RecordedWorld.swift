// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Recordings

/// Surroundings that repeat a recording in a loop. Values between two rows are interpolated
/// linearly.
public final class RecordedWorld: World {
  private struct Track {
    var times: [Timestamp] = []
    var values: [Vector3] = []
    /// The index of the recorded row that was accessed last. Most accesses move forwards from that
    /// row.
    var cursor = 0
  }

  private var tracks: [Track]
  private let channels: ChannelSet
  private let first: Timestamp
  private let length: Int64
  private let origin: Timestamp

  /// A message for users about rows that were skipped; `nil` if none was.
  package let remark: String?

  /// Reads the recording at `path`, whose first row is at `origin`. Rows that are invalid or not in
  /// the order of their times are skipped. Throws if the file cannot be read or has fewer than two
  /// times.
  public init(path: String, origin: Timestamp) throws(RecordingError) {
    var reader = try RecordingReader(path: path, order: .lenient)
    channels = reader.channels
    var tracks = [Track](repeating: Track(), count: Channel.allCases.count)
    var first: Timestamp?
    var last = Timestamp.zero
    while let sample = try reader.next() {
      let time = sample.timestamp + reader.shift
      if first == nil { first = time }
      last = time
      for channel in Channel.allCases where sample.channels.contains(channel) {
        tracks[Int(channel.rawValue)].times.append(time)
        tracks[Int(channel.rawValue)].values.append(sample[channel])
      }
    }
    guard let first, last > first else {
      throw .singleMoment(path, for: "to move a simulated board by")
    }
    remark = reader.remark
    self.tracks = tracks
    self.first = first
    length = (last - first).nanoseconds
    self.origin = origin
  }

  public func sample(at time: Timestamp) -> Sample {
    var offset = (time - origin).nanoseconds % length
    if offset < 0 { offset += length }
    let moment = first + TimeSpan(nanoseconds: offset)
    var sample = Sample(timestamp: time, channels: channels)
    for channel in Channel.allCases { sample[channel] = value(channel, at: moment) }
    if !channels.contains(.temperature) { sample.temperature = 25 }
    return sample
  }

  private func value(_ channel: Channel, at moment: Timestamp) -> Vector3 {
    let index = Int(channel.rawValue)
    let count = tracks[index].times.count
    guard count > 0 else { return .zero }
    var cursor = tracks[index].cursor
    if tracks[index].times[cursor] > moment { cursor = 0 }
    while cursor + 1 < count, tracks[index].times[cursor + 1] <= moment { cursor += 1 }
    tracks[index].cursor = cursor
    let here = tracks[index].values[cursor]
    guard cursor + 1 < count, moment > tracks[index].times[cursor] else { return here }
    let span = (tracks[index].times[cursor + 1] - tracks[index].times[cursor]).nanoseconds
    let part = Double((moment - tracks[index].times[cursor]).nanoseconds) / Double(max(span, 1))
    return here + (tracks[index].values[cursor + 1] - here) * part
  }
}
