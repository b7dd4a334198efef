// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The meaning of one column of a file.
struct RecordingColumn {
  var slot = RecordingColumns.ignored
  /// The size of the column's unit in the slot's unit.
  var factor = 1.0

  var isRead: Bool { slot != RecordingColumns.ignored }
}

/// The columns that a recording may have. A column's slot is its index in `names`.
enum RecordingColumns {
  /// All column names; units are those of `Sample`.
  static let names =
    ["timestamp"]
    + Channel.allCases.flatMap { channel in
      let name = "\(channel.row.name)"
      return channel.isVector ? ["x", "y", "z"].map { "\(name).\($0)" } : [name]
    }

  /// The slots that make up each channel, vectors before scalars.
  static let channels: [(channel: Channel, slots: ClosedRange<Int>)] = Channel.allCases.map {
    // Three vectors come first.
    let first = $0.isVector ? 1 + 3 * Int($0.rawValue) : 7 + Int($0.rawValue)
    return ($0, first...first + $0.width - 1)
  }

  /// The slot of a column that is not read: `truth.*` and unknown names.
  static let ignored = Int.max

  /// The bits of `slots` in a set of slots.
  static func mask(_ slots: ClosedRange<Int>) -> UInt32 {
    slots.reduce(0) { $0 | 1 << UInt32($1) }
  }

  /// The possible names for an axis column of a vector whose names begin with `stem`: `gyro.x`,
  /// `gyro_x`, `gyroX`, `gx`.
  static func names(of stem: String, axis: String) -> [String] {
    [".", "_", " ", "-", ""].flatMap { [stem + $0 + axis, stem + $0 + axis.uppercased()] }
  }

  /// The probable column for the unknown name `stranger`: the same letters in other case, or a
  /// usual name for time.
  static func likely(_ stranger: String) -> String? {
    let lowered = stranger.lowercased()
    if ["t", "time", "seconds", "seconds_elapsed", "time_s", "ts"].contains(lowered) {
      return names[0]
    }
    return names.first { $0.lowercased() == lowered }
  }
}
