// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Simulation
import Boards
package import Fusion
import Otolith
package import Runtime

/// The place and date of a recording; the recording's file does not contain them.
package struct LocationOptions: ParsableArguments {
  // `.unconditional` accepts a value that starts with a minus sign, which would otherwise be parsed
  // as an option.
  @Option(
    name: .customLong("declination-deg"), parsing: .unconditional,
    help:
      "The angle from true to magnetic north in degrees, east positive. Overrides a position.",
    transform: NumberForm.number(of: "degrees", -180...180, example: 2.5))
  var declination: Double?

  @Option(
    name: .customLong("latitude-deg"), parsing: .unconditional,
    help:
      "The latitude in degrees, north positive. With a longitude, the World Magnetic Model gives the declination.",
    transform: NumberForm.number(of: "degrees", GeodeticPosition.latitudes, example: 47.4))
  var latitude: Double?

  @Option(
    name: .customLong("longitude-deg"), parsing: .unconditional,
    help: "The longitude in degrees, east positive.",
    transform: NumberForm.number(of: "degrees", GeodeticPosition.longitudes, example: 8.5))
  var longitude: Double?

  @Option(
    name: .customLong("height-m"), parsing: .unconditional,
    help: "The height in metres above the ellipsoid or sea level. (default: 0)",
    transform: NumberForm.number(of: "metres", GeodeticPosition.heights, example: 400))
  var height: Double?

  @Option(
    help: "The date of the recording, YYYY-MM-DD. (default: today)", transform: DateOption.read)
  var date: DateOption?

  func validate() throws {
    if (latitude == nil) != (longitude == nil) {
      throw ValidationError("--latitude-deg and --longitude-deg go together")
    }
    if latitude == nil, height != nil || date != nil {
      let option = height != nil ? "--height-m" : "--date"
      throw ValidationError("\(option) needs --latitude-deg and --longitude-deg")
    }
  }

  /// The location; `nil` if neither a declination nor a position is given.
  package var location: Location? {
    var location = Location(declination: declination.map(radians(fromDegrees:)))
    if let latitude, let longitude {
      // The options have the same limits, so this initialiser does not fail.
      location.position = try? GeodeticPosition(
        latitude: latitude, longitude: longitude, height: height ?? 0)
    }
    return location.declination == nil && location.position == nil ? nil : location
  }

  package var trueNorth: TrueNorth? { TrueNorth(at: location, on: date?.date ?? .today) }
}

/// A date given on the command line.
struct DateOption: TypedArgument {
  let date: CivilDate

  init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2],
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    self.date = date
  }

  static func wrong(_ text: String) -> WrongValue {
    WrongValue("a day of the calendar, YYYY-MM-DD", example: "2026-11-22")
  }
}
