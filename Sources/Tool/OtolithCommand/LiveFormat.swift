// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser

enum LiveFormat: String, RowFormat {
  case table
  case csv
  case jsonl

  static let usual = table
  static let summary =
    "table (updated in place), csv, or jsonl: one JSON object per line. (default: table)"
}
