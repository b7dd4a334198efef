// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A remark on a recording that was read, and is perhaps not what it was read as: one line for
/// people.
package struct RecordingDoubt: Equatable, Sendable {
  /// `walk.csv: acceleration is 9.8 g on the mean, as if it were in m/s2`
  package var text: String
  /// The option of `otolith replay` that mends it; `nil` where none does.
  package var remedy: String?
}

/// The size of what a recording holds, for it to be held against what sensors can measure.
struct RecordingPlausibility {
  /// The widest range of any gyroscope in the catalogue is 2000 deg/s, of any other that is sold
  /// for motion 4000 deg/s, which is 70 rad/s.
  private static let fastestRate = 75.0
  /// Above three turns a second all the time.
  private static let fastestMeanRate = 20.0
  /// Longer than between samples of motion, s.
  private static let longestInterval = 0.9

  private var sums = InlineArray<4, Double>(repeating: 0)
  private var counts = InlineArray<4, Int>(repeating: 0)
  private var maximumRate = 0.0
  private var moments = 0
  private var first: Timestamp?
  private var last = Timestamp.zero

  private static let channels: [Channel] = [
    .acceleration, .rotationRate, .magneticField, .pressure,
  ]

  mutating func add(_ sample: Sample) {
    for (index, channel) in Self.channels.enumerated() where sample.channels.contains(channel) {
      let value = sample[channel]
      let size = channel.isVector ? value.norm : value.x
      sums[index] += size
      counts[index] += 1
      if channel == .rotationRate { maximumRate = max(maximumRate, size) }
    }
    guard sample.channels.contains(.acceleration) || sample.channels.contains(.rotationRate) else {
      return
    }
    if first == nil { first = sample.timestamp }
    // Sensors that are sampled at one moment have often a row each.
    if moments == 0 || sample.timestamp > last { moments += 1 }
    last = sample.timestamp
  }

  /// The doubts, each in a line; `file` is what the recording is called.
  func doubts(of file: String) -> [RecordingDoubt] {
    var doubts: [RecordingDoubt] = []
    for (index, channel) in Self.channels.enumerated() where counts[index] > 0 {
      let mean = sums[index] / Double(counts[index])
      let row = channel.row
      if channel == .rotationRate {
        guard maximumRate > Self.fastestRate || mean > Self.fastestMeanRate else { continue }
        doubts.append(
          RecordingDoubt(
            text:
              "\(file): rotationRate is up to \(Self.short(maximumRate)) rad/s, as if it were in "
              + "deg/s", remedy: "--units deg/s"))
      } else if let unit = MeasuredUnit.all.first(where: {
        $0.channel == channel && $0.betrayed?.contains(mean) == true
      }) {
        doubts.append(
          RecordingDoubt(
            text:
              "\(file): \(row.name) is \(Self.short(mean)) \(row.unit) on the mean, as if it were "
              + "in \(unit.name)", remedy: "--units \(unit.name)"))
      }
    }
    if let doubt = doubtOfTime(file) { doubts.append(doubt) }
    return doubts
  }

  private func doubtOfTime(_ file: String) -> RecordingDoubt? {
    guard let first, moments > 2 else { return nil }
    let interval = (last - first).seconds / Double(moments - 1)
    guard interval >= Self.longestInterval else { return nil }
    let unit: TimeUnit = interval < 900 ? .ms : interval < 900_000 ? .us : .ns
    return RecordingDoubt(
      text: "\(file): samples are \(Self.short(interval)) s apart, as if 'timestamp' were in "
        + unit.rawValue, remedy: "--time-unit \(unit.rawValue)")
  }

  /// Two digits of it.
  private static func short(_ value: Double) -> String {
    if value >= 10 { return "\(Int(value.rounded()))" }
    let step = value >= 1 ? 10.0 : 100.0
    return "\((value * step).rounded() / step)"
  }
}
