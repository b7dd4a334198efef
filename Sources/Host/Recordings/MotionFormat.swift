// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Text

/// Rows of motion as text: CSV, or one JSON object per line, with the same names in the same order.
///
/// Numbers are written in the shortest form that is read back as the same double. Values that are
/// missing or not finite are empty cells in CSV and absent members in JSON, so neither format
/// contains `nan` or `null`.
public enum MotionFormat {
  /// Returns the columns in order for a source that samples `channels`, each with its unit, or ""
  /// if the column has no unit. Channels that are not part of motion have a column only if the
  /// source samples them.
  public static func columns(with channels: ChannelSet = []) -> [(name: String, unit: String)] {
    MotionColumn.all(with: channels).map { ($0.name, $0.unit) }
  }

  /// Returns the header row of the CSV with its line end.
  public static func csvHeader(with channels: ChannelSet = []) -> String {
    csvHeader(with: channels, isUncertain: false)
  }

  /// Returns the header row of the CSV, with the columns of `MotionRow.uncertainty` if
  /// `isUncertain`. Each row must then have an uncertainty.
  package static func csvHeader(with channels: ChannelSet, isUncertain: Bool) -> String {
    MotionColumn.all(with: channels, isUncertain: isUncertain).map(\.name)
      .joined(separator: ",") + "\n"
  }

  /// Appends `row` to `buffer` as a line of CSV. The header must have been made for the same
  /// `channels`.
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

  /// Appends `row` to `buffer` as a line with one JSON object.
  public static func appendJSON(_ row: MotionRow, to buffer: inout [UInt8]) {
    let angles = row.attitude.map { EulerAngles($0) }
    var separator = UInt8(ascii: "{")
    let isUncertain = row.uncertainty != nil
    for column in MotionColumn.all(with: row.auxiliaryChannels, isUncertain: isUncertain) {
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

  /// A value in a row of motion: a number or a word.
  package enum Field: Equatable, Sendable {
    case number(Double)
    case integer(Int)
    case text(String)
  }

  /// Returns the available values of `row`, except its time, with the names of their columns and in
  /// their order.
  package static func fields(_ row: MotionRow) -> [(name: String, value: Field)] {
    let angles = row.attitude.map { EulerAngles($0) }
    return MotionColumn.all(with: row.auxiliaryChannels).compactMap { column in
      switch column.value(row, angles) {
      case .number(let number?) where number.isFinite: (column.name, .number(number))
      case .integer(let integer?): (column.name, .integer(integer))
      case .text(let text?): (column.name, .text(text))
      case .time, .number, .integer, .text: nil
      }
    }
  }

  /// Returns the time of a row in seconds, with the decimals needed for nanoseconds.
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
