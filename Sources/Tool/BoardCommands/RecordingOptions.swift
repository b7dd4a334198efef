// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Boards
import Otolith
package import Recordings
import Text

/// The column names and units of a recording that another program has written.
package struct RecordingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Units other than g, rad/s, uT and kPa, comma-separated: m/s2, mg, deg/s, mT, gauss, nT, "
        + "hPa, Pa.",
      valueName: "units"), transform: CommaList.read)
  var units: CommaList<MeasuredUnit>?

  @Option(help: ArgumentHelp("The unit of the timestamps. (default: s)", valueName: "unit"))
  var timeUnit: TimeUnit?

  @Option(
    help: ArgumentHelp(
      "Column names, comma-separated, such as rotationRate=gyro or acceleration.x=-ay.",
      valueName: "names"), transform: CommaList.read)
  var columns: CommaList<ColumnName>?

  func validate() throws {
    let units = units?.all ?? []
    for (index, unit) in units.enumerated() {
      if units[..<index].contains(where: { $0.channel == unit.channel }) {
        throw ValidationError("--units has two units of \(unit.channel.row.name)")
      }
    }
  }

  /// Returns the conventions of a recording of which the own samples of `chips` are read.
  package func conventions(of chips: [String] = []) -> RecordingConventions {
    RecordingConventions(
      timeUnit: timeUnit, units: units?.all ?? [], columns: columns?.all ?? [], chips: chips)
  }
}

/// A comma-separated list of values.
struct CommaList<Element: ListElement & Sendable>: TypedArgument, Sendable {
  var all: [Element] = []

  init?(argument: String) {
    for part in argument.split(separator: ",") {
      guard let element = Element(listed: String(part)) else { return nil }
      all.append(element)
    }
  }

  static func wrong(_ text: String) -> WrongValue {
    let parts = text.split(separator: ",").map(String.init)
    let wrong = parts.first { Element(listed: $0) == nil } ?? text
    let meant = NearestWord.to(wrong, among: Element.words).map { nearest in
      parts.map { $0 == wrong ? nearest : $0 }.joined(separator: ",")
    }
    return WrongValue(
      Element.form, meant: meant.map { [$0] } ?? [], example: Element.example)
  }
}

protocol ListElement {
  /// A description of the list's form, for error messages.
  static var form: String { get }
  static var example: String { get }
  /// The names of all possible elements; empty if any text is possible.
  static var words: [String] { get }

  init?(listed: String)
}

extension MeasuredUnit: ListElement {
  static var form: String {
    "one unit of each quantity with commas between: \(words.joined(separator: ", "))"
  }
  static let example = "m/s2,deg/s"
  static var words: [String] { all.map(\.name) }

  init?(listed: String) {
    guard let unit = MeasuredUnit.named(listed) else { return nil }
    self = unit
  }
}

extension ColumnName: ListElement {
  static let form = "a quantity or its axis and, behind =, the name in the file"
  static let example = "rotationRate=gyro or acceleration.x=-ay"
  static let words: [String] = []

  init?(listed: String) { self.init(listed) }
}

extension TimeUnit: ExpressibleByArgument {}
