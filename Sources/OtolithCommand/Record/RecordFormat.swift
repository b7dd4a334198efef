// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Recordings

/// The form of what `otolith record` writes.
enum RecordFormat: String, RowFormat {
  case csv
  case jsonl
  case mcap

  static let usual = csv
  static let summary =
    "csv, jsonl (one JSON object a line), or mcap (messages of ROS 2, samples and motion "
    + "together). (default: as the files' names end, else csv)"

  /// The format that a file's name ends with; `nil` where that is none of these.
  init?(nameOf path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    self.init(rawValue: String(path[path.index(after: dot)...]))
  }

  /// The format of lines; `nil`: it has none.
  var lines: LogFormat? {
    switch self {
    case .csv: .csv
    case .jsonl: .jsonl
    case .mcap: nil
    }
  }
}
