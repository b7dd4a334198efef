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
    "csv, jsonl (one JSON object per line), or mcap (ROS 2 messages, samples and motion together). "
    + "(default: from the file's extension, else csv)"

  /// The format of text lines; `nil` if the format is not made of lines.
  var lines: LogFormat? {
    switch self {
    case .csv: .csv
    case .jsonl: .jsonl
    case .mcap: nil
    }
  }
}
