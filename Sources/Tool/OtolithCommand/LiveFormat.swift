// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser

enum LiveFormat: String, RowFormat {
  case table
  case csv
  case jsonl

  static let usual = table
  static let summary =
    "table (a view that stays in place), csv, or jsonl: one JSON object a line. (default: table)"
}
