// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The formats of a log. Rows of samples or motion have two more columns than in other files of
/// these formats: the wall-clock time after the timestamp, and, as last column, the number of
/// samples lost just before the row.
package enum LogFormat: String, CaseIterable, Sendable {
  case csv
  case jsonl

  /// The names of the two columns that only a log has: the wall-clock time and the lost samples.
  package static let columns = (utc: "utc", lost: "lost")

  /// Returns true for a column that each log has in addition to the samples.
  static func isOfLog(_ column: String) -> Bool { column == columns.utc || column == columns.lost }

  /// Returns the header of a file with samples of `channels` and with the columns of additional
  /// chips.
  package func header(
    ofSamples channels: ChannelSet, _ chips: ChipColumns = ChipColumns()
  ) -> [UInt8] {
    header(SampleFormat.csvHeader(channels).dropLast() + chips.csvHeader + "\n")
  }

  /// Returns the header of a file with motion from a source that samples `channels`.
  package func header(ofMotions channels: ChannelSet) -> [UInt8] {
    header(MotionFormat.csvHeader(with: channels))
  }

  /// Returns the line of a sample. `utc` is the wall-clock time, and `lost` the number of samples
  /// lost just before the sample. `spare` is a sample of the additional chip `source`, for that
  /// chip's own columns.
  package func line(
    _ sample: Sample, _ channels: ChannelSet, spare: Sample? = nil, of source: Int = 0,
    _ chips: ChipColumns = ChipColumns(), utc: String, lost: UInt64
  ) -> [UInt8] {
    var line: [UInt8] = []
    switch self {
    case .csv:
      SampleFormat.appendCSV(sample, channels, to: &line)
      line.removeLast()
      chips.appendCSV(spare, of: source, to: &line)
      line.append(UInt8(ascii: "\n"))
    case .jsonl:
      SampleFormat.appendJSON(sample, channels, to: &line)
      line.removeLast(2)
      chips.appendJSON(spare, of: source, to: &line)
      line += "}\n".utf8
    }
    return stamped(line, utc, lost)
  }

  /// Returns the line of a motion in a log.
  package func line(
    _ motion: MotionRow, _ channels: ChannelSet, utc: String, lost: UInt64
  ) -> [UInt8] {
    var line: [UInt8] = []
    switch self {
    case .csv: MotionFormat.appendCSV(motion, with: channels, to: &line)
    case .jsonl: MotionFormat.appendJSON(motion, to: &line)
    }
    return stamped(line, utc, lost)
  }

  /// Lengthens a line by `count` bytes without changing its meaning: adds zeros to the decimals of
  /// the line's timestamp, which every line has.
  static func lengthen(_ line: inout [UInt8], by count: Int) {
    let end = line.firstIndex(of: comma) ?? line.endIndex
    line.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: count), at: end)
  }

  private static let comma = UInt8(ascii: ",")

  private func header(_ names: String) -> [UInt8] {
    guard self == .csv else { return [] }
    return with(Self.columns.utc, Self.columns.lost, in: Array(names.utf8))
  }

  private func stamped(_ line: [UInt8], _ utc: String, _ lost: UInt64) -> [UInt8] {
    switch self {
    case .csv: with(utc, "\(lost)", in: line)
    case .jsonl:
      with("\"\(Self.columns.utc)\":\"\(utc)\"", "\"\(Self.columns.lost)\":\(lost)", in: line)
    }
  }

  /// Inserts a cell after the first cell of a line, and appends a cell after the last.
  private func with(_ second: String, _ last: String, in line: [UInt8]) -> [UInt8] {
    let tail = self == .csv ? 1 : 2  // line end, and end of the object
    let end = line.count - tail
    let comma = line.firstIndex(of: Self.comma) ?? end
    var stamped: [UInt8] = []
    stamped.reserveCapacity(line.count + second.utf8.count + last.utf8.count + 4)
    stamped += line[..<comma]
    // Only a timestamp with decimals can be lengthened by zeros.
    if let digit = stamped.last, digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9"),
      !stamped.contains(UInt8(ascii: "."))
    {
      stamped += ".0".utf8
    }
    stamped.append(Self.comma)
    stamped += second.utf8
    stamped += line[comma..<end]
    stamped.append(Self.comma)
    stamped += last.utf8
    stamped += line[end...]
    return stamped
  }
}
