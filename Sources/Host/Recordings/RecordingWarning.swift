// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A warning in one line for users that a recording may have other units or contents than the
/// reader assumed.
package struct RecordingWarning: Equatable, Sendable {
  /// The warning: `walk.csv: acceleration is 9.8 g on the mean, as if it were in m/s2`.
  package var text: String
  /// The option of `otolith replay` that corrects the problem; `nil` if no option does.
  package var remedy: String?
}

/// Comparisons of the values in a recording with the ranges of sensors.
struct RecordingPlausibility: Sendable {
  /// The largest plausible rotation rate in rad/s. Gyroscopes in the catalogue have ranges up to
  /// 2000 deg/s. Other motion sensors on the market have ranges up to 4000 deg/s, which is 70
  /// rad/s.
  private static let fastestRate = 75.0
  /// The largest plausible mean rotation rate in rad/s, which is more than three turns per second.
  private static let fastestMeanRate = 20.0
  /// If more than one in this many samples repeats a time, the repetitions are not occasional
  /// errors of the logger.
  private static let fewestRepeats = 20
  /// The longest interval in seconds between two samples of motion.
  private static let longestInterval = 0.9
  /// The norms beyond which fusion rejects vectors, in the units of `Sample`.
  private static let most: [Double] = [1e4, 1e3, 1e6]

  private var sums = InlineArray<4, Double>(repeating: 0)
  private var counts = InlineArray<4, Int>(repeating: 0)
  /// For each vector, the number of samples that fusion rejects because of their magnitude, and the
  /// largest magnitude.
  private var refused = InlineArray<3, Int>(repeating: 0)
  private var largest = InlineArray<3, Double>(repeating: 0)
  private var maximumRate = 0.0
  /// For each quantity, the number of samples that repeat the time of the previous sample, and the
  /// time of the newest sample.
  private var repeats = InlineArray<4, Int>(repeating: 0)
  private var times = InlineArray<4, Timestamp?>(repeating: nil)
  private var moments = 0
  private var first: Timestamp?
  private var last = Timestamp.zero
  private var gravity = GravityCheck()
  private var pinned = PinnedAxes()

  private static let channels: [Channel] = [
    .acceleration, .rotationRate, .magneticField, .pressure,
  ]

  mutating func add(_ sample: Sample) {
    for (index, channel) in Self.channels.enumerated() where sample.channels.contains(channel) {
      if times[index] == sample.timestamp { repeats[index] += 1 }
      times[index] = sample.timestamp
      let value = sample[channel]
      let size = channel.isVector ? value.norm : value.x
      if channel.isVector {
        pinned.add(value, of: channel)
        // A value that is not a number fails this comparison.
        guard size <= Self.most[index] else {
          refused[index] += 1
          // The norm of the vector may be infinite, so the largest component is used.
          largest[index] = max(
            largest[index], value.x.magnitude, value.y.magnitude, value.z.magnitude)
          continue
        }
      }
      sums[index] += size
      counts[index] += 1
      if channel == .rotationRate { maximumRate = max(maximumRate, size) }
    }
    guard sample.channels.contains(.acceleration) || sample.channels.contains(.rotationRate) else {
      return
    }
    gravity.add(sample)
    if first == nil { first = sample.timestamp }
    // Sensors that are sampled at the same time often have separate rows.
    if moments == 0 || sample.timestamp > last { moments += 1 }
    last = sample.timestamp
  }

  /// Returns the warnings, one line each. `file` is the name of the recording, and `said` contains
  /// the units that the user gave.
  func warnings(of file: String, _ said: RecordingConventions) -> [RecordingWarning] {
    var warnings: [RecordingWarning] = []
    for (index, channel) in Self.channels.enumerated() {
      if let warning = refusalWarning(index, file) { warnings.append(warning) }
      guard counts[index] > 0 else { continue }
      let mean = sums[index] / Double(counts[index])
      let unit = said.units.first { $0.channel == channel }
      if let warning = unitWarning(channel, mean, unit) {
        warnings.append(RecordingWarning(text: "\(file): \(warning.text)", remedy: warning.remedy))
      }
    }
    if counts[0] > 0, let text = gravity.warning(mean: sums[0] / Double(counts[0])) {
      warnings.append(RecordingWarning(text: "\(file): \(text)"))
    }
    if let text = PinnedSamples.text(pinned) {
      warnings.append(RecordingWarning(text: "\(file): \(text)"))
    }
    if let text = repeatWarning {
      warnings.append(RecordingWarning(text: "\(file): \(text)"))
    } else if let warning = timeWarning(file, said.timeUnit) {
      warnings.append(warning)
    }
    return warnings
  }

  /// A warning that samples repeat the time of the previous sample, although a sensor has only one
  /// value at a time; `nil` if only a few times are repeated.
  private var repeatWarning: String? {
    guard let index = counts.indices.max(by: { repeats[$0] < repeats[$1] }),
      repeats[index] > 10, repeats[index] * Self.fewestRepeats > counts[index]
    else { return nil }
    let name = Self.channels[index].row.name
    return "\(repeats[index]) of \(counts[index]) samples of \(name) have the same time as the "
      + "previous one: is the clock too coarse, or are two sensors mixed?"
  }

  private func refusalWarning(_ index: Int, _ file: String) -> RecordingWarning? {
    guard index < refused.count, refused[index] > 0 else { return nil }
    let row = Self.channels[index].row
    let samples = refused[index] == 1 ? "a sample" : "\(refused[index]) samples"
    return RecordingWarning(
      text:
        "\(file): \(samples) of \(row.name) of up to \(Self.short(largest[index])) \(row.unit), "
        + "beyond the range of any sensor, and not used")
  }

  /// Returns a warning about a mean in the unit of `Sample` that was read in the unit `said`.
  private func unitWarning(_ channel: Channel, _ mean: Double, _ said: MeasuredUnit?)
    -> RecordingWarning?
  {
    let row = channel.row
    if channel == .rotationRate {
      let isBeyond = maximumRate > Self.fastestRate || mean > Self.fastestMeanRate
      guard isBeyond || gravity.turnsInDegrees else { return nil }
      if let said {
        guard isBeyond else { return nil }
        return RecordingWarning(
          text: "rotationRate is up to \(Self.short(maximumRate)) rad/s, read in \(said.name); "
            + "is that its unit?")
      }
      if !isBeyond {
        return RecordingWarning(
          text: "rotationRate turns the board but acceleration does not, as if it were in deg/s",
          remedy: "--units deg/s")
      }
      return RecordingWarning(
        text: "rotationRate is up to \(Self.short(maximumRate)) rad/s, as if it were in deg/s",
        remedy: "--units deg/s")
    }
    // The mean of a quantity as it is written in the file.
    let written = mean / (said?.factor ?? 1)
    let unit = MeasuredUnit.all.first {
      $0.channel == channel && $0.typicalMean?.contains(written) == true
    }
    if let unit, unit != said {
      return RecordingWarning(
        text:
          "\(row.name) is \(Self.short(written)) \(said?.name ?? "\(row.unit)") on the mean, as if "
          + "it were in \(unit.name)", remedy: "--units \(unit.name)")
    }
    guard let said, unit == nil,
      MeasuredUnit.all.contains(where: {
        $0.channel == channel && $0.typicalMean?.contains(mean) == true
      })
    else { return nil }
    return RecordingWarning(
      text: "\(row.name) is \(Self.short(mean)) \(row.unit) on the mean, read in \(said.name); "
        + "is that its unit?")
  }

  private func timeWarning(_ file: String, _ said: TimeUnit?) -> RecordingWarning? {
    guard let first, moments > 2 else { return nil }
    let interval = (last - first).seconds / Double(moments - 1)
    guard interval >= Self.longestInterval else { return nil }
    let apart = "\(file): samples are \(Self.short(interval)) s apart"
    if let said {
      return RecordingWarning(text: "\(apart), with 'timestamp' read in \(said.rawValue)")
    }
    let unit: TimeUnit = interval < 900 ? .ms : interval < 900_000 ? .us : .ns
    return RecordingWarning(
      text: "\(apart), as if 'timestamp' were in \(unit.rawValue)",
      remedy: "--time-unit \(unit.rawValue)")
  }

  /// Returns a number with two digits.
  static func short(_ value: Double) -> String {
    let size = value.magnitude
    // Larger numbers are written with an exponent. A value that is not a number fails this
    // comparison.
    guard size < 1e15 else { return "\(value)" }
    if size >= 10 { return "\(Int(value.rounded()))" }
    let step = size >= 1 ? 10.0 : 100.0
    return "\((value * step).rounded() / step)"
  }
}
