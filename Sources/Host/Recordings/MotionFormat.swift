// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Text

/// Motion rows as text: CSV, or one JSON object per line, with the same names in the same order.
///
/// Numbers are written in the shortest form that reads back as the same double. Missing and
/// non-finite values are empty cells in CSV and absent keys in JSON; neither format contains `nan`
/// or `null`.
public enum MotionFormat {
  /// The columns in order, each with its unit ("" without one), for a source that samples
  /// `channels`. Channels that are not part of motion get a column only if the source samples them.
  public static func columns(with channels: ChannelSet = []) -> [(name: String, unit: String)] {
    MotionColumn.all(with: channels).map { ($0.name, $0.unit) }
  }

  /// The header row of the CSV, with its line end.
  public static func csvHeader(with channels: ChannelSet = []) -> String {
    csvHeader(with: channels, isUncertain: false)
  }

  /// The same header, with the columns of `MotionRow.uncertainty` if `isUncertain`; each row must
  /// then have one.
  package static func csvHeader(with channels: ChannelSet, isUncertain: Bool) -> String {
    MotionColumn.all(with: channels, isUncertain: isUncertain).map(\.name)
      .joined(separator: ",") + "\n"
  }

  /// Appends `row` to `buffer` as one line of CSV, below the header of the same `channels`.
  public static func appendCSV(
    _ row: MotionRow, with channels: ChannelSet = [], to buffer: inout [UInt8]
  ) {
    let angles = row.attitude.map { EulerAngles($0) }
    var isFirst = true
    for column in MotionColumn.all(with: channels, isUncertain: row.uncertainty != nil) {
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      isFirst = false
      guard let value = text(column.value(row, angles)) else { continue }
      if value.isWord {
        CSVCell.append(value.text, to: &buffer)
      } else {
        buffer += value.text.utf8
      }
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Appends `row` to `buffer` as one line with one JSON object.
  public static func appendJSON(_ row: MotionRow, to buffer: inout [UInt8]) {
    let angles = row.attitude.map { EulerAngles($0) }
    var separator = UInt8(ascii: "{")
    let isUncertain = row.uncertainty != nil
    for column in MotionColumn.all(with: row.besideChannels, isUncertain: isUncertain) {
      guard let value = text(column.value(row, angles)) else { continue }
      buffer.append(separator)
      separator = UInt8(ascii: ",")
      JSON.append(name: column.name, to: &buffer)
      if value.isWord {
        JSON.append(value.text, to: &buffer)
      } else {
        buffer += value.text.utf8
      }
    }
    buffer += "}\n".utf8
  }

  /// A number or a word of a row.
  package enum Field: Equatable, Sendable {
    case number(Double)
    case integer(Int)
    case text(String)
  }

  /// Returns the available values of `row` except its time, with their columns' names and in their
  /// order.
  package static func fields(_ row: MotionRow) -> [(name: String, value: Field)] {
    let angles = row.attitude.map { EulerAngles($0) }
    return MotionColumn.all(with: row.besideChannels).compactMap { column in
      switch column.value(row, angles) {
      case .number(let number?) where number.isFinite: (column.name, .number(number))
      case .integer(let integer?): (column.name, .integer(integer))
      case .text(let text?): (column.name, .text(text))
      case .time, .number, .integer, .text: nil
      }
    }
  }

  /// Seconds with the decimals needed for nanoseconds.
  static func seconds(_ timestamp: Timestamp) -> String {
    let (whole, rest) = timestamp.nanoseconds.magnitude.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    let sign = timestamp.nanoseconds < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    var decimals = String(rest)
    decimals = String(repeating: "0", count: 9 - decimals.utf8.count) + decimals
    while decimals.utf8.last == UInt8(ascii: "0") { decimals.removeLast() }
    return "\(sign)\(whole).\(decimals)"
  }

  private static func text(_ value: MotionValue) -> (text: String, isWord: Bool)? {
    switch value {
    case .time(let timestamp): return (seconds(timestamp), false)
    case .number(let number?) where number.isFinite: return (number.description, false)
    case .integer(let integer?): return (integer.description, false)
    case .text(let text?): return (text, true)
    case .number, .integer, .text: return nil
    }
  }
}
