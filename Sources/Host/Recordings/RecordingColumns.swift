// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The meaning of one column of a recording.
struct RecordingColumn {
  var slot = RecordingColumns.ignored
  /// The factor from the column's unit to the unit that its slot has in `Sample`.
  var factor = 1.0

  var isRead: Bool { slot != RecordingColumns.ignored }
}

/// The columns that a recording may have. The slot of a column is its index in `names`.
enum RecordingColumns {
  /// All names of columns of a recording. Units are the units of `Sample`.
  static let names =
    ["timestamp"]
    + Channel.allCases.flatMap { channel in
      let name = "\(channel.row.name)"
      return channel.isVector ? ["x", "y", "z"].map { "\(name).\($0)" } : [name]
    }

  /// The slots of each channel, vectors before scalars.
  static let channels: [(channel: Channel, slots: ClosedRange<Int>)] = Channel.allCases.map {
    // The slots of the three vectors come first.
    let first = $0.isVector ? 1 + 3 * Int($0.rawValue) : 7 + Int($0.rawValue)
    return ($0, first...first + $0.width - 1)
  }

  /// The slot of a column that is not read: `truth.*`, and unknown names.
  static let ignored = Int.max

  /// Returns a bit mask of slots that contains the bits for `slots`.
  static func mask(_ slots: ClosedRange<Int>) -> UInt32 {
    slots.reduce(0) { $0 | 1 << UInt32($1) }
  }

  /// Returns the names that a column for an axis may have if the vector's names begin with `stem`:
  /// `gyro.x`, `gyro_x`, `gyroX`, `gx`.
  static func names(of stem: String, axis: String) -> [String] {
    [".", "_", " ", "-", ""].flatMap { [stem + $0 + axis, stem + $0 + axis.uppercased()] }
  }

  /// Returns the name that an unknown name probably means: the same letters in another case, or a
  /// usual name for the time.
  static func likely(_ stranger: String) -> String? {
    let lowered = stranger.lowercased()
    if ["t", "time", "seconds", "seconds_elapsed", "time_s", "ts"].contains(lowered) {
      return names[0]
    }
    return names.first { $0.lowercased() == lowered }
  }
}
