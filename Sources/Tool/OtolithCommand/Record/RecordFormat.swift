// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Recordings

/// The output format of `otolith record` and `otolith replay`.
enum RecordFormat: String, RowFormat {
  case csv
  case jsonl
  case mcap

  static let usual = csv
  static let summary =
    "csv, jsonl (one JSON object a line), or mcap (messages of ROS 2, samples and motion "
    + "together). (default: as the file's name ends, else csv)"

  /// The format of lines; `nil` if there are no lines.
  var lines: LogFormat? {
    switch self {
    case .csv: .csv
    case .jsonl: .jsonl
    case .mcap: nil
    }
  }
}
