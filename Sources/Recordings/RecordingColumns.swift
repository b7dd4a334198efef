// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The columns that a recording may have. A column's slot is its index in `names`.
enum RecordingColumns {
  /// The whole vocabulary; units are those of `Sample`.
  static let names = [
    "timestamp",
    "acceleration.x", "acceleration.y", "acceleration.z",
    "rotationRate.x", "rotationRate.y", "rotationRate.z",
    "magneticField.x", "magneticField.y", "magneticField.z",
    "pressure", "temperature", "humidity",
  ]

  /// Which slots make up a channel, vectors before scalars.
  static let channels: [(channel: Channel, slots: ClosedRange<Int>)] = [
    (.acceleration, 1...3), (.rotationRate, 4...6), (.magneticField, 7...9),
    (.pressure, 10...10), (.temperature, 11...11), (.humidity, 12...12),
  ]

  /// The slot of a column that is not read: `truth.*` and every name not in the vocabulary.
  static let ignored = Int.max

  /// The bits of `slots` in a set of slots.
  static func mask(_ slots: ClosedRange<Int>) -> UInt16 {
    slots.reduce(0) { $0 | 1 << UInt16($1) }
  }

  /// The name that `stranger` was probably meant to be: the same letters in other case, or a usual name for time.
  static func likely(_ stranger: String) -> String? {
    let lowered = stranger.lowercased()
    if ["t", "time", "seconds", "seconds_elapsed", "time_s", "ts"].contains(lowered) {
      return names[0]
    }
    return names.first { $0.lowercased() == lowered }
  }
}
