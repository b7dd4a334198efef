// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
package import Otolith
package import Recordings

/// The output format of a command that prints motion.
package enum OutputFormat: String, RowFormat {
  case csv
  case jsonl

  package static let usual = csv
  package static let summary = "csv, or jsonl: one JSON object a line. (default: csv)"

  package func append(_ row: MotionRow, with channels: ChannelSet, to buffer: inout [UInt8]) {
    switch self {
    case .csv: MotionFormat.appendCSV(row, with: channels, to: &buffer)
    case .jsonl: MotionFormat.appendJSON(row, to: &buffer)
    }
  }
}
