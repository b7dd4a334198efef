// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Finds samples at the end of a sensor's range: an axis that stays at its largest value to the
/// last bit.
struct PinnedSamples: Sendable {
  /// The largest value of an axis in one direction.
  private struct Extreme: Sendable {
    var value = -Double.infinity
    var count = 0
    /// The samples that follow another with the same value.
    var repeats = 0
    /// The next smaller value and how often it was there: a coarse sensor near its peak has it as
    /// often.
    var second = -Double.infinity
    var seconds = 0

    mutating func add(_ value: Double, isRepeat: Bool) {
      if value == self.value {
        count += 1
        if isRepeat { repeats += 1 }
      } else if value > self.value {
        (second, seconds) = (self.value, count)
        (self.value, count, repeats) = (value, 1, 0)
      } else if value == second {
        seconds += 1
      } else if value > second {
        (second, seconds) = (value, 1)
      }
    }
  }

  /// For acceleration, rotation rate and field: the least value that is the end of a range, the
  /// factor from our unit to that of the ranges in data sheets, and those of the catalogue's chips.
  private static let ranges:
    [(channel: Channel, least: Double, factor: Double, unit: String, ends: [Double])] = [
      (.acceleration, 1.9, 1, "g", [2, 4, 8, 16, 32, 64, 100, 200, 400]),
      (.rotationRate, 2.1, 180 / .pi, "deg/s", [125, 245, 250, 500, 1000, 2000, 4000]),
      (.magneticField, 80, 1, "uT", [200, 400, 800, 1200, 1600, 4900]),
    ]

  /// Of each axis, upwards and downwards.
  private var extremes = InlineArray<18, Extreme>(repeating: Extreme())
  private var last = InlineArray<9, Double>(repeating: .nan)
  private var counts = InlineArray<3, Int>(repeating: 0)

  /// Takes a sample of the vector channel with the number `channel`.
  mutating func add(_ value: Vector3, of channel: Int) {
    counts[channel] += 1
    for axis in 0..<3 {
      let number = axis == 0 ? value.x : axis == 1 ? value.y : value.z
      let place = 3 * channel + axis
      let isRepeat = number == last[place]
      last[place] = number
      extremes[2 * place].add(number, isRepeat: isRepeat)
      extremes[2 * place + 1].add(-number, isRepeat: isRepeat)
    }
  }

  /// `acceleration.z stays at 2 g in 14 samples, the end of a range of 2 g; ...`; `nil` where none
  /// does.
  var text: String? {
    var parts: [String] = []
    for (index, range) in Self.ranges.enumerated() {
      for place in 3 * index..<3 * index + 3 {
        for direction in 0..<2 {
          let extreme = extremes[2 * place + direction]
          guard isPinned(extreme, of: counts[index], least: range.least) else { continue }
          let axis = ["x", "y", "z"][place - 3 * index]
          let size = extreme.value * range.factor
          // The last step of a converter is some per cent beyond the nominal range in many chips.
          let end = range.ends.last { size > 0.99 * $0 && size < 1.16 * $0 }
          let sign = direction == 0 ? "" : "-"
          parts.append(
            "\(range.channel.row.name).\(axis) stays at \(sign)\(RecordingPlausibility.short(size)) "
              + "\(range.unit) in \(extreme.count) samples"
              + (end.map {
                ", the end of a range of \(RecordingPlausibility.short($0)) \(range.unit)"
              } ?? ""))
        }
      }
    }
    guard !parts.isEmpty else { return nil }
    return parts.joined(separator: "; ")
      + ": what was beyond is lost; record with a wider range"
  }

  private func isPinned(_ extreme: Extreme, of count: Int, least: Double) -> Bool {
    extreme.value >= least && extreme.value.isFinite && extreme.count >= 3 && extreme.repeats >= 1
      && extreme.count > 2 * extreme.seconds && extreme.count < count - count / 2
  }
}
