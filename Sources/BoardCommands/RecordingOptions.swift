// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Otolith
package import Recordings

/// The names and units of a recording that has others.
package struct RecordingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Its units, where they are not g, rad/s, uT and kPa: m/s2, mg, deg/s, mT, gauss, nT, hPa, Pa; several with commas between.",
      valueName: "units"))
  var units = CommaList<MeasuredUnit>()

  @Option(help: ArgumentHelp("The unit of its timestamps. (default: s)", valueName: "unit"))
  var timeUnit: TimeUnit?

  @Option(
    help: ArgumentHelp(
      "Its names of columns, such as rotationRate=gyro or acceleration.x=-ay; several with commas between.",
      valueName: "names"))
  var columns = CommaList<ColumnName>()

  func validate() throws {
    for (index, unit) in units.all.enumerated() {
      if units.all[..<index].contains(where: { $0.channel == unit.channel }) {
        throw ValidationError("--units has two units of \(unit.channel.row.name)")
      }
    }
  }

  package var conventions: RecordingConventions {
    RecordingConventions(timeUnit: timeUnit, units: units.all, columns: columns.all)
  }
}

/// Values with commas between.
struct CommaList<Element: ListElement & Sendable>: ExpressibleByArgument, Sendable {
  var all: [Element] = []

  init() {}

  init?(argument: String) {
    for part in argument.split(separator: ",") {
      guard let element = Element(listed: String(part)) else { return nil }
      all.append(element)
    }
  }

  /// Nothing: no default is shown.
  var defaultValueDescription: String { "" }
}

protocol ListElement {
  init?(listed: String)
}

extension MeasuredUnit: ListElement {
  init?(listed: String) {
    guard let unit = MeasuredUnit.named(listed) else { return nil }
    self = unit
  }
}

extension ColumnName: ListElement {
  init?(listed: String) { self.init(listed) }
}

extension TimeUnit: ExpressibleByArgument {}
